"""Derives paths to a portal's topics from stored links, instead of from browsing.

Accepted pages are the useful ones. The layers around them are the pages that link to them, the pages that link to
those, and so on.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from thresher.config.settings import Settings
from thresher.crawl.view import CrawlPages
from thresher.errors import InputError, command
from thresher.parameters import parse
from thresher.protocols import KnownPages
from thresher.sessions.session import Session, VisitedPage, session_of
from thresher.store.protocol import Store
from thresher.work_faults import NoPages, NoPaths

FILE: Final = "paths.jsonl"

LEARNERS: Final = ("hmm", "context-graph")
"""Strategies that learn from paths."""

LAYERS: Final = 4
LARGEST: Final = 300
"""Number of layers around the useful pages, and maximum numbers of pages per layer, useful and unrelated pages."""

LOOKED_AT: Final = 50_000
"""Maximum number of pages considered, newest first."""


def paths_file(portal: Path) -> Path:
    """Return the path of the file with a portal's paths to learn from."""
    return portal / "models" / FILE


def with_paths(portal: Path, strategy: str, settings: Settings) -> Settings:
    """Return settings with the portal's paths for strategies that learn from paths, unless a file is given.

    Raises InputError for hmm if there are none, because it would have nothing to learn from.
    """
    name, parameters = parse(strategy)
    own = settings.strategy.get(name, {})
    if name not in LEARNERS or "paths" in parameters or own.get("paths"):
        return settings
    path = paths_file(portal)
    if not path.exists():
        if name != "hmm":
            return settings
        raise InputError(
            f"{portal} has not learned any paths, which the strategy hmm needs.",
            f"Learn them: {command('learn-paths', portal)}",
            NoPaths(),
        )
    found = {**settings.strategy, name: {**own, "paths": str(path.resolve())}}
    return settings.model_copy(update={"strategy": found})


def portal_session(store: Store, topic: str | None = None) -> Session:
    """Return the surroundings of a portal's topics, or of one topic, as a session.

    Raises InputError if no page of the portal belongs to them.
    """
    known = CrawlPages(store)
    urls = list(known.urls())[-LOOKED_AT:]
    judged = known.judgements(urls)
    accepted = {
        url: found.probability
        for url, found in judged.items()
        if found.topic is not None and (topic is None or f"{found.topic}/".startswith(f"{topic}/"))
    }
    if not accepted:
        subject = f"the topic '{topic}'" if topic else "a topic"
        raise InputError(
            f"No page of this portal belongs to {subject}.", "Train the portal and crawl first.", NoPages()
        )
    useful = sorted(accepted, key=lambda url: (-accepted[url], url))[:LARGEST]
    around = _around(known, useful, set(urls))
    away = islice((url for url in reversed(urls) if url not in around and url not in accepted), LARGEST)
    return _session(known, [*around, *away], useful)


def _around(known: KnownPages, useful: Sequence[str], stored: set[str]) -> dict[str, None]:
    """Return the useful pages and, layer by layer, the pages that link to them."""
    found, layer = dict.fromkeys(useful), list(useful)
    for _ in range(LAYERS):
        linking = (url for urls in known.inlinks(layer).values() for url in urls)
        layer = list(islice((url for url in dict.fromkeys(linking) if url in stored and url not in found), LARGEST))
        found |= dict.fromkeys(layer)
    return found


def _session(known: KnownPages, urls: Sequence[str], useful: Sequence[str]) -> Session:
    pages = (VisitedPage(url, dict(terms)) for url, terms in known.terms(urls).items())
    links = ((url, target) for url, targets in known.outlinks(urls).items() for target in targets)
    return session_of(pages, links, useful)
