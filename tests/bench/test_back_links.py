"""The words around links that lead to the examples."""

from thresher.bench.back_links import windows_to
from thresher.documents import read


def test_windows_around_back_links() -> None:
    filler = "grass " * 30
    text = f"<p>{filler} <a href='/x'>boats</a> float {filler} <a href='/x'>ships</a> <a href='/a'>trees</a>"
    page = read(text.encode(), "text/html", "http://a.test/a")
    found = windows_to(["http://a.test/x", "http://a.test/a", "http://a.test/none"], [page], size=4)
    # At the end of the page the words before a link take the place of those behind it.
    assert found["http://a.test/x"] == [{"grass": 3, "boat": 1, "float": 1}, {"grass": 3, "ship": 1, "tree": 1}]
    assert found["http://a.test/a"] == found["http://a.test/none"] == []
