"""`thresher refresh` on the generated web over HTTP: the web grows older, and the portal finds out."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import inside
from thresher.bench.crash import make_portal, served
from thresher.cli.main import call
from thresher.errors import UsageError
from thresher.simweb.access_log import read_log
from thresher.simweb.ageing import version_of
from thresher.simweb.judge import judge
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.archive.archive_files import ARCHIVE
from thresher.store.archive.archived import records
from thresher.store.repository import open_store
from thresher.web.urls import url_id

PARAMETERS = WebParameters(pages=300, hosts=12, seed=3, profile="clean")
OLDER = WebParameters(pages=300, hosts=12, seed=3, profile="clean", generation=2)


def run(*arguments: str) -> dict[str, Any]:
    """Run a command in this process and return the one object it prints."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = call([*arguments, "--json"])
    assert code == 0, err.getvalue()
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a portal crawled to the end when the web was young."""
    directory = tmp_path_factory.mktemp("portals") / "p"
    with served(tmp_path_factory.mktemp("young"), PARAMETERS) as web:
        make_portal(directory, web)
        assert run("crawl", str(directory))["state"] == "finished"
    return directory


@pytest.fixture(scope="module")
def refreshed(portal: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Refresh the portal, half of it first, in the same web grown older; return the summaries and the judge's word."""
    with served(tmp_path_factory.mktemp("older"), OLDER) as web:
        mapped = f'network.map={{"*.test" = "127.0.0.1:{web.port}"}}'
        half = run("refresh", str(portal), "--pages", "100", "--set", mapped)
        status = run("status", str(portal))
        none = run("refresh", str(portal), "--older-than", "1", "--set", mapped)
        rest = run("refresh", str(portal), "--set", mapped)
        again = run("crawl", str(portal), "--set", mapped, "--pages", "5")
        accesses = read_log(web.log)
    return {"half": half, "status": status, "none": none, "rest": rest, "again": again, "log": accesses}


@pytest.mark.slow
def test_every_page_is_found_unchanged_changed_or_gone_as_it_is(portal: Path, refreshed: dict[str, Any]) -> None:
    older = Web(OLDER)
    store = open_store(portal, read_only=True)
    first = {entry.url for entry in store.log.entries(0, 1) if entry.kind == "fetched"}
    pages = [url for url in store.documents.urls() if url in first]
    versions = {url: version_of(older, page) for url in pages if (page := older.page(url)) is not None}
    gone = {url for url in pages if (found := store.documents.document(url_id(url))) and found.gone is not None}
    changed = {url for url in pages if len({visit.digest for visit in store.documents.visits(url_id(url))} - {b""}) > 1}
    store.close()
    assert gone == {url for url, version in versions.items() if version is None}
    assert changed == {url for url, version in versions.items() if version}
    half, rest = refreshed["half"], refreshed["rest"]
    assert half["unchanged"] + half["changed"] + half["gone"] == 100
    assert rest["gone"] == len(gone)
    assert half["changed"] + rest["changed"] == len(changed)
    assert rest["unchanged"] + rest["changed"] + rest["gone"] == len(pages)
    assert gone
    assert changed


@pytest.mark.slow
def test_what_has_not_changed_is_not_sent_again(refreshed: dict[str, Any]) -> None:
    statuses = [access.status for access in refreshed["log"]]
    assert statuses.count(304) > 50
    assert all(access.bytes == 0 for access in refreshed["log"] if access.status == 304)
    verdict = judge(Web(OLDER), refreshed["log"])
    assert (verdict.disallowed.count, verdict.too_early.count, verdict.parallel.count) == (0, 0, 0)


def test_the_summary_says_that_it_was_a_refresh(refreshed: dict[str, Any]) -> None:
    half, status, none = refreshed["half"], refreshed["status"], refreshed["none"]
    assert (half["kind"], half["state"], half["stopped_because"]) == ("refresh", "finished", "empty")
    assert {key: status[key] for key in ("kind", "crawl", "unchanged", "changed", "gone")} == {
        key: half[key] for key in ("kind", "crawl", "unchanged", "changed", "gone")
    }
    assert (none["pages"], none["state"]) == (0, "finished")


def test_after_a_refresh_a_new_crawl_can_begin(refreshed: dict[str, Any]) -> None:
    assert (refreshed["again"]["kind"], refreshed["again"]["pages"]) == ("crawl", 5)


def test_explain_tells_what_became_of_a_page(
    portal: Path, refreshed: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    older = Web(OLDER)
    store = open_store(portal, read_only=True)
    pages = [url for url in store.documents.urls() if older.page(url) is not None]
    visits = {url: [visit.outcome for visit in store.documents.visits(url_id(url))] for url in pages}
    gone = next(url for url in pages if (found := store.documents.document(url_id(url))) and found.gone)
    store.close()
    told = inside(capsys, "explain", str(portal), gone)
    assert told["document"]["gone"]
    assert told["document"]["words"] > 5
    assert told["visits"][-1]["reason"] in ("gone", "not-found")
    assert call(["explain", str(portal), gone]) == 0
    assert "gone since" in capsys.readouterr().out
    same = next(url for url, seen in visits.items() if "unchanged" in seen)
    told = inside(capsys, "explain", str(portal), same, "--crawl", "4")
    assert (told["kind"], told["state"], told["document"]["gone"]) == ("refresh", "done", None)


def test_the_archive_keeps_that_nothing_has_changed(portal: Path, refreshed: dict[str, Any]) -> None:
    found = [record for path in sorted((portal / ARCHIVE).glob("*.warc.gz")) for record in records(path)]
    same = [record for record in found if record.status == 304]
    assert len(same) == [access.status for access in refreshed["log"]].count(304)
    assert {record.payload for record in same} == {b""}


def test_a_portal_without_pages_has_nothing_to_refresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["new", str(tmp_path / "p")]) == 0
    capsys.readouterr()
    assert call(["refresh", str(tmp_path / "p"), "--json"]) == 7
    assert "thresher crawl" in json.loads(capsys.readouterr().err)["remedy"]


@pytest.mark.slow
def test_a_crawl_that_was_stopped_can_go_on_behind_a_refresh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path / "web", PARAMETERS) as web:
        portal = tmp_path / "p"
        make_portal(portal, web)
        assert run("crawl", str(portal), "--pages", "20")["crawl"] == 1
        assert run("refresh", str(portal))["unchanged"] == 20
        assert call(["crawl", str(portal), "--json"]) == UsageError.exit_code
        assert "last crawl" in json.loads(capsys.readouterr().err)["error"]
        assert run("status", str(portal))["kind"] == "refresh"
        told = run("resume", str(portal), "--pages", "30")
        status = run("status", str(portal))
    assert (status["crawl"], status["kind"], status["pages"]) == (1, "crawl", 30)
    assert (told["crawl"], told["kind"], told["pages"]) == (1, "crawl", 30)
