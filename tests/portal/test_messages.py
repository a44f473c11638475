"""The catalogues say the same things, and nothing is said outside of them."""

import ast
import re
import string
from html.parser import HTMLParser
from pathlib import Path

import pytest

from thresher.portal.messages import LANGUAGES, messages_in, preferred

PORTAL = Path(__file__).parents[2] / "src" / "thresher" / "portal"
TEMPLATES = sorted((PORTAL / "templates").glob("*.html"))
LITERAL = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_]+)["']\s*[,)]""")
IN_CODE = re.compile(
    r"""["']((?:error|propose|feedback|account|new|search|order|sure|when|kind|review|manage)\.[a-z_]+)["']"""
)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_all_languages_have_the_same_messages_with_the_same_places(language: str) -> None:
    ours, english = messages_in(language), messages_in("en")
    assert ours.keys() == english.keys()
    for key in sorted(english.keys()):
        wanted = set().union(*(places(text) for text in english.forms(key)))
        assert set().union(*(places(text) for text in ours.forms(key))) == wanted, key
        assert all(text.strip() for text in ours.forms(key)), key


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_every_message_a_template_names_is_in_the_catalogue(template: Path) -> None:
    known = messages_in("en")
    for key in LITERAL.findall(template.read_text("utf-8")):
        assert known.has(key), key


def test_every_message_the_code_names_is_in_the_catalogue() -> None:
    known = messages_in("en")
    for file in PORTAL.rglob("*.py"):
        for key in IN_CODE.findall(file.read_text("utf-8")):
            assert known.has(key) or key.endswith(".html"), f"{file.name}: {key}"


class Words(HTMLParser):
    """Collects the words of a template that stand outside of the catalogue."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._code += tag in ("code", "pre", "kbd")
        self.found += [
            value or "" for name, value in attrs if name in ("title", "placeholder", "alt", "aria-label") and value
        ]

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag in ("code", "pre", "kbd")

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.found.append(data)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_says_a_word_of_its_own(template: Path) -> None:
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", template.read_text("utf-8"), flags=re.DOTALL)
    reader = Words()
    reader.feed(re.sub(r"&[a-z]+;", "", text))
    said = [word for part in reader.found for word in re.findall(r"[A-Za-z]{2,}", part)]
    assert [word for word in said if word not in ("https", "openapi", "json", "opensearch", "xml")] == []


def test_no_sentence_stands_in_the_code() -> None:
    """A text with three words in a row that is no docstring is something a reader would see."""
    allowed = re.compile(
        r"thresher form|<|SELECT|default-src|sandbox;|attachment;|camera=|public, max-age|Cookie, Accept"
    )
    for file in PORTAL.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                child.parent = node  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if isinstance(getattr(node, "parent", None), ast.Expr) or allowed.search(node.value):
                continue
            if file.name in ("security.py", "serving.py", "workers.py"):
                continue  # Said before a language is known, or to a terminal.
            assert not re.search(r"[A-Za-z]+ [a-z]+ [a-z]+", node.value), f"{file.name}: {node.value!r}"


def test_values_are_escaped_and_numbers_written_as_the_language_does() -> None:
    assert str(messages_in("en").say("search.in_topic", topic="<b>")) == "Search in &lt;b&gt;"
    assert str(messages_in("de").say("count.pages", n=1234)) == "1.234 Seiten"
    assert str(messages_in("de").say("count.pages", n=1)) == "1 Seite"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [("de-DE,de;q=0.9,en;q=0.8", "de"), ("en, de", "en"), ("", "en"), ("fr;q=1, de;q=0", "en"), ("," * 5000, "en")],
)
def test_the_browser_chooses_the_language(accept: str, chosen: str) -> None:
    assert preferred(accept) == chosen
