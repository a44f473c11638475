"""Where redirects led, as ids."""

from collections.abc import Iterable, Iterator

from thresher.web.urls import canonical, url_id


def redirect_targets(visits: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield (id, id of the target) of URLs from (id, target as the server named it), oldest first: the newest counts.

    Targets that are no addresses, and the URL itself, lead nowhere.

    >>> here, there = url_id("http://a.test/1"), url_id("http://b.test/")
    >>> list(redirect_targets([(here, "http://a.test/1"), (here, "HTTP://b.test")])) == [(here, there)]
    True
    """
    for id_, address in dict(visits).items():
        url = canonical(address)
        if url is not None and (target := url_id(url)) != id_:
            yield id_, target
