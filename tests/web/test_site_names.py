"""What counts as a site, and where it begins."""

import pytest

from thresher.web.site_names import home_of, is_home, site_of


@pytest.mark.parametrize(
    ("url", "unit", "site", "home"),
    [
        ("http://www.boats.test/x/y.html", "auto", "boats.test", "http://www.boats.test/"),
        ("https://boats.test:8443/", "auto", "boats.test", "https://boats.test:8443/"),
        ("http://shop.boats.co.uk/x", "auto", "shop.boats.co.uk", "http://shop.boats.co.uk/"),
        ("http://shop.boats.co.uk/x", "domain", "boats.co.uk", "http://boats.co.uk/"),
        ("http://ann.github.io/boats/", "auto", "ann.github.io", "http://ann.github.io/"),
        ("http://www.ann.blogspot.com/1", "auto", "ann.blogspot.com", "http://www.ann.blogspot.com/"),
        ("http://uni.test/~ann/x.html", "auto", "uni.test/~ann", "http://uni.test/~ann/"),
        ("http://uni.test/~ann/x.html", "host", "uni.test", "http://uni.test/"),
        (
            "http://sites.google.com/view/ann/x",
            "auto",
            "sites.google.com/view/ann",
            "http://sites.google.com/view/ann/",
        ),
        ("http://medium.com/", "auto", "medium.com", "http://medium.com/"),
        ("http://a.test/b/c/d", "path", "a.test/b", "http://a.test/b/"),
        ("http://127.0.0.1:8000/x", "auto", "127.0.0.1", "http://127.0.0.1:8000/"),
        ("http://www.test/", "auto", "www.test", "http://www.test/"),
    ],
)
def test_sites_and_their_homes(url: str, unit: str, site: str, home: str) -> None:
    assert site_of(url, unit) == site  # type: ignore[arg-type]
    assert home_of(url, site) == home
    assert site_of(home, unit) == site  # type: ignore[arg-type]


def test_home_pages_are_known_by_their_addresses() -> None:
    assert is_home("http://a.test/", "a.test")
    assert is_home("http://a.test/Default.aspx", "a.test")
    assert is_home("http://a.test/~ann/index.html", "a.test/~ann")
    assert not is_home("http://a.test/~bob/", "a.test/~ann")
    assert not is_home("http://a.test/x/", "a.test")
