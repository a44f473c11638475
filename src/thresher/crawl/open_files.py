"""Open files: how many a crawl needs, how many it may have, and how to make do with fewer.

Every connection is an open file, and the usual limit of a shell is 1,024.
"""

import resource
from contextlib import suppress
from pathlib import Path
from typing import Final

SLOW: Final = 4
"""Maximum number of fetches in progress, including slow ones, as a multiple of the parallel fetches."""

IDLE: Final = 2
"""Connections kept open for the next page of a host, as a multiple of the parallel fetches."""

MOST_IDLE: Final = 16
"""The same if the limit on open files allows more: opening a connection costs more than fetching a page."""

PER_FETCH: Final = SLOW + IDLE + 4
"""Open files per parallel fetch: slow fetches, idle connections, second addresses tried as well."""

PER_WORKER: Final = 4
RESERVED: Final = 96
"""Open files for the repository, the archive, locks, DNS lookups and everything else."""

_UNLIMITED: Final = 1 << 30
_IN_USE: Final = Path("/proc/self/fd")


def needed(parallel: int, workers: int) -> int:
    """Return the maximum number of open files for a crawl with this many parallel fetches and worker processes.

    >>> needed(64, 1)
    744
    """
    # One more worker reads costly pages.
    return RESERVED + PER_WORKER * (workers + 1) + PER_FETCH * parallel


def comfortable(parallel: int, workers: int) -> int:
    """Return how many open files such a crawl can make use of.

    >>> comfortable(64, 1)
    1640
    """
    return needed(parallel, workers) + (MOST_IDLE - IDLE) * parallel


def idle_connections(parallel: int, workers: int) -> int:
    """Return how many connections such a crawl may keep open for the next page of a host under the current limit."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    limit = _UNLIMITED if soft == resource.RLIM_INFINITY else soft
    room = limit - _others() - needed(parallel, workers)
    return IDLE * parallel + max(0, min(room, (MOST_IDLE - IDLE) * parallel))


def fitting(limit: int, parallel: int, workers: int) -> int:
    """Return how many parallel fetches, at most `parallel`, a limit on open files allows; 0 for none.

    >>> fitting(1024, 64, 1), fitting(256, 64, 1), fitting(64, 64, 1)
    (64, 15, 0)
    """
    return max(0, min(parallel, (limit - needed(0, workers)) // PER_FETCH))


def reachable() -> int:
    """Return how many open files this process may have after raising its own limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return _UNLIMITED if hard == resource.RLIM_INFINITY else hard


def raise_limit(wanted: int) -> int:
    """Raise the limit on open files to `wanted`, or as far as this process may; return the limit.

    Open files that `needed` does not account for are subtracted.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _UNLIMITED
    others = _others()
    if soft < wanted + others:
        # Some systems allow less than they report; the crawl makes do with that.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted + others, reachable()), hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return soft - others


def _others() -> int:
    """Return how many files are open beyond those that `needed` accounts for."""
    return max(0, _in_use() - RESERVED // 2)


def _in_use() -> int:
    try:
        return sum(1 for _ in _IN_USE.iterdir())
    except OSError:
        return 0
