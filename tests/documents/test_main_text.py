"""The main text: boilerplate is left out, links stay with valid places, and no page costs too much."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine import spending
from thresher.documents.analyse import Reader
from thresher.documents.html import Markup, read_html
from thresher.documents.main_text import boilerplate
from thresher.types import Fetched, ParsedPage

URL = "http://site.test/"
STORY = "".join(
    f"<p>Paragraph {word} is long enough to be a part of the story, and has a comma.</p>" for word in "abcdefg"
)
LINKS = "".join(f"<li><a href=/{word}>Another {word}</a></li>" for word in "uvwxyz")


def main(text: str) -> Markup:
    return read_html(text, URL, unwanted=boilerplate)


@pytest.mark.parametrize(
    "around",
    [
        "<nav>Junk</nav>{}",
        "<header><p>Junk</header>{}",
        "{}<footer>Junk</footer>",
        "<div class='site-menu'>Junk</div>{}",
        "{}<section id=commentsList><p>Junk that is as long as a paragraph of the story, or longer still.</section>",
        "{}<div class='cookieNotice'><p>Junk about biscuits that we would like to give to you, please.</div>",
        f"{{}}<div><h3>Junk</h3><ul>{LINKS}</ul></div>",
        "<table><tr><td><a href=x>Junk</a><td>{}</table>",
        "<div>{}<div><a href=x>Junk</a> | <a href=y>Junk</a></div></div>",
        "{}<div role=navigation>Junk</div>",
    ],
)
def test_boilerplate_is_left_out(around: str) -> None:
    found = main(f"<body>{around.format(f'<div>{STORY}</div>')}")
    assert "Junk" not in found.words
    assert " ".join(found.words) == " ".join(read_html(STORY, URL).words)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p>Short.",
        f"<body class='has-sidebar menu-open'>{STORY}",
        f"<article><header>Introduction</header>{STORY}</article>",
        f"<main><h1>Title</h1>{STORY}<ul><li>One thing<li>Another thing</ul></main>",
        f"<div class=content>{STORY.replace('<p>', '').replace('</p>', '<br>')}</div>",
        f"<div class=entry-header><p>An introduction of some length stands before the text.</div><div>{STORY}</div>",
        f"<form>{STORY}</form>",
    ],
)
def test_what_belongs_to_the_text_stays(page: str) -> None:
    assert main(page).words == read_html(page, URL).words


def test_links_stay_all_and_those_outside_have_no_words() -> None:
    story = f"<div>{STORY}<p>See <a href=/in>this place</a> for the rest.</div>"
    page = f"<ul class=nav>{LINKS}</ul>{story}<div><a href=/out>out</a></div>"
    found, whole = main(page), read_html(page, URL)
    assert [(link.url, link.anchor) for link in found.links] == [(link.url, link.anchor) for link in whole.links]
    inside = found.links[6]
    assert found.words[inside.position : inside.position + inside.length] == ["this", "place"]
    assert {(link.position, link.length) for link in found.links[:6]} == {(0, 0)}
    assert (found.links[7].position, found.links[7].length) == (len(found.words), 0)


def test_the_reader_counts_terms_of_the_main_text_alone() -> None:
    body = f"<html lang=en><div class=sidebar>Zebras</div><div>{STORY}</div>".encode()
    fetched = Fetched(url=URL, status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)
    for main_text in (False, True):
        page = Reader(main_text=main_text).read(fetched)
        assert isinstance(page, ParsedPage)
        assert ("zebra" in page.terms) is not main_text


PIECES = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<div class=menu>",
    "<nav>",
    "</nav>",
    "<a href=x>",
    "</a>",
    "<article>",
    "<li>",
]
PIECES += [
    "<ul>",
    "</ul>",
    "<table>",
    "<td>",
    "text",
    "Some words that make a paragraph, if they stand together. ",
    "<h2>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@settings(max_examples=300)
def test_the_main_text_is_a_part_of_the_text_and_places_are_valid(text: str) -> None:
    found, whole = main(text), read_html(text, URL)
    rest = iter(whole.words)
    assert all(word in rest for word in found.words)
    assert [link.url for link in found.links] == [link.url for link in whole.links]
    for link in found.links:
        end = link.position + link.length
        assert 0 <= link.position <= end <= len(found.words)
        assert all(start <= link.position and end <= stop <= len(found.words) for start, stop in link.spans)


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 3000 + "x",
        "<p>word</p>" * 50_000,
        "<div><a href=x>y</a></div>" * 25_000,
        f"<p class='{'a-' * 500_000}'>",
    ],
)
def test_hostile_pages_are_judged_in_linear_time(text: str) -> None:
    with spending() as spent:
        main(text)
    assert spent.seconds < 12
