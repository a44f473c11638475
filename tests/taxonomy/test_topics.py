"""From files to topic trees and back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.errors import InputError
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.from_folder import from_folder
from thresher.taxonomy.shelves import tidy
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import (
    Taxonomy,
    Topic,
    TrainingPage,
    merged,
    moved,
    name_of,
    parsed,
    put,
    without,
    written,
)
from thresher.taxonomy.topics_file import read_topics, write_topics


def link(url: str, title: str = "t") -> str:
    return f'<DT><A HREF="{url}">{title}</A>'


def folder(name: str, *inside: str) -> str:
    return f"<DT><H3>{name}</H3><DL><p>{''.join(inside)}</DL><p>"


def topics(taxonomy: Taxonomy) -> dict[str, tuple[int, int]]:
    return {written(path): (len(topic.pages), len(topic.others)) for path, topic in taxonomy.walk()}


def gathered(*inside: str, name: str = "mine") -> tuple[dict[str, tuple[int, int]], str, Taxonomy]:
    result = from_bookmarks(f"<DL>{''.join(inside)}</DL>".encode(), name)
    return topics(result.taxonomy), "\n".join(result.notices), result.taxonomy


def test_folders_are_topics_and_loose_links_are_seeds() -> None:
    found, notices, taxonomy = gathered(
        link("http://loose.test/"), folder("A", link("http://a.test/"), folder("B", link("http://b.test/")))
    )
    assert found == {"A": (1, 0), "A/B": (1, 0)}
    assert [page.url for page in taxonomy.seeds] == ["http://loose.test/"]
    assert "1 link outside any folder" in notices
    assert taxonomy.start_urls() == [("http://a.test/", "A"), ("http://b.test/", "A/B"), ("http://loose.test/", None)]


def test_a_file_without_folders_is_one_topic_named_after_it() -> None:
    assert gathered(link("http://a.test/"), link("http://b.test/"), name="boats")[0] == {"boats": (2, 0)}


def test_others_are_negative_examples_of_their_parent() -> None:
    found, _, taxonomy = gathered(
        folder(
            "A", link("http://a.test/"), folder("Others", link("http://n.test/"), folder("x", link("http://m.test/")))
        ),
        folder("OTHERS", link("http://far.test/")),
    )
    assert found == {"A": (1, 2)}
    assert [page.url for page in taxonomy.root.others] == ["http://far.test/"]


def test_folders_that_came_with_the_browser_are_left_out() -> None:
    stock = folder(
        "Mozilla Firefox", link("https://support.mozilla.org/products/firefox"), link("https://mozilla.org/")
    )
    mine = folder(
        "Tea", link("http://tea.test/"), folder("mozilla firefox", link("http://a.test/"), link("http://b.test/"))
    )
    found, notices, taxonomy = gathered(folder("Bookmarks Menu", stock, mine))
    assert found == {"Tea": (1, 0), "Tea/mozilla firefox": (2, 0)}
    assert taxonomy.seeds == ()
    assert "Left out, because they came with the browser: 'Mozilla Firefox'." in notices


def test_folders_of_browsers_are_flattened_with_a_notice() -> None:
    found, notices, taxonomy = gathered(
        folder("Bookmarks Toolbar", link("http://loose.test/"), folder("A", link("http://a.test/"))),
        folder("Lesezeichenleiste", folder("A", link("http://b.test/"))),
    )
    assert found == {"A": (2, 0)}
    assert "'Bookmarks Toolbar', 'Lesezeichenleiste'" in notices
    assert len(taxonomy.seeds) == 1


def test_what_is_left_out_is_told() -> None:
    found, notices, _ = gathered(
        folder(
            "A", link("http://a.test/"), link("http://a.test"), link("place:x"), link("javascript:y"), link("http://")
        ),
        folder("Empty", folder("Deeper")),
    )
    assert found == {"A": (1, 0)}
    assert "2 entries are not web pages and were left out (javascript, place)." in notices
    assert "1 repeated bookmark merged." in notices
    assert "'http://' is not a URL" in notices
    assert "Not topics, because they are empty: Empty, Empty/Deeper." in notices


def test_a_page_in_two_topics_is_kept_and_told() -> None:
    found, notices, _ = gathered(folder("A", link("http://a.test/")), folder("B", link("http://a.test/")))
    assert found == {"A": (1, 0), "B": (1, 0)}
    assert "http://a.test/ is in A and in B." in notices


@pytest.mark.parametrize("data", [b"", b"<html>nothing", b"<DL><DT><A HREF='place:x'>y</A></DL>"])
def test_a_file_without_pages_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        from_bookmarks(data)


def test_many_bookmarks_and_strange_names() -> None:
    inside = "".join(link(f"http://a.test/{number}") for number in range(5000))
    found, _, taxonomy = gathered(folder("TCP/IP 100% 🚢 " + "x" * 2000, inside))
    (name,) = found
    assert found[name] == (5000, 0)
    assert parsed(name) == next(taxonomy.walk())[0]


def test_ten_levels() -> None:
    text = link("http://deep.test/")
    for level in range(10):
        text = folder(f"L{9 - level}", text)
    assert list(gathered(text)[0]) == ["/".join(f"L{n}" for n in range(depth + 1)) for depth in range(10)]


def test_a_folder_tree_of_files(tmp_path: Path) -> None:
    for name in (
        "boats/one.html",
        "boats/sails/two.txt",
        "boats/OTHERS/no.txt",
        "top.txt",
        ".hidden/x.txt",
        "boats/.x",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    (tmp_path / "boats" / "link").symlink_to("/etc/passwd")
    result = from_folder(tmp_path)
    assert topics(result.taxonomy) == {"boats": (1, 1), "boats/sails": (1, 0)}
    assert result.notices == ["1 files outside any subfolder belong to no topic and were left out."]
    assert result.taxonomy.get(("boats",)).pages[0].url.startswith("file:///")
    assert result.taxonomy.start_urls() == []


def tree(**pages: int) -> Taxonomy:
    taxonomy = Taxonomy()
    for name, number in pages.items():
        path = tuple(name.split("_"))
        topic = Topic(name=path[-1], pages=tuple(TrainingPage(f"http://{name}.test/{n}") for n in range(number)))
        taxonomy = put(taxonomy, path, topic)
    return taxonomy


def test_topics_are_renamed_moved_merged_and_deleted() -> None:
    start = tree(A=1, A_B=2, C=3)
    assert topics(moved(start, ("A",), ("Z",))) == {"C": (3, 0), "Z": (1, 0), "Z/B": (2, 0)}
    assert topics(moved(start, ("A", "B"), ("C", "D"))) == {"A": (1, 0), "C": (3, 0), "C/D": (2, 0)}
    assert topics(merged(start, ("C",), ("A",))) == {"A": (4, 0), "A/B": (2, 0)}
    assert topics(merged(start, ("A", "B"), ("A",))) == {"A": (3, 0), "C": (3, 0)}
    assert topics(without(start, ("A",))) == {"C": (3, 0)}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda t: moved(t, ("A",), ("A", "B", "X")),
        lambda t: moved(t, ("A",), ("C",)),
        lambda t: merged(t, ("A",), ("A", "B")),
        lambda t: merged(t, ("A",), ("A",)),
        lambda t: without(t, ("Q",)),
    ],
    ids=["into itself", "onto another", "into its child", "with itself", "unknown"],
)
def test_moves_that_make_no_sense_are_refused(wrong) -> None:
    with pytest.raises(InputError):
        wrong(tree(A=1, A_B=1, C=1))


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
names = (
    st.sampled_from(["OTHERS", "Others", "others 2", "OTHERS 2", "Links", "Favorites", "Bookmarks", "Lesezeichen"])
    | texts.filter(str.strip)
).map(name_of)
words = texts.map(tidy)
notes = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
dates = st.none() | st.integers(-5, 10**17)
urls = st.integers(0, 30).map(lambda n: f"http://a.test/{n}") | st.sampled_from(
    ["file:///a%20b.html", "file:///c'&.txt"]
)
pages = st.builds(TrainingPage, urls, words, dates, notes, st.lists(notes, max_size=3, unique=True).map(tuple))
some_pages = st.lists(pages, max_size=3, unique_by=lambda page: page.url).map(tuple)
topic_fields = st.fixed_dictionaries(
    {
        "pages": some_pages,
        "others": some_pages,
        "indicators": st.lists(notes, max_size=3, unique=True).map(tuple),
        "languages": st.lists(st.sampled_from(["en", "de"]), max_size=2, unique=True).map(tuple),
        "query": words,
        "note": notes,
        "added": dates,
    }
)


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    taxonomy = Taxonomy(root=Topic(name="", others=draw(some_pages)), seeds=draw(some_pages))
    for path in draw(st.lists(st.lists(names, min_size=1, max_size=3).map(tuple), max_size=4)):
        present = taxonomy.get(path) or Topic(name=path[-1])
        taxonomy = put(taxonomy, path, replace(present, **draw(topic_fields)))
    return taxonomy


@given(taxonomies())
def test_files_lose_nothing(taxonomy: Taxonomy) -> None:
    assert read_topics(write_topics(taxonomy)) == taxonomy
    if taxonomy != Taxonomy():
        assert from_bookmarks(to_bookmarks(taxonomy).encode()).taxonomy == taxonomy


def test_an_export_without_its_marks_is_a_common_bookmark_file() -> None:
    topic = Topic(
        name="A", pages=(TrainingPage("http://a.test/", "t", 9, "n", ("x",)),), others=(TrainingPage("http://b.test/"),)
    )
    taxonomy = put(Taxonomy(), ("A",), replace(topic, note="good", added=7))
    plain = re.sub(r' DATA-THRESHER="[^"]*"', "", to_bookmarks(taxonomy))
    assert plain != to_bookmarks(taxonomy)
    assert from_bookmarks(plain.encode()).taxonomy == taxonomy


@pytest.mark.parametrize("mark", ["{", "[]", "{&quot;query&quot;:3}", "", "{&quot;tags&quot;:{}}"])
def test_marks_that_are_not_to_be_understood_are_passed_over(mark: str) -> None:
    inside = (
        f'<DT><A DATA-THRESHER="{mark}" HREF="http://a.test/">t</A><DT><A DATA-THRESHER="{mark}" HREF="file:///x">f</A>'
    )
    result = from_bookmarks(f'<DL><DT><H3 DATA-THRESHER="{mark}">Links</H3><DL>{inside}</DL>'.encode(), "mine")
    assert sum(len(topic.pages) for _, topic in result.taxonomy.walk()) == 1
    assert "1 entry is not a web page and was left out (file)." in result.notices


def test_a_marked_topic_inside_of_negative_examples_is_none() -> None:
    inside = folder("Deep", link("http://b.test/")).replace("<H3", '<H3 DATA-THRESHER="{}"')
    found, _, taxonomy = gathered(folder("OTHERS", inside), folder("A", link("http://a.test/")))
    assert found == {"A": (1, 0)}
    assert [page.url for page in taxonomy.root.others] == ["http://b.test/"]


def test_notices_are_few_however_large_the_file_is() -> None:
    twice = "".join(link(f"http://a.test/{number}") for number in range(5000))
    broken = "".join(link("http://") for _ in range(100))
    empty = "".join(folder(f"E{number}") for number in range(1000))
    found, notices, _ = gathered(folder("A", twice), folder("B", twice), folder("C", broken), empty)
    assert found == {"A": (5000, 0), "B": (5000, 0)}
    assert "4,995 more pages are in two topics." in notices
    assert "95 more entries are not URLs and were left out." in notices
    assert "and 981 others." in notices
    assert len(notices.splitlines()) == 13


def test_names_and_folders_that_are_cut_are_told() -> None:
    text = link("http://deep.test/")
    for level in range(70):
        text = folder(f"L{69 - level}" if level else "deepest", text)
    found, notices, _ = gathered(text, folder("x" * 1200, link("http://a.test/")))
    assert found["x" * 1000] == (1, 0)
    assert found["/".join(f"L{n}" for n in range(64))] == (1, 0)
    assert "1 name of a folder is longer than 1,000 characters and cut there." in notices
    assert "6 folders lie deeper than 64 levels: their pages belong to the topic above." in notices


@given(st.lists(names, min_size=1, max_size=4))
def test_written_paths_are_read_back(path: list[str]) -> None:
    assert parsed(written(path)) == tuple(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = [", "not valid TOML"),
        ("x = " + "[" * 5000, "nested too deeply"),
        ("topics = 1", "Did you mean 'topic'"),
        ("[topic]\npath = 'a'", "two brackets"),
        ("[[topic]]\npages = []", "has no path"),
        ("[[topic]]\npath = 'a'\npages = ['ftp://x/']", "not an http"),
        ("[[topic]]\npath = 'a'\npage = []", "Did you mean 'pages'"),
        ("[[topic]]\npath = 'a'\npages = 'x'", "is not a list"),
        ("[[topic]]\npath = 'a'\npages = [{url='http://a.test/', added='x'}]", "is not a number"),
        ("[[topic]]\npath = 'a'\n[[topic]]\npath = 'a'\npages = ['http://a.test/']\n[[topic]]\npath = 'a'", "twice"),
    ],
    ids=["toml", "nested", "unknown key", "one bracket", "no path", "bad url", "near key", "no list", "date", "twice"],
)
def test_wrong_topic_files_say_what_to_do(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_topics(text)
    assert told in f"{error.value.sentence} {error.value.remedy}"
