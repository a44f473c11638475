"""Reads RTF (specification 1.9.1): text, hyperlink fields and metadata.

A state machine over control words: groups save and restore the state, destinations without text are skipped, bytes are
decoded by the code page of the file or the font, and `\\u` gives a character and says how many bytes to skip.
"""

import codecs
import re
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.documents.formats.extract import Extract, statements
from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import Limits, ReaderGaveUp
from thresher.documents.formats.prose import Enough, TextCollector
from thresher.reasons import Reason

MAX_DEPTH: Final = 1000
"""Maximum nesting of groups."""

_TOKEN: Final = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)", re.IGNORECASE
)
_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\s+(?:"([^"]+)"|(\S+))', re.IGNORECASE)
_SKIPPED: Final = frozenset([
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "revtbl", "rsidtbl", "generator", "pict",
    "object", "themedata", "xmlnstbl", "colorschememapping", "latentstyles", "datastore", "filetbl", "header",
    "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "mmathpr", "listpicture",
    "bkmkstart", "bkmkend", "shpinst", "nonshppict", "pgdsctbl", "pntext", "pntxta", "pntxtb", "userprops",
])  # fmt: skip
_BREAKS: Final = frozenset(["par", "row", "sect", "page", "line"])
_SIGNS: Final = {
    "tab": "\t", "cell": " ", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "column": " ",
}  # fmt: skip
_INFO: Final = frozenset(["title", "author", "subject", "operator", "keywords", "company"])
_TIMES: Final = {"creatim": "created", "revtim": "modified"}
_CHARSETS: Final = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_MAX_FONTS: Final = 10_000
_MAX_SAID: Final = 4096


class _State(Struct):
    """What a group inherits: where its text goes (text, skip, field, fonts, metadata), code page, bytes to skip."""

    goes: str = "text"
    page: str = "cp1252"
    passed: int = 1
    font: int = 0
    hidden: bool = False


class _Reader:
    """The state of reading one file."""

    def __init__(self, prose: TextCollector) -> None:
        self._prose = prose
        self._state = _State()
        self._stack: list[_State] = []
        self._links: list[int] = []
        self._to_pass = 0
        self._bytes = bytearray()
        self._half = 0
        self._star = False
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._instruction = ""
        self.said: dict[str, str] = {}

    def read(self, body: bytes) -> None:
        """Read a whole file."""
        at = 0
        while match := _TOKEN.match(body, at):
            at = match.end()
            word, number, byte, sign, brace, text = match.groups()
            if word is not None:
                at += self._word(word.decode("ascii").lower(), int(number) if number else None)
            elif byte is not None:
                self._byte(bytes([int(byte, 16)]))
            elif brace is not None:
                self._brace(brace)
            elif sign is not None:
                self._sign(sign)
            elif text is not None:
                self._byte(text)
            else:
                continue
            self._star = sign == b"*"
        self._flush()

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._to_pass = 0
        if brace == b"{":
            if len(self._stack) >= MAX_DEPTH:
                raise ReaderGaveUp(Reason.NESTED_TOO_DEEP, "its groups are nested too deeply")
            self._stack.append(replace(self._state))
        elif self._stack:
            if self._links and self._links[-1] == len(self._stack):
                self._links.pop()
                self._prose.end_link()
            self._state = self._stack.pop()

    def _word(self, word: str, number: int | None) -> int:
        """Handle a control word; return how many bytes after it to skip."""
        if word == "u" and number is not None:
            self._flush()
            self._say(self._unit(number))
            self._to_pass = self._state.passed
            return 0
        self._flush()
        if word == "bin":
            return max(number or 0, 0)
        self._to_pass = 0
        if self._destination(word):
            return 0
        if word in _BREAKS:
            if self._state.goes == "text":
                self._prose.paragraph()
        elif word in _SIGNS:
            self._say(_SIGNS[word])
        elif word == "ansicpg":
            self._default = self._state.page = _known(f"cp{number}")
        elif word == "uc":
            self._state.passed = min(max(number or 0, 0), 8)
        elif word == "v":
            self._state.hidden = number != 0
        elif word in ("f", "fcharset"):
            self._font(word, number or 0)
        elif word in ("yr", "mo", "dy", "hr", "min", "sec") and self._state.goes in _TIMES.values():
            self._time(word, number or 0)
        elif word in ("mac", "pc", "pca"):
            self._default = self._state.page = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}[word]
        return 0

    def _destination(self, word: str) -> bool:
        """Set where the text of the group goes from now on; return whether the word is a destination."""
        state = self._state
        if word == "fonttbl":
            state.goes = "fonts"
        elif word == "fldinst":
            state.goes, self._instruction = "field", ""
        elif word == "fldrslt":
            state.goes = "text" if state.goes != "skip" else "skip"
            found = _HYPERLINK.match(self._instruction)
            self._instruction = ""
            if found is not None:
                self._prose.begin_link(found[1] or found[2])
                self._links.append(len(self._stack))
        elif word == "info":
            state.goes = "info"
        elif state.goes == "info" and (word in _INFO or word in _TIMES):
            state.goes = _TIMES.get(word, word)
        elif word in _SKIPPED or self._star:
            state.goes = "skip"
        else:
            return False
        return True

    def _font(self, word: str, number: int) -> None:
        if word == "f":
            self._state.font = number
            if self._state.goes != "fonts":
                self._state.page = self._fonts.get(number, self._default)
        elif self._state.goes == "fonts" and len(self._fonts) < _MAX_FONTS and number in _CHARSETS:
            self._fonts[self._state.font] = self._default if number == 0 else _CHARSETS[number]

    def _time(self, word: str, number: int) -> None:
        parts = {"yr": f"{number:04}", "hr": f"T{number:02}:"}
        separated = {"mo": f"-{number:02}", "dy": f"-{number:02}", "min": f"{number:02}:", "sec": f"{number:02}"}
        name = self._state.goes
        self.said[name] = self.said.get(name, "") + (parts | separated)[word]

    def _sign(self, sign: bytes) -> None:
        self._flush()
        if sign in (b"\\", b"{", b"}"):
            self._byte(sign)
        elif sign in (b"~", b"_"):
            self._say(" " if sign == b"~" else "-")
        elif sign in (b"\n", b"\r") and self._state.goes == "text":
            self._prose.paragraph()

    def _byte(self, data: bytes) -> None:
        if self._to_pass:
            passed = min(self._to_pass, len(data))
            self._to_pass -= passed
            data = data[passed:]
        self._bytes += data

    def _flush(self) -> None:
        """Decode the collected bytes; a character may take several of them."""
        if self._bytes:
            text = codecs.decode(bytes(self._bytes), self._state.page, "replace")
            self._bytes.clear()
            self._say(text)

    def _unit(self, number: int) -> str:
        """Return the character of a 16-bit unit; the first half of a surrogate pair waits for the second."""
        unit = number & 0xFFFF
        if 0xD800 <= unit < 0xDC00:
            self._half = unit
            return ""
        half, self._half = self._half, 0
        if 0xDC00 <= unit < 0xE000:
            return chr(0x10000 + ((half - 0xD800) << 10) + unit - 0xDC00) if half else ""
        return chr(unit)

    def _say(self, text: str) -> None:
        goes = self._state.goes
        if goes == "text":
            if not self._state.hidden:
                self._prose.say(text)
        elif goes == "field":
            self._instruction = (self._instruction + text)[:_MAX_SAID]
        elif goes in _INFO:
            self.said[goes] = (self.said.get(goes, "") + text)[:_MAX_SAID]


def read_rtf(body: bytes, url: str, limits: Limits) -> Extract:
    """Read an RTF file; raise Refusal if it is not RTF or is nested too deeply.

    >>> read_rtf(rb"{\\rtf1\\ansi Boats \\'e0 voile\\par}", "http://a.test/", Limits()).markup.words
    ['Boats', 'à', 'voile']
    """
    if not body.lstrip()[:6].lower().startswith(b"{\\rtf"):
        raise ReaderGaveUp(Reason.UNREADABLE, "it is not RTF")
    prose = TextCollector(limits.words, limits.links)
    reader = _Reader(prose)
    with suppress(Enough):
        reader.read(body)
    said = reader.said
    about = statements(
        author=said.get("author", ""), created=said.get("created", ""), modified=said.get("modified", "")
    )
    return Extract(prose.markup(url, said.get("title", "")), about)


def _known(page: str) -> str:
    """Return a code page that can be decoded: the Western one if this one is unknown."""
    try:
        return codecs.lookup(page).name
    except LookupError:
        return "utf-8" if page == "cp65001" else "cp1252"


RTF: Final = Format(
    name="application/rtf",
    aliases=("application/x-rtf", "text/rtf", "text/richtext"),
    endings=(".rtf",),
    largest=10_000_000,
    begins=(b"{\\rtf",),
    recognises=lambda head: head.lstrip().lower().startswith(b"{\\rtf"),
    text=read_rtf,
)
