"""Decoding: who names the encoding, labels, the prescan, tables of the standard, guesses, and that nothing raises."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from resiliparse.parse.encoding import map_encoding_to_html5

from tests.machine import spending
from thresher.documents import decode
from thresher.documents.encodings import decode_as
from thresher.documents.labels import _NAMES, NAMES, encoding_for
from thresher.documents.prescan import charset_in, declared_encoding

META = b'<meta charset="iso-8859-2">'


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"\xef\xbb\xbf" + META, "text/html; charset=koi8-r", "utf-8"),
        (b"\xff\xfea\0", "text/html; charset=utf-8", "utf-16le"),
        (b"\xfe\xff\0a", None, "utf-16be"),
        (META, "text/html; charset=koi8-r", "koi8-r"),
        (META, "text/html; charset=nonsense", "iso-8859-2"),
        (META, "text/html", "iso-8859-2"),
        (META, None, "iso-8859-2"),
        (META, "text/plain", "windows-1252"),
        (b"plain", None, "windows-1252"),
        (b"", None, "windows-1252"),
        ("zürich".encode(), None, "utf-8"),
        (b"<p>x", "text/html; charset=utf-16", "utf-16le"),
        (b'<meta charset="utf-16">', None, "utf-8"),
        (b'<meta charset="utf-16be">', None, "utf-8"),
        (b'<meta charset="x-user-defined">', None, "windows-1252"),
        (b"x", "text/html; charset=x-user-defined", "x-user-defined"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "application/xhtml+xml", "iso-8859-2"),
        (b"<?xml version='1.0' encoding='utf-16'?><html>", None, "utf-8"),
        (b'<?xml version="1.0" encoding="iso-8859-5"?>' + META, None, "iso-8859-2"),
        (b"<\0?\0x\0m\0l\0", None, "utf-16le"),
        (b"\0<\0?\0x\0m\0l", None, "utf-16be"),
        (b"x", 'text/html;charset="UTF-8"', "utf-8"),
        (b"x", "text/html; charset=iso-2022-kr", "replacement"),
    ],
)
def test_who_names_the_encoding(body: bytes, content_type: str | None, expected: str) -> None:
    assert decode(body, content_type)[1] == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=latin1>", "windows-1252"),
        (b"<META  CHARSET = 'Shift_JIS' >", "shift_jis"),
        (b"<meta/charset=gbk>", "gbk"),
        (b'<meta charset=" utf-8 ">', "utf-8"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">', "euc-jp"),
        (b'<meta content="text/html; charset=euc-jp" http-equiv=content-type>', "euc-jp"),
        (b'<meta content="text/html; charset=euc-jp">', None),
        (b'<meta http-equiv=refresh content="text/html; charset=euc-jp">', None),
        (b'<meta charset=koi8-r http-equiv="Content-Type" content="text/html; charset=euc-jp">', "koi8-r"),
        (b'<meta charset="koi8-r" charset="euc-jp">', "koi8-r"),
        (b"<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"),
        (b"<metacharset=koi8-r>", None),
        (b"<meta name=x><meta charset=koi8-r>", "koi8-r"),
        (b"<!-- <meta charset=euc-jp> --><meta charset=koi8-r>", "koi8-r"),
        (b"<!--><meta charset=koi8-r>-->", "koi8-r"),
        (b"<!--><!-- <meta charset=koi8-r>", None),
        (b"<!-- <meta charset=koi8-r>", None),
        (b"<div title='<meta charset=euc-jp>'><meta charset=koi8-r>", "koi8-r"),
        (b"<div title='<meta charset=koi8-r>", None),
        (b"</p title='<meta charset=euc-jp>'><meta charset=koi8-r>", "koi8-r"),
        (b"<!doctype html><?php ?><meta charset=koi8-r>", "koi8-r"),
        (b"<1<meta charset=koi8-r>", "koi8-r"),
        (b"<!x <meta charset=euc-jp><meta charset=koi8-r>", "koi8-r"),
        (b"a < b <meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=koi8-r", None),
        (b"<meta charset='koi8-r>", None),
        (b"<script>var a='<meta charset=koi8-r>'</script>", "koi8-r"),
        (b"<a =b charset=euc-jp><meta = charset=koi8-r>", "koi8-r"),
        (b" " * 1000 + b"<meta charset=koi8-r>", "koi8-r"),
        (b" " * 1010 + b"<meta charset=koi8-r>", None),
        (b" " * 2000 + b"<meta charset=koi8-r>", None),
    ],
)
def test_prescan(head: bytes, expected: str | None) -> None:
    assert declared_encoding(head) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html; CHARSET = utf-8 ; x=y", "utf-8"),
        ("text/html;charset='koi8-r'", "koi8-r"),
        ("charset charset=koi8-r", "koi8-r"),
        ('charset="koi8-r', None),
        ("charset=", None),
        ("text/html; charset=x", None),
        ("", None),
    ],
)
def test_charset_of_a_content_type(value: str, expected: str | None) -> None:
    assert charset_in(value) == expected


def test_labels_agree_with_another_table() -> None:
    unknown = {"x-mac-cyrillic", "replacement", "x-user-defined"}
    for label, name in _NAMES.items():
        other = map_encoding_to_html5(label, False)
        if name not in unknown:
            mine = {"iso-8859-8-i": "iso-8859-8", "windows-874": "iso8859-11", "macintosh": "mac-roman"}.get(name, name)
            assert codecs.lookup(mine).name == codecs.lookup(other).name, label
    assert len(NAMES) == 40
    assert len(_NAMES) == 228
    assert encoding_for("utf-7") is None


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("windows-1252", b"\x80\x81\x9d\xff", "€\x81\x9dÿ"),
        ("windows-1253", b"\xaa\xd2\x88", "\ufffd\ufffd\x88"),
        ("windows-874", b"\xa1\x80\x81\xdb", "ก€\x81\ufffd"),
        ("windows-1255", b"\xca\xd9", "\u05ba\ufffd"),
        ("koi8-u", b"\xae\xbe\xa4", "ўЎє"),
        ("koi8-r", b"\xf0\xd2", "Пр"),
        ("iso-8859-8-i", b"\xf9\xec", "של"),
        ("iso-8859-7", b"\xa4", "€"),
        ("macintosh", b"\xdb\xf0", "€\uf8ff"),
        ("x-mac-cyrillic", b"\xff\xa2", "€Ґ"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("replacement", b"<script>", "\ufffd"),
        ("replacement", b"", ""),
        ("shift_jis", b"\x93\xfa\x96\x7b\xb1\x87\x40", "日本ｱ①"),
        ("shift_jis", b"\x81\x60", "～"),
        ("shift_jis", b"\x81<a>", "\ufffd<a>"),
        ("euc-jp", b"\xc6\xfc\xcb\xdc\x8e\xb1\xad\xa1", "日本ｱ①"),
        ("euc-jp", b"\xa1\xc1a\x8f\xb0\xa1\xff", "～a丂\ufffd"),
        ("euc-jp", b"\xa1<a>", "\ufffd<a>"),
        ("iso-2022-jp", b"a\x1b$BF|K\\-!\x1b(Bb\x1b(I1\x1b(J\\~", "a日本①bｱ¥‾"),
        ("iso-2022-jp", b"\x1b$BF|\nK\\K\x1b(B!", "日\ufffd本\ufffd!"),
        ("iso-2022-jp", b"\x1b$B\x1b(Ba\x1b$BF\x1bF|\x0e\x0f\x1b(B", "\ufffda\ufffd\ufffd日\ufffd\ufffd"),
        ("iso-2022-jp", b"\x1b<a>\x0e\x0f\x1b$B", "\ufffd<a>\ufffd\ufffd"),
        ("gbk", b"\xc4\xe3\x80\x81\x40", "你€丂"),
        ("gb18030", b"\x81\x30\x81\x30\xc4\xe3", "\x80你"),
        ("gbk", b"\xff<a>", "\ufffd<a>"),
        ("big5", b"\xa7\x41\x87\x40", "你䏰"),
        # Characters that Python's codecs do not know, or take for others.
        ("big5", b"\x87\x7a\x87\xdf\x87\x7e\x87\xa1", "㡵鿋㻬𥣞"),
        ("big5", b"\x8e\x69\x90\x6d\x92\xaf\x92\xb2\xfe\xdd", "箸都兙兞砉"),
        ("big5", b"\xa3\xc0\xa3\xe0\xa3\xe1", "␀␡€"),
        ("big5", b"\xa1\x45\xa1\x4e\xa1\xc2\xa1\xe3\xa1\xf2\xa1\xf3", "‧﹑¯～⊕⊙"),
        ("big5", b"\xa2\x44\xa2\x46\xa2\x47", "￥￠￡"),
        ("big5", b"\xa1\xfe\xa2\x41\xa2\x40\xa2\x42\xa1\x45", "／∕＼﹨‧"),
        ("big5", b"\x88\x62\x88\xa5", "Ê̄ê̌"),
        ("gbk", b"\xa3\xa0\xa8\xbc\xa6\xd9\xa6\xda\xa6\xf3", "\u3000ḿ︐︒︙"),
        ("gb18030", b"\xfe\x59\xfe\xa0\x81\x35\xf4\x37\x84\x31\x82\x36", "龴龻\ue7c7︐"),
        ("euc-jp", b"\x8f\xa2\xb7", "～"),
        ("shift_jis", b"\xa0\xfd\xff\x80", "\ufffd\ufffd\ufffd\x80"),
        # Bytes that belong together and mean nothing are one U+FFFD; ASCII is never swallowed.
        ("big5", b"\x81\x80\x81a\x81", "\ufffd\ufffda\ufffd"),
        ("euc-kr", b"\xc9\xfe\xc9<", "\ufffd\ufffd<"),
        ("shift_jis", b"\x81\xad\xfcz", "\ufffd\ufffdz"),
        (
            "gb18030",
            b"\x84\x31\xa5\x30\x81\x30\x81a\xff0\x81\x30",
            "\ufffd\ufffd0乤\ufffd0\ufffd",
        ),
        ("euc-jp", b"\xa1\x80\x8e\xe0\x8f\xa1\x80\x8f\xa1a\x8fa", "\ufffd\ufffd\ufffd\ufffda\ufffda"),
        ("euc-kr", b"\xc7\xd1\x81\x41", "한갂"),
        ("utf-16le", b"a\0\0\xd8b\0x", "a\ufffdb\ufffd"),
        ("utf-8", b"a\xf0\x90\x80b\xc0\xaf\xed\xa0\x80", "a\ufffdb\ufffd\ufffd\ufffd\ufffd\ufffd"),
    ],
)
def test_tables_of_the_standard(name: str, body: bytes, text: str) -> None:
    assert decode_as(body, name) == text


JAPANESE = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"
CHINESE = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. "


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        ("Все люди рождаются свободными и равными в своем достоинстве и правах. " * 5, "cp1251", {"windows-1251"}),
        (JAPANESE * 5, "cp932", {"shift_jis"}),
        (JAPANESE * 5, "euc_jp", {"euc-jp"}),
        (CHINESE * 5, "gb2312", {"gbk", "gb18030"}),
        (KOREAN * 5, "cp949", {"euc-kr"}),
        ("Größe und Übermut der schönen Straße, müde Füße. " * 9, "latin-1", {"windows-1252", "iso-8859-15"}),
    ],
)
def test_what_nobody_names_is_guessed(text: str, codec: str, expected: set[str]) -> None:
    decoded, name = decode(text.encode(codec), "text/html")
    assert name in expected
    assert decoded == text


types = st.one_of(st.none(), st.text(max_size=30), st.sampled_from(NAMES).map("charset={}".format))


@given(st.binary(max_size=300), types)
def test_any_bytes_decode_to_text_without_surrogates(body: bytes, content_type: str | None) -> None:
    text, name = decode(body, content_type)
    assert name in NAMES
    assert text.encode() is not None


@given(st.binary(max_size=200), st.sampled_from(NAMES))
def test_every_encoding_takes_any_bytes(body: bytes, name: str) -> None:
    assert decode_as(body, name).encode() is not None


EAST_ASIAN = ["big5", "gbk", "gb18030", "euc-kr", "shift_jis", "euc-jp"]


@given(st.binary(max_size=12), st.sampled_from(EAST_ASIAN))
def test_markup_is_never_part_of_a_character(body: bytes, name: str) -> None:
    assert decode_as(body + b"<>", name).endswith("<>")


@pytest.mark.slow
@pytest.mark.parametrize("name", EAST_ASIAN)
def test_bytes_that_mean_nothing_cost_little(name: str) -> None:
    for body in (b"\xff" * 500_000, b"\x81\x80" * 250_000, b"\xa2A" * 250_000, b"\x81\x30" * 250_000):
        with spending() as spent:
            decode_as(body, name)
        assert spent.seconds < 15


# What Python writes with codes that the standard gives to other characters is left out.
@given(
    st.text(st.characters(exclude_categories=["Cs", "Co"], exclude_characters="\u1e3f")),
    st.sampled_from(["utf-8", "utf-16le", "utf-16be", "gb18030"]),
)
def test_unicode_survives(text: str, name: str) -> None:
    body = text.encode({"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(name, name))
    if not body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(body, f"text/html; charset={name}") == (text, name)
