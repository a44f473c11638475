"""Checks which sites the examples of a topic come from: examples from one site also teach that site's style."""

from collections.abc import Sequence

from thresher.taxonomy.topic_tree import Taxonomy, written
from thresher.web.urls import site_of


def advice_on_sites(urls: Sequence[str]) -> str | None:
    """Return advice for a topic whose examples all come from one site; None if they do not.

    >>> advice_on_sites(["http://a.test/1", "http://a.test/2"])
    'All 2 training pages come from one site (a.test); two from another would help most.'
    >>> advice_on_sites(["http://a.test/1", "http://b.test/1"]) is None
    True
    """
    sites = {site_of(url) for url in urls}
    if len(urls) < 2 or len(sites) > 1:
        return None
    return f"All {len(urls)} training pages come from one site ({sites.pop()}); two from another would help most."


def topics_of_one_site(taxonomy: Taxonomy) -> dict[str, str]:
    """Return advice by path for each topic that needs it; the pages of topics below a topic count as its own."""
    examples: dict[str, dict[str, None]] = {}
    for path, topic in taxonomy.walk():
        for depth in range(1, len(path) + 1):
            examples.setdefault(written(path[:depth]), {}).update(dict.fromkeys(page.url for page in topic.pages))
    advice = {name: advice_on_sites(list(urls)) for name, urls in examples.items()}
    return {name: sentence for name, sentence in advice.items() if sentence is not None}
