"""A night on hosts that ask for long pauses: every example is read before other pages of its host, and there is time to
learn."""

from pathlib import Path

import pytest

from tests.runs.small_web import HOSTS, SUBJECTS, SmallPortal, address, linked
from thresher.store.records import CrawlKind

SLOW = b"User-agent: *\nCrawl-delay: 60"


@pytest.mark.slow
def test_examples_on_slow_hosts_are_all_read_and_the_learning_crawl_has_time(tmp_path: Path) -> None:
    robots = {f"http://{subject.lower()}{n}.test/robots.txt": SLOW for subject in SUBJECTS for n in range(HOSTS)}
    portal = SmallPortal(tmp_path / "p", {**linked(), **robots})
    portal.run(None, "learn.scope=hosts", "harvest.pages=0", hours=1.0)
    crawls = {crawl.kind: crawl for crawl in portal.crawls()}
    assert crawls[CrawlKind.LEARN].progress.pages >= 20
    examples = {address(subject, number) for subject in SUBJECTS for number in range(4)}
    learning = [entry for entry in portal.log() if entry.crawl == crawls[CrawlKind.LEARN].id and entry.url]
    reused = {entry.url for entry in learning if entry.kind == "reused"}
    assert reused == examples
