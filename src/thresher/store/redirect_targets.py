"""The targets of redirects, as ids."""

from collections.abc import Iterable, Iterator

from thresher.web.urls import canonical, url_id


def redirect_targets(visits: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield (id, target id) of URLs, given (id, target as sent by the server), oldest first; the newest counts.

    Invalid targets and redirects to the same URL are skipped.

    >>> here, there = url_id("http://a.test/1"), url_id("http://b.test/")
    >>> list(redirect_targets([(here, "http://a.test/1"), (here, "HTTP://b.test")])) == [(here, there)]
    True
    """
    for id_, address in dict(visits).items():
        url = canonical(address)
        if url is not None and (target := url_id(url)) != id_:
            yield id_, target
