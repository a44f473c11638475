"""A small polite crawler walks a whole finite web: what it gets is what the manifest calls reachable."""

from collections import deque

import numpy as np
from protego import Protego
from selectolax.lexbor import LexborHTMLParser

from thresher.simweb.access_log import AccessLog, read_log
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.judge import judge
from thresher.types import Candidate, Fetched, Redirected
from thresher.web.urls import canonical, host_of

from .reading import links_of
from .virtual_time import LoopClock, run_virtually


class PoliteCrawler:
    """One fetch at a time; robots files, meta robots, rel=nofollow and crawl delays are obeyed."""

    def __init__(self, web, log):
        self.clock = LoopClock()
        self.web = web
        self.fetcher = SimFetcher(web, self.clock, latency=2.0, log=AccessLog(log))
        self.rules = {}
        self.fetched = set()

    async def allowed(self, url):
        host = host_of(url)
        if host not in self.rules:
            got = await self.fetcher.fetch(Candidate(url=f"http://{host}/robots.txt", priority=()))
            self.rules[host] = Protego.parse(got.body.decode() if isinstance(got, Fetched) else "")
        return self.rules[host].can_fetch(url, "thresher")

    async def links(self, url):
        got = await self.fetcher.fetch(Candidate(url=url, priority=()))
        if isinstance(got, Redirected):
            return [canonical(got.to)]
        if not isinstance(got, Fetched):
            return []
        self.fetched.add(url)
        markup = got.body.decode(self.web.hosts[self.web.host_numbers[host_of(url)]].charset)
        meta = LexborHTMLParser(markup).css_first("meta[name=robots]")
        if meta is not None and "nofollow" in (meta.attributes["content"] or ""):
            return []
        return [link for link, _, nofollow in links_of(markup, url) if not nofollow]

    async def run(self):
        seen = dict.fromkeys(self.web.start_pages())
        queue = deque(seen)
        while queue:
            url = queue.popleft()
            if await self.allowed(url):
                found = [link for link in await self.links(url) if link not in seen]
                seen.update(dict.fromkeys(found))
                queue.extend(dict.fromkeys(found))
        await self.fetcher.close()
        return self.fetched


def test_a_polite_crawl_gets_exactly_what_is_reachable(finite, tmp_path):
    got = run_virtually(PoliteCrawler(finite, tmp_path / "log").run())
    reachable = np.flatnonzero(finite.reachable & (finite.pages.status == 200))
    assert got == {finite.urls[page] for page in reachable.tolist()}
    verdict = judge(finite, read_log(tmp_path / "log"))
    assert verdict.polite
    assert verdict.refetched.count == 0
    assert set(verdict.fetches) == got
