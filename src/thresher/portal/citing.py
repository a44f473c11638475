"""Formats a page as a reference: BibTeX, RIS, or a line of text."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

_TEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Citation(Struct, frozen=True, kw_only=True):
    """The fields of a reference to a page; `year` and `author` are empty if unknown."""

    name: str
    title: str
    url: str
    site: str
    seen: float
    author: str = ""
    year: str = ""


def bibtex(references: Iterable[Citation]) -> str:
    """Return references in BibTeX.

    >>> print(bibtex([Citation(name="ff", title="Tea & {cake}", url="http://a.test/b_c", site="a.test", seen=0.0)]))
    @misc{ff,
      title = {Tea \\& \\{cake\\}},
      howpublished = {a.test},
      url = {http://a.test/b_c},
      urldate = {1970-01-01}
    }
    <BLANKLINE>
    """
    return "".join(_bibtex(found) for found in references)


def _bibtex(found: Citation) -> str:
    fields = [
        ("author", _tex(found.author)),
        ("title", _tex(found.title)),
        ("year", _tex(found.year)),
        ("howpublished", _tex(found.site)),
        ("url", re.sub(r"[{}\\]", lambda odd: f"%{ord(odd[0]):02X}", _line(found.url))),
        ("urldate", _day(found.seen)),
    ]
    inside = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields if value)
    return f"@misc{{{re.sub('[^A-Za-z0-9]', '', found.name)},\n{inside}\n}}\n"


def ris(references: Iterable[Citation]) -> str:
    """Return references in RIS, the format of reference managers."""
    return "".join(_ris(found) for found in references)


def _ris(found: Citation) -> str:
    fields = [
        ("TY", "ELEC"),
        ("AU", _line(found.author)),
        ("TI", _line(found.title)),
        ("PY", _line(found.year)),
        ("PB", _line(found.site)),
        ("UR", _line(found.url)),
        ("Y2", _day(found.seen).replace("-", "/")),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in fields if value) + "ER  - \r\n"


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in _line(text))


def _line(text: str) -> str:
    """Return a text as one line, because a line break would start a new field."""
    return _BREAKS.sub(" ", text).strip()


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
