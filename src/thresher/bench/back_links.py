"""Training on link contexts: the words around links that lead to the examples (Pant and Srinivasan, section 10.4).

`FlatClassifier.fit_bags` learns from these bags as it does from whole pages, so that training and use see contexts of
the same size; the study found it no better than training on whole pages.
"""

from collections.abc import Iterable

from thresher.strategies.contexts import PageStems, text_window
from thresher.types import Page

Bags = dict[str, list[dict[str, int]]]


def windows_to(urls: Iterable[str], pages: Iterable[Page], size: int = 40) -> Bags:
    """Return for each URL the stems around every link to it, `size` words and the anchor, in the order of the pages.

    A page's links to itself do not count; a URL that no page links to has an empty list.

    >>> from thresher.documents import read
    >>> page = read(b"<p>Fast <a href='/x'>boats</a> float", "text/html", "http://a.test/")
    >>> windows_to(["http://a.test/x"], [page])
    {'http://a.test/x': [{'fast': 1, 'boat': 1, 'float': 1}]}
    """
    found: Bags = {url: [] for url in urls}
    for page in pages:
        links = [link for link in page.links if link.url in found and link.url != page.url]
        if not links:
            continue
        stems, words = PageStems(page.words, page.language), len(page.words)
        for link in links:
            found[link.url].append(dict(stems.bag(text_window(link, words, size))))
    return found
