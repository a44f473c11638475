"""From files to topic trees and back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import InputError
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.from_folder import from_folder
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, merged, moved, parsed, put, without, written
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
    assert "1 link outside of any folder" in notices
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
    assert "2 entries are no web pages and were left out (javascript, place)." in notices
    assert "1 repeated bookmark merged." in notices
    assert "'http://' is no URL" in notices
    assert "Empty, so no topic: Empty, Empty/Deeper." in notices


def test_a_page_in_two_topics_is_kept_and_told() -> None:
    found, notices, _ = gathered(folder("A", link("http://a.test/")), folder("B", link("http://a.test/")))
    assert found == {"A": (1, 0), "B": (1, 0)}
    assert "http://a.test/ stands in A and in B." in notices


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
    assert result.notices == ["1 files outside of any subfolder belong to no topic and were left out."]
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


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).map(str.strip).filter(bool)
words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=20).map(
    lambda t: " ".join(t.split())
)
pages = st.builds(
    TrainingPage,
    st.integers(0, 30).map(lambda n: f"http://a.test/{n}"),
    words,
    st.none() | st.integers(1, 10**10),
    words,
    st.lists(words.filter(lambda t: t and "," not in t), max_size=3, unique=True).map(tuple),
)


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    taxonomy = Taxonomy()
    for path in draw(st.lists(st.lists(names, min_size=1, max_size=3), min_size=1, max_size=4)):
        clean = tuple(" ".join(name.split())[:50] for name in path)
        if any(name.lower() in ("others", "bookmarks", "links", "favorites") or not name for name in clean):
            continue
        found = draw(st.lists(pages, min_size=1, max_size=3, unique_by=lambda page: page.url))
        present = taxonomy.get(clean) or Topic(name=clean[-1])
        topic = Topic(name=clean[-1], pages=tuple(found), children=present.children)
        taxonomy = put(taxonomy, clean, topic)
    return taxonomy


def content(taxonomy: Taxonomy) -> dict[tuple[str, ...], tuple[object, ...]]:
    return {path: (topic.pages, topic.others) for path, topic in taxonomy.walk() if topic.pages or topic.others}


@given(taxonomies())
def test_files_lose_nothing(taxonomy: Taxonomy) -> None:
    assert read_topics(write_topics(taxonomy)) == taxonomy
    if content(taxonomy):
        assert content(from_bookmarks(to_bookmarks(taxonomy).encode()).taxonomy) == content(taxonomy)


@given(st.lists(names, min_size=1, max_size=4))
def test_written_paths_are_read_back(path: list[str]) -> None:
    assert parsed(written(path)) == tuple(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = [", "not TOML"),
        ("topics = 1", "Did you mean 'topic'"),
        ("[topic]\npath = 'a'", "two brackets"),
        ("[[topic]]\npages = []", "has no path"),
        ("[[topic]]\npath = 'a'\npages = ['ftp://x/']", "no http"),
        ("[[topic]]\npath = 'a'\npage = []", "Did you mean 'pages'"),
        ("[[topic]]\npath = 'a'\npages = 'x'", "is no list"),
        ("[[topic]]\npath = 'a'\npages = [{url='http://a.test/', added='x'}]", "is no number"),
        ("[[topic]]\npath = 'a'\n[[topic]]\npath = 'a'\npages = ['http://a.test/']\n[[topic]]\npath = 'a'", "twice"),
    ],
    ids=["toml", "unknown key", "one bracket", "no path", "bad url", "near key", "no list", "date", "twice"],
)
def test_wrong_topic_files_say_what_to_do(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_topics(text)
    assert told in f"{error.value.sentence} {error.value.remedy}"
