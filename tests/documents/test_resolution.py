"""References resolved by hand lead where the standard's parser leads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.documents.resolution import Resolver
from thresher.web.urls import MAX_URL, canonical

BASES = ["http://a.test/", "http://a.test/x", "https://b.test:8080/x/y/z.html?q/r#f", "http://u:p@a.test/~x/./%7ey/"]
BASES += ["http://a.test//x//y", "http://A.test./x/", "http://[::1]/x/", "http://a.test/x;y=1/z", "ftp://a.test/x/"]

PARTS = (
    "http:// https:// HTTP:// // / .. . ../ ./ ? # : @ %2e %41 \\ a B b.test xn-- 1 0x1 - é ' = & ; ~ index.html _ ! "
    "?utm_x=1 &fbclid=y &gclid mc_cid _hsenc mkt_tok=1 ?yclid=2 &igshid=z GCLSRC=1 &wbraid=2"
)


@given(st.sampled_from(BASES), st.lists(st.sampled_from([*PARTS.split(), " ", "\t"]), max_size=7).map("".join))
@settings(max_examples=600)
def test_any_reference(base: str, href: str) -> None:
    assert Resolver(base)(href) == canonical(href, base)


@pytest.mark.parametrize("up", range(6))
def test_steps_upwards(up: int) -> None:
    href = "../" * up + "z?q=1#f"
    assert Resolver("http://a.test/1/2/3/x")(href) == canonical(href, "http://a.test/1/2/3/x")


def test_what_is_too_long_leads_nowhere() -> None:
    resolve = Resolver("http://a.test/")
    assert resolve("/" + "x" * (MAX_URL - len("http://a.test/"))) is not None
    assert resolve("/" + "x" * (MAX_URL - len("http://a.test/") + 1)) is None
    assert Resolver("http://a.test/" + "x/" * 9000)("y") is None
