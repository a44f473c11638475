"""The text of a page as it was written: passages that a reader sees apart, and the same words as the page has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.documents.formats.prose import TextCollector
from thresher.documents.html import read_html
from thresher.documents.passages import first_words
from thresher.documents.plain import read_plain
from thresher.text.words import WORD_BORDER, is_unspaced, words

URL = "http://a.test/"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h1>Boats</h1><p>They <b>sail</b>, don't they? Yes.</p>", "Boats\nThey sail, don't they? Yes."),
        ("<p>One\n two<br>three<p>four", "One two\nthree\nfour"),
        ("<div>a <p>b</p> c</div>", "a\nb\nc"),
        ("<b>End.</b> <i>Next</i>", "End. Next"),
        ("sail<b>ors</b> <a href=/x>here</a>.", "sailors here."),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<table><tr><td>1<td>2</table>", "1\n2"),
        ("<p>soft\xadly</p><p hidden>no</p><script>no</script>", "softly"),
        ("<title>T</title>", ""),
        ("<my-box>one</my-box><my-box>two</my-box>", "one two"),
        ("<p>where <math><mi>x</mi><mo>=</mo><mrow><mn>2</mn></mrow></math> is small.</p>", "where x = 2 is small."),
        ("<p>Press <button>OK</button> to sail.</p>", "Press OK to sail."),
        ("<b>Price:</b> <i>$5</i> <i>(cheap)</i> <i>“yes”</i>!", "Price: $5 (cheap) “yes”!"),
        ("<a href=/a>日本</a>は<a href=/b>島国</a>である。", "日本|は|島国|である。"),
        ("l'<a href=/x>eau</a>, <a href=/y>Peter</a>’s stand-<a href=/z>alone</a>", "l'|eau, Peter|’s stand-|alone"),
    ],
)
def test_passages_of_html(markup: str, text: str) -> None:
    """A bar stands for a border of no width."""
    assert read_html(markup, URL).text == text.replace("|", WORD_BORDER)


def test_passages_of_plain_text_are_set_apart_by_blank_lines() -> None:
    assert read_plain("A line\nof many.\n \n\nAnother.").text == "A line of many.\nAnother."


def test_text_ends_with_the_words_that_are_read() -> None:
    page = read_html("<p>one two</p><p>three four</p>", URL, max_words=3)
    assert (page.words, page.text) == (["one", "two", "three"], "one two\nthree")
    assert read_plain("one two three", 2).text == "one two"
    assert read_plain("- - - - one two\n\n- - three four", 3).text == "- - - - one two\n- - three"
    assert read_plain("東京都の海", 2).text == "東京"


PIECES = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<a href=/x>",
    "</a>",
    "<br>",
    "word",
    "Two.",
    " ",
    "'",
    "(",
    ")",
    "é",
    "<td>",
    "-",
    "’",
    "東京",
    "\u0301",
    "\xad",
    "<wbr>",
    "\U0001f100",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_the_text_has_the_words_of_the_page(markup: str) -> None:
    page = read_html(markup, URL)
    assert words(page.text) == page.words


@given(st.lists(st.sampled_from(["say", "link", "end", "paragraph"]) | st.sampled_from(PIECES), max_size=30))
def test_the_text_of_a_file_has_its_words(said: list[str]) -> None:
    prose = TextCollector()
    does = {"link": lambda: prose.begin_link("/x"), "end": prose.end_link, "paragraph": prose.paragraph}
    for word in said:
        does.get(word, lambda word=word: prose.say(word))()
    page = prose.markup(URL, "T")
    assert words(page.text) == page.words


@given(st.text(st.sampled_from("ab京 \n-.'") | st.characters(), max_size=50).map(str.strip), st.integers(1, 10))
def test_first_words(text: str, number: int) -> None:
    found = first_words(text, number)
    assert text.startswith(found)
    assert len(words(found)) <= number
    if len(words(text)) <= number:
        assert found == text
    elif not any(map(is_unspaced, text)):
        # A run of several words without a blank may be cut in the midst of a word.
        whole = words(found)[:-1]
        assert whole == words(text)[: len(whole)]
