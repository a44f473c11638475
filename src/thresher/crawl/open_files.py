"""Open files: how many a crawl needs, how many are allowed, and how to make do with fewer.

Every connection is an open file, and the usual limit of a shell is 1,024.
"""

import resource
from contextlib import suppress
from pathlib import Path
from typing import Final

SLOW: Final = 4
"""Fetches under way, slow ones included, as a multiple of those at once."""

IDLE: Final = 2
"""Connections that are kept open for the next page of a host, as a multiple of the fetches at once."""

MOST_IDLE: Final = 16
"""The same where the limit of open files has room for more: to open a connection costs more than to fetch a page."""

PER_FETCH: Final = SLOW + IDLE + 4
"""Open files for each of the fetches at once: slow ones, kept ones, second addresses that are tried as well."""

PER_WORKER: Final = 4
RESERVED: Final = 96
"""Open files for the repository, the archive, locks, look-ups of names and whatever else the process has open."""

_UNLIMITED: Final = 1 << 30
_IN_USE: Final = Path("/proc/self/fd")


def needed(parallel: int, workers: int) -> int:
    """Return how many open files a crawl with so many fetches at once and worker processes needs at most.

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
    """Return how many connections such a crawl may keep open for the next page of a host, by the limit as it is now."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    limit = _UNLIMITED if soft == resource.RLIM_INFINITY else soft
    room = limit - _others() - needed(parallel, workers)
    return IDLE * parallel + max(0, min(room, (MOST_IDLE - IDLE) * parallel))


def fitting(limit: int, parallel: int, workers: int) -> int:
    """Return how many fetches at once, at most `parallel`, a limit of open files has room for; 0 for none.

    >>> fitting(1024, 64, 1), fitting(256, 64, 1), fitting(64, 64, 1)
    (64, 15, 0)
    """
    return max(0, min(parallel, (limit - needed(0, workers)) // PER_FETCH))


def reachable() -> int:
    """Return how many open files this process may have once it has raised its own limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return _UNLIMITED if hard == resource.RLIM_INFINITY else hard


def raise_limit(wanted: int) -> int:
    """Raise the limit of open files to what is wanted, as far as this process may; return the limit.

    Files that are open beyond those that `needed` reckons with are left out of it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _UNLIMITED
    others = _others()
    if soft < wanted + others:
        # Some systems allow less than they say; the crawl does with what there is.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted + others, reachable()), hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return soft - others


def _others() -> int:
    """Return how many files are open beyond those that `needed` reckons with."""
    return max(0, _in_use() - RESERVED // 2)


def _in_use() -> int:
    try:
        return sum(1 for _ in _IN_USE.iterdir())
    except OSError:
        return 0
