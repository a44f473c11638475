"""What a crawl has learnt of traps and error pages outlives `kill -9`."""

from pathlib import Path

import pytest

from thresher.bench.crash import Served, finish_crawl, kill_crawl_when, served
from thresher.portals import create_portal
from thresher.shard.soft404 import missing_url
from thresher.simweb.access_log import read_log
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.repository import open_store

WEB = WebParameters(pages=1500, hosts=40, seed=2)


def make_portal(portal: Path, web: Served, host: str) -> None:
    settings = (
        f'\n[network.map]\n"*.test" = "127.0.0.1:{web.port}"\n[manners]\ndelay = 0\n[engine]\nworkers = 0\n'
        'batch_pages = 4\n[crawl]\npages = 0\nscope = "hosts"\n[store]\nmin_free_mb = 0\n'
    )
    create_portal(portal, f"http://{host}/", contact="test@localhost", settings=settings)


def asked(web: Served, host: str) -> list[str]:
    return [access.target for access in read_log(web.log) if access.host == host] if web.log.exists() else []


@pytest.mark.slow
def test_a_killed_crawl_is_not_led_through_a_calendar_again(tmp_path: Path) -> None:
    host = next(host.name for host in Web(WEB).hosts if host.trap == "calendar")

    def months(web: Served) -> set[str]:
        return {target for target in asked(web, host) if target.startswith("/calendar/")}

    def crawled(folder: Path, kills: tuple[int, ...]) -> int:
        with served(folder, WEB) as web:
            make_portal(folder / "portal", web, host)
            for number in kills:
                kill_crawl_when(folder / "portal", lambda number=number: len(months(web)) >= number)
            finish_crawl(folder / "portal")
            return len(months(web))

    whole = crawled(tmp_path / "whole", ())
    killed = crawled(tmp_path / "killed", (10, 20))
    assert whole > 20
    # A kill costs at most what was learnt since the memory was last written, an eighth of it and one batch.
    assert killed <= whole + 2 * (whole // 8 + 4)


@pytest.mark.slow
def test_a_host_is_asked_for_a_missing_page_once_though_the_crawl_is_killed(tmp_path: Path) -> None:
    host = next(host.name for host in Web(WEB).hosts if host.soft_404)
    probe = missing_url(f"http://{host}").removeprefix(f"http://{host}")
    with served(tmp_path, WEB) as web:
        portal = tmp_path / "portal"
        make_portal(portal, web, host)
        # Some batches later the answer is committed.
        kill_crawl_when(portal, lambda: probe in asked(web, host)[:-25])
        assert asked(web, host).count(probe) == 1
        finish_crawl(portal)
        assert asked(web, host).count(probe) == 1
    store = open_store(portal, read_only=True)
    try:
        row = store.hosts.hosts(1, [host])[host]
        crawl = store.crawls.get()
    finally:
        store.close()
    assert row.missing[0].words > 20
    assert crawl is not None
    assert crawl.progress.errors.get("soft-404", 0) >= 1
