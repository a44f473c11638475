"""Page layouts: five combinations of title, navigation, text and footer, from tidy to careless.

Each layout is a template with the same fields; `Style` has the markup habits that vary by page.
"""

from random import Random
from typing import Final, NamedTuple

_TABLE: Final = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html lang="{language}"><head>{meta}<title>{title}</title>
<style type="text/css">td.side {{ width: 160px; vertical-align: top }} .note {{ color: #777 }}</style></head>
<body bgcolor="#ffffff"><table width="100%" border="0"><tr><td colspan="2"><h1>{heading}</h1></td></tr>
<tr><td class="side">{navigation}{search}</td><td>{main}</td></tr>
<tr><td colspan="2" class="note">{footer}</td></tr></table>{end}"""

_ARTICLE: Final = """<!doctype html>
<html lang="{language}">
<head>{meta}<title>{title}</title><link rel="stylesheet" href="data:text/css,">
<script>var site = {{ ready: false, words: "none of this is text" }};</script></head>
<body><header><p class="brand">{brand}</p><nav>{navigation}</nav>{search}</header>
<main><article><h1>{heading}</h1>{main}</article></main>
<footer>{footer}</footer>{end}"""

_OLD: Final = """<HTML><HEAD>{meta}<TITLE>{title}</TITLE></HEAD>
<BODY TEXT=#000000 LINK=#0000cc><CENTER><FONT SIZE="+3"><B>{heading}</B></FONT><BR>{navigation}</CENTER><HR>
{main}<HR>{search}<FONT SIZE="-1">{footer}</FONT>{end}"""

_ENCYCLOPAEDIA: Final = """<!DOCTYPE html>
<html lang="{language}"><head>{meta}<title>{title}</title></head>
<body class="page"><div id="content"><h1 id="top">{heading}</h1><div class="body">{main}</div></div>
<div id="column"><div class="box"><h3>{brand}</h3>{navigation}</div><div class="box">{search}</div></div>
<div id="footer">{footer}</div><!-- served from the second rack -->{end}"""

_PLAIN: Final = """<html><head>{meta}<title>{title}</title><body>
<h2>{heading}</h2>{main}{navigation}<p><small>{footer}</small>{end}"""

_LAYOUTS: Final = (_TABLE, _ARTICLE, _OLD, _ENCYCLOPAEDIA, _PLAIN)
_BROKEN: Final = 0.25


class Style(NamedTuple):
    """Habits of one page's markup; `quote` surrounds attribute values, and `broken` pages lack end tags and nesting."""

    quote: str
    broken: bool
    p_end: str
    li_end: str
    cell_end: str
    end: str


_TIDY: Final = Style('"', False, "</p>", "</li>", "</td>", "\n</body></html>\n")
_BROKEN_STYLES: Final = (
    Style("", True, "", "", "", ""),
    Style("'", True, "</p>", "", "</td>", "</div></body>"),
    Style('"', True, "", "</li>", "", "</b></html>"),
    Style("", True, "</p></i>", "</li>", "</td>", "</table>"),
)


def choose_style(rng: Random) -> Style:
    """Return tidy habits for most pages, and careless ones for a quarter."""
    draw = rng.random()
    return _TIDY if draw >= _BROKEN else _BROKEN_STYLES[int(draw / _BROKEN * len(_BROKEN_STYLES))]


def lay_out(layout: int, **fields: str) -> str:
    """Return a whole page; the fields are those of the templates above, all in HTML."""
    return _LAYOUTS[layout].format(**fields)
