"""Forecasts how many pages will be fetched, and roughly how long that takes at polite rates."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from thresher.config.settings import MannersSettings
from thresher.store.protocol import Store
from thresher.web.robots import rules_for
from thresher.web.urls import host_of, origin_of
from thresher.web.user_agent import TOKEN

EXCHANGE: Final = 1.0
"""Estimated duration of a request, in seconds."""


def seconds_for(store: Store, urls: Sequence[str], manners: MannersSettings) -> float:
    """Estimate how many seconds it takes to fetch some URLs: the slowest host decides.

    A host gets one request at a time and then rests for our delay or the one in its robots.txt; unknown robots.txt
    files have to be fetched first.
    """
    requests: Counter[str] = Counter()
    for origin, pages in Counter(map(origin_of, urls)).items():
        requests[host_of(origin)] += pages + (store.hosts.robots(origin) is None and manners.robots)
    delays = delays_of(store, urls, manners)
    at_once = {host: 1 if delay else manners.per_host for host, delay in delays.items()}
    return max((number * (EXCHANGE + delays[host]) / at_once[host] for host, number in requests.items()), default=0.0)


def delays_of(store: Store, urls: Sequence[str], manners: MannersSettings) -> dict[str, float]:
    """Return the seconds that each host of some URLs rests after a request: our delay, or a longer one it asks for.

    What a robots.txt asks for counts once it has been fetched.
    """
    delays: dict[str, float] = {}
    for origin in dict.fromkeys(map(origin_of, urls)):
        host, known = host_of(origin), store.hosts.robots(origin)
        asked = rules_for(known.status, known.body, TOKEN).crawl_delay if known is not None else None
        delays[host] = max(manners.delay, min(asked or 0.0, manners.max_delay), delays.get(host, 0.0))
    return delays


def fetching(store: Store, urls: Sequence[str], manners: MannersSettings, wanted: int) -> str:
    """Return a sentence about what training will fetch: some of the `wanted` URLs.

    >>> from thresher.store.memory import MemoryStore
    >>> from thresher.config.load import load
    >>> urls = [f"http://{host}.test/{page}" for host in "abcdefgh" for page in range(4)]
    >>> fetching(MemoryStore(), urls, load().settings.manners, 32)
    'Training: fetching 32 pages from 8 hosts; about 10 seconds.'
    """
    hosts = len({host_of(url) for url in urls})
    number = f"{len(urls):,} of {wanted:,}" if len(urls) < wanted else f"{len(urls):,}"
    pages = f"page{'' if wanted == 1 else 's'} from {hosts:,} host{'' if hosts == 1 else 's'}"
    return f"Training: fetching {number} {pages}; about {in_words(seconds_for(store, urls, manners))}."


def in_words(seconds: float) -> str:
    """Return a time in words, in a suitable unit.

    >>> in_words(0.4), in_words(75), in_words(344), in_words(9000)
    ('1 second', '75 seconds', '6 minutes', '2.5 hours')
    """
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{round(seconds / 60)} minutes" if seconds < 90 * 60 else f"{seconds / 3600:.2g} hours"
