"""Checks the manners of a long crawl over HTTP, killed and resumed once, against the server's log."""

from pathlib import Path

from msgspec import Struct

from thresher.bench.crash import finish_crawl, kill_crawl_when, make_portal, served
from thresher.simweb.access_log import read_log
from thresher.simweb.judge import judge
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web


class MannersFigures(Struct, frozen=True, kw_only=True):
    """Rule violations in the access log, and the maximum number of parallel requests to a host."""

    requests: int
    pages: int
    disallowed: int
    before_robots: int
    too_early: int
    too_parallel: int
    max_parallel: int


def measure_manners(directory: Path, *, pages: int = 10_000, seed: int = 0) -> MannersFigures:
    """Crawl a generated web with all its features, kill the crawl halfway, and evaluate the access log."""
    parameters = WebParameters(pages=int(pages * 1.6), hosts=max(20, pages // 40), seed=seed)
    with served(directory, parameters) as web:
        portal = directory / "portal"
        make_portal(portal, web, pages=pages)
        kill_crawl_when(portal, lambda: web.log.read_bytes().count(b"\n") >= pages // 2)
        finish_crawl(portal)
        accesses = read_log(web.log)
    verdict = judge(Web(parameters), accesses)
    return MannersFigures(
        requests=verdict.requests,
        pages=sum(verdict.fetches.values()),
        disallowed=verdict.disallowed.count,
        before_robots=verdict.before_robots.count,
        too_early=verdict.too_early.count,
        too_parallel=verdict.parallel.count,
        max_parallel=verdict.max_parallel,
    )
