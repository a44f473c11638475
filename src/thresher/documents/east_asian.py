"""East Asian encodings according to the Encoding Standard, for which Python's codecs differ.

The codecs do most of the work. Wrong characters are corrected afterwards, and if a codec fails, `_resume` decodes the
bytes according to the standard: a character the codec does not know, or U+FFFD for the bytes that belong together.
"""

import codecs
import re
from functools import lru_cache
from typing import Final

_RESUME: Final = "thresher-resume"
_UNKNOWN: Final = "\ufffd"

_BIG5: Final = (
    "877A㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄"
    "𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 "
    "8E69箸 8E6F簆 8E7E糎 8EAB緒 8EB4縝 8ECD者 8ED0耨 8F57菁 8F69蒨 8F6E萏 8FCB覦覩 "
    "8FFE起 906D都 907A銹 90DC靜 90F1響 91BF鼖 9244蔃 92AF兙兛兝兞 92C8鍮 92D1瑹 9447浧 "
    "94CA禛 95D9邗 9644靝 96ED瀞 96FC嬨 9B76爁 9B78矗 9B7B纇 9BC6駖 9BDE釔 9BEC惞 "
    "9BF6澶 9C42輶 9C53侻 9C62營 9C68鄄 9C6B鷰 9C77菏 9CBC尐秣 9CD0婧 9D57輋 9D5A筑 "
    "9DC4拐 9EA9恢 9EEF痹 9EFD汊 9F60鬮 9F66鼗 9FCB僭 9FD8弌 A063蠏 A077拎 A0D5瑨 "
    "A0DF煢 A0E4牐 A3C0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ C6CF廴 C6D3无 C6D5癶 "
    "C6D7隶 C6DE〃仝 FA5F倩 FA66偽 FABD包 FAC5卄 FAD5卿 FB48嘅 FBB8婷 FBF3幵 FBF9廐 "
    "FC4F彘 FC6C悤 FCB9撐 FCE2晴 FCF1杞 FDB7沜渝 FDBB港 FDF1煮 FE52猪 FE6F瑜 FEAA瓩 "
    "FEDD砉 "
)
"""Characters of Big5 that the codec does not know, in runs: the code of the first character, then all characters."""

_OTHERS: Final[dict[str, dict[int, str]]] = {
    "big5hkscs": {
        0x2022: "‧",
        0xFF64: "﹑",
        0x203E: "¯",
        0x223C: "～",
        0x2641: "⊕",
        0x2609: "⊙",
        0xA5: "￥",
        0xA2: "￠",
        0xA3: "￡",
    },
    "gb18030": {
        0xE5E5: "\u3000",
        0xE7C7: "\u1e3f",
        0x1E3F: "\ue7c7",
        **dict(zip(range(0xE78D, 0xE797), "︐︒︑︓︔︕︖︗︘︙", strict=True)),
        0xE81E: "龴",
        0xE826: "龵",
        0xE82B: "龶",
        0xE82C: "龷",
        0xE832: "龸",
        0xE843: "龹",
        0xE854: "龺",
        0xE864: "龻",
    },
    "cp932": dict.fromkeys(range(0xF8F0, 0xF8F4), _UNKNOWN),
    "cp949": {},
}
"""Correct characters by the ones that the codec returns."""

_WRONG: Final = {
    codec: re.compile("[" + "".join(map(chr, others)) + "]") for codec, others in _OTHERS.items() if others
}
_LEADS: Final = frozenset(range(0x81, 0xFF))
_SHIFT_JIS_LEADS: Final = frozenset([*range(0x81, 0xA0), *range(0xE0, 0xFD)])
_SLASHES: Final = {b"\xa2A": "∕", b"\xa2B": "﹨"}
_BIG5_PARTS: Final = re.compile(rb"(\xa2[AB])|[\x81-\xfe][\x40-\xfe]|[^\x81-\xfe]+|.", re.DOTALL)
_EUC: Final = re.compile(
    rb"([\x00-\x7f]+)|([\xa1-\xfe]{2})|\x8e([\xa1-\xdf])|(\x8f[\xa1-\xfe]{2})"
    rb"|\x8f[\xa1-\xfe][\x80-\xff]?|[\x8e\x8f\xa1-\xfe][\x80-\xff]?|.",
    re.DOTALL,
)
_JIS_SHIFTS: Final = re.compile(rb"\x1b(\$[@B]|\([BJI])")
_JIS_PAIRS: Final = re.compile(rb"([!-~]{2})|[!-~](?=\x1b|\Z)|[!-~]?.", re.DOTALL)
_SHIFTS: Final = dict.fromkeys((0x0E, 0x0F, 0x1B), _UNKNOWN)
_ROMAN: Final = str.maketrans("\\~", "¥‾")


def decode_pairs(body: bytes, codec: str) -> str:
    """Decode with one of Python's codecs (big5hkscs, gb18030, cp932 or cp949) according to the standard.

    >>> decode_pairs(b"\\xa3\\xe1", "big5hkscs"), decode_pairs(b"\\x80", "gb18030")
    ('€', '€')
    """
    if codec == "big5hkscs" and any(pair in body for pair in _SLASHES):
        return _with_slashes(body)
    text = body.decode(codec, _RESUME)
    wrong = _WRONG.get(codec)
    return text.translate(_OTHERS[codec]) if wrong is not None and wrong.search(text) else text


def _with_slashes(body: bytes) -> str:
    """Decode Big5, including two characters that the codec confuses with others."""
    parts, start = [], 0
    for found in _BIG5_PARTS.finditer(body):
        if found[1]:
            parts += [_big5(body[start : found.start()]), _SLASHES[found[1]]]
            start = found.end()
    return "".join((*parts, _big5(body[start:])))


def _big5(body: bytes) -> str:
    return body.decode("big5hkscs", _RESUME).translate(_OTHERS["big5hkscs"])


@lru_cache(maxsize=1)
def _missing_from_big5() -> dict[bytes, str]:
    found = {}
    for run in _BIG5.split():
        lead, trail = bytes.fromhex(run[:4])
        for char in run[4:]:
            found[bytes([lead, trail])] = char
            trail = 0xA1 if trail == 0x7E else trail + 1
    return found


def _resume(error: UnicodeError) -> tuple[str, int]:
    """Return the text for bytes that a codec failed on, and where to continue.

    According to the standard, a lead byte never swallows an ASCII byte.
    """
    assert isinstance(error, UnicodeDecodeError)
    data, at, codec = error.object, error.start, error.encoding
    pair = data[at : at + 2]
    if codec == "big5hkscs" and pair in _missing_from_big5():
        return _missing_from_big5()[pair], at + 2
    if codec == "gb18030":
        if pair[0] == 0x80:
            return "€", at + 1
        if pair[0] != 0xFF and 0x30 <= pair[-1] <= 0x39:
            return _UNKNOWN, at + _length_of_four(data[at : at + 4])
    is_lead = pair[0] in (_SHIFT_JIS_LEADS if codec == "cp932" else _LEADS)
    return _UNKNOWN, at + (2 if is_lead and len(pair) == 2 and pair[1] >= 0x80 else 1)


def _length_of_four(code: bytes) -> int:
    """Return how many bytes belong together that begin like a four-byte code but are not one."""
    whole = len(code) < 3 or (0x81 <= code[2] <= 0xFE and (len(code) < 4 or 0x30 <= code[3] <= 0x39))
    return len(code) if whole else 1


codecs.register_error(_RESUME, _resume)


@lru_cache(maxsize=1)
def _jis() -> dict[bytes, str]:
    """Return the characters of JIS X 0208 with the vendor extensions, by their EUC pairs."""
    table = {}
    for row in range(94):
        for cell in range(94):
            high = row // 2 + (0x81 if row < 62 else 0xC1)
            low = cell + 0x9F if row % 2 else cell + 0x40 + (cell >= 63)
            char = bytes([high, low]).decode("cp932", "replace")
            if len(char) == 1 and char != _UNKNOWN:
                table[bytes([row + 0xA1, cell + 0xA1])] = char
    return table


def decode_euc_jp(body: bytes) -> str:
    """Decode EUC-JP.

    >>> decode_euc_jp(b"\\xc6\\xfc\\xcb\\xdc")
    '日本'
    """
    jis = _jis()
    out = []
    for ascii_run, pair, kana, triple in _EUC.findall(body):
        if ascii_run:
            out.append(ascii_run.decode("ascii"))
        elif pair:
            out.append(jis.get(pair, _UNKNOWN))
        elif kana:
            out.append(chr(0xFEC0 + kana[0]))
        elif triple:
            out.append("～" if triple == b"\x8f\xa2\xb7" else triple.decode("euc_jp", "replace")[:1])
        else:
            out.append(_UNKNOWN)
    return "".join(out)


def decode_iso_2022_jp(body: bytes) -> str:
    """Decode ISO-2022-JP, whose escapes shift between alphabets; a shift right after another one is an error.

    >>> decode_iso_2022_jp(b"\\x1b$BF|\\x1b(B!")
    '日!'
    """
    jis = _jis()
    first, *rest = _JIS_SHIFTS.split(body)
    out = [_latin(first)]
    for place, (shift, run) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
        if place and not rest[2 * place - 1]:
            out.append(_UNKNOWN)
        if shift == b"(I":
            out.append("".join(chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else _UNKNOWN for byte in run))
        elif shift.startswith(b"$"):
            pairs = _JIS_PAIRS.findall(run)
            out.append("".join(jis.get(bytes(byte | 0x80 for byte in pair), _UNKNOWN) for pair in pairs))
        else:
            out.append(_latin(run).translate(_ROMAN) if shift == b"(J" else _latin(run))
    return "".join(out)


def _latin(run: bytes) -> str:
    """Decode a run of ASCII without shifts, which may hide markup from other programs."""
    return run.decode("ascii", "replace").translate(_SHIFTS)
