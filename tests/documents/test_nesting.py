"""The guard before the parser: what it refuses the parser could not bear, what it passes the parser does quickly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.machine import spending
from thresher.documents.nesting import MAX_TAGS, is_too_deep

N = 20_000

HOSTILE = {
    **{tag: f"<{tag}>" * N for tag in ["div", "b", "font", "span", "section", "ul", "blockquote", "x-y", "svg", "rt"]},
    "upper": "<DIV>" * N,
    "attributes": "<div class='a>b'>" * N,
    "table": "<table><tr><td>" * N,
    "list": "<ul><li>" * N,
    "closed at the end": "<div>" * N + "</div>" * N,
    "closers in comments": "<div><!--</div>-->" * N,
    "closers in odd comments": "<div><!-- > </div> --!>" * N,
    "closers in attributes": '<div title="</div>">' * N,
    "closers in text areas": "<div><textarea></div></textarea>" * N,
    "closers in scripts": "<div><script>'</div>'</script>" * N,
    "closers of others": "<div></span></b></p></td>" * N,
    "closers beyond a cell": "<div><table><tr><td></div></table>" * N,
    "closers beyond a block": "<span><div></span></div>" * N,
    "closers of graphics": "<svg><div></svg>" * N,
    "formatting misnested": "<b><div></b>" * N,
    "formatting in paragraphs": "".join(f"<p><b id={i}>x" for i in range(3000)),
    "formatting in blocks": "".join(f"<div><font id={i}>x</div>" for i in range(3000)),
    "formatting then paragraphs": "<p>" + "".join(f"<i id={i}>" for i in range(1000)) + "<p>x" * 2000,
    "attributes of one tag": "<div " + " ".join(f"a{i}" for i in range(N)) + ">",
    "quoted attributes of one tag": "<div " + "".join(f'a{i}=">"' for i in range(N)) + ">",
    "attributes among tags": "<br>" * MAX_TAGS + "<div " + " ".join(f"a{i}" for i in range(N)) + ">",
}

ORDINARY = {
    "paragraphs": "<p>text" * N,
    "items": "<ul>" + "<li>text" * N,
    "items with blocks": "<ul>" + "<li><div><b>text</b></div>" * N,
    "nested lists": "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>" * 5000,
    "definitions": "<dl>" + "<dt>a<dd>b" * N,
    "cells": "<table>" + "<tr><td>a<td>b" * N,
    "cells with formatting": "<table>" + "".join(f"<tr><td><font color={i}>a" for i in range(N)),
    "nested tables": "<table><tr><td><table><tr><td>x</table></table>" * 5000,
    "options": "<select>" + "<option>x" * N,
    "breaks": "text<br>" * N,
    "images": "<img src=x alt='a > b'>" * N,
    "links": "<a href=x>y" * N,
    "paragraphs with formatting": "<p><font size=2>text" * N,
    "misnested formatting": "<b><i>text</b></i>" * N,
    "formatting around blocks": "<b><div>text</b></div>" * N,
    "headings": "<h1>a<h2>b</h2>" * N,
    "comments": "<!-- <div> -->" * N,
    "scripts with tags": "<script>document.write('<div><div>')</script>" * 10_000,
    "graphics": "<svg><g><path/></g></svg>" * 10_000,
    "comparisons": "a < b > c " * N,
    "ruby": "<ruby>a<rt>b<rp>c</ruby>" * 10_000,
    "deep but small": "<div>" * 3000,
    "long attribute": "<div data-x='" + "word " * N + "'>",
    "inline": "<span><b>x</b></span>" * N,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_refused_in_little_time(name: str) -> None:
    with spending() as spent:
        assert is_too_deep(HOSTILE[name])
    assert spent.seconds < 4


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_broken_pages_pass_and_are_parsed_in_little_time(name: str) -> None:
    with spending() as spent:
        assert not is_too_deep(ORDINARY[name])
        LexborHTMLParser(ORDINARY[name], scripting=True, options=1)
    assert spent.seconds < 6


TAGS = ["div", "p", "b", "i", "font", "li", "ul", "table", "tr", "td", "span", "a", "h1", "svg", "g", "option", "br"]
TAGS += ["select", "button", "script", "textarea", "object", "form", "dd", "dl", "ruby", "rt", "template", "hr", "x-y"]
TAGS += ["!--"]
piece = st.tuples(st.sampled_from(["<", "</"]), st.sampled_from(TAGS), st.sampled_from(["", " id=1", " x='>'"])).map(
    lambda p: f"{p[0]}{p[1]}{p[2]}>"
)


@pytest.mark.slow
@given(st.lists(piece, min_size=1, max_size=8).map("".join))
@settings(max_examples=40)
def test_whatever_passes_is_parsed_in_little_time(some: str) -> None:
    text = some * (200_000 // len(some))
    with spending() as spent:
        if not is_too_deep(text):
            LexborHTMLParser(text, scripting=True, options=1)
    assert spent.seconds < 6


@given(st.text(st.sampled_from("<>/!-='\" abdivp"), max_size=200))
def test_any_text_is_judged(text: str) -> None:
    assert is_too_deep(text * 100) in (True, False)
