"""Crash contract of a refresh: `kill -9` in its middle loses nothing, and nothing committed is asked for again."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thresher.bench.crash import Served, finish_crawl, make_portal, served
from thresher.simweb.access_log import read_log
from thresher.simweb.parameters import WebParameters
from thresher.store.records import CrawlRow, CrawlState
from thresher.store.repository import open_store

PARAMETERS = WebParameters(pages=600, hosts=20, seed=9, profile="clean")


def newest(portal: Path) -> CrawlRow:
    store = open_store(portal, read_only=True)
    try:
        found = store.crawls.get()
    finally:
        store.close()
    assert found is not None
    return found


def visited(portal: Path) -> list[str]:
    """Return the URLs of the refresh's committed visits."""
    store = open_store(portal, read_only=True)
    try:
        return [entry.url for entry in store.log.entries(0, 2) if entry.url]
    finally:
        store.close()


def asked(web: Served, since: int) -> list[str]:
    return [f"http://{access.host}{access.target}" for access in read_log(web.log)[since:]]


@pytest.mark.slow
def test_a_killed_refresh_goes_on_where_it_was(tmp_path: Path) -> None:
    portal = tmp_path / "p"
    with served(tmp_path / "web", PARAMETERS) as web:
        make_portal(portal, web)
        finish_crawl(portal)
        store = open_store(portal, read_only=True)
        pages = set(store.documents.urls())
        store.close()
        before = len(read_log(web.log))
        refresh = subprocess.Popen(
            [sys.executable, "-m", "thresher", "refresh", str(portal), "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while refresh.poll() is None and (newest(portal).kind != "refresh" or newest(portal).progress.pages < 60):
            time.sleep(0.01)
        os.killpg(refresh.pid, signal.SIGKILL)
        refresh.wait()
        committed, middle = visited(portal), len(read_log(web.log))
        lost = set(asked(web, before)) - set(committed)
        finish_crawl(portal)
        repeated = set(asked(web, middle))
    assert 60 <= len(committed) < len(pages), "the kill came too early or too late"
    assert len(lost) <= newest(portal).settings["values"]["engine"]["parallel"] + 2 * 64
    assert not repeated & set(committed)
    done = newest(portal)
    assert (done.kind, done.progress.state) == ("refresh", CrawlState.FINISHED)
    assert sorted(visited(portal)) == sorted(pages)
    assert done.progress.unchanged == len(pages)
    assert (done.progress.changed, done.progress.gone, done.progress.errors) == (0, 0, {})
