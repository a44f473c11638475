"""The commands on a crawled portal: what a person types, and what programs read."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from thresher.bench.crash import Served, make_portal, served
from thresher.cli.main import call
from thresher.portals import create_portal
from thresher.simweb.access_log import read_log
from thresher.simweb.judge import judge
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.explain import explain
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.web.urls import url_id

SUMMARY = {"portal", "pages", "queued", "seconds", "pages_per_second", "harvest_rate", "errors", "stopped_because"}
PARAMETERS = WebParameters(pages=900, hosts=25, seed=8)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with served(tmp_path_factory.mktemp("web"), PARAMETERS) as found:
        yield found


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory, web: Served) -> Path:
    directory = tmp_path_factory.mktemp("portals") / "p"
    make_portal(directory, web)
    done = run("crawl", str(directory), "--pages", "200", "--set", "engine.workers=1")
    assert done["pages"] == 200
    return directory


def run(*arguments: str) -> dict[str, Any]:
    """Run a command in a process of its own and return the one object it prints."""
    done = subprocess.run([sys.executable, "-m", "thresher", *arguments, "--json"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 1
    found: dict[str, Any] = json.loads(lines[0])
    return found


def inside(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert call([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_status_repeats_the_summary(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = inside(capsys, "status", str(portal))
    assert set(status) >= SUMMARY
    assert (status["pages"], status["stopped_because"], status["in_flight"]) == (200, "pages", 0)
    assert status["harvest_rate"] is None
    assert call(["status", str(portal)]) == 0
    assert "200 in" in capsys.readouterr().out


def test_log_gives_json_lines_in_order(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["log", str(portal), "--json"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["seq"] for entry in entries] == sorted({entry["seq"] for entry in entries})
    assert {"started", "fetched", "stopped"} <= {entry["kind"] for entry in entries}
    assert call(["log", str(portal), "--tail", "3", "--json"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == entries[-3:]
    middle = entries[10]["seq"]
    assert call(["log", str(portal), "--since", str(middle), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["seq"] == entries[11]["seq"]
    assert call(["log", str(portal), "--tail", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_explain_tells_the_story_of_every_kind_of_url(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["log", str(portal), "--json"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    page = [e["url"] for e in entries if e["kind"] == "fetched" and not e["url"].endswith("/robots.txt")][-1]
    told = inside(capsys, "explain", str(portal), page)
    assert told["state"] == "done"
    assert told["visits"][0]["status"] == 200
    assert told["document"]["words"] > 20
    assert told["path"][-1] == page
    assert told["priority"]
    failed = next(e["url"] for e in entries if e["kind"] == "failed" and not e["url"].endswith("/robots.txt"))
    told = inside(capsys, "explain", str(portal), failed)
    assert told["reason"]
    assert told["meaning"]
    told = inside(capsys, "explain", str(portal), "http://never.test/seen")
    assert (told["known"], told["state"]) == (False, None)
    for url in (page, failed, "http://never.test/seen"):
        assert call(["explain", str(portal), url]) == 0
        out = capsys.readouterr().out
        assert all(word in out for word in ("found", "scored", "decided", "fetched", "stored"))


def test_config_show_names_the_source_of_every_value(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["key"]: row for row in inside(capsys, "config", "show", str(portal))["settings"]}
    assert rows["manners.delay"]["value"] == 0
    assert rows["manners.delay"]["source"].endswith("thresher.toml")
    assert rows["frontier.bound"]["source"] == "default"
    assert call(["config", "show", "--key", "manners.delay"]) == 0
    assert "Seconds between two fetches" in capsys.readouterr().out
    assert call(["config", "show", str(portal)]) == 0
    shown = {line.partition(" = ")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert set(shown) == set(rows)
    assert shown["manners.robots"].startswith("manners.robots = true ")
    assert "Obey robots.txt." in shown["manners.robots"]
    assert "more}" in shown["network.types"]
    assert call(["config", "show", "--key", "network.types"]) == 0
    line = capsys.readouterr().out
    assert tomllib.loads(line)["network"]["types"] == rows["network.types"]["value"]


def test_doctor_finds_a_healthy_portal_and_a_sick_one(
    portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inside(capsys, "doctor", str(portal))
    assert found["healthy"] is True
    assert {check["name"] for check in found["checks"]} >= {"thresher", "sqlite", "disk", "settings", "repository"}
    assert call(["doctor", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "is not a portal" in out
    assert "thresher new" in out


@pytest.mark.slow
def test_resume_asks_for_a_budget_and_goes_on_with_one(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["resume", str(portal), "--json"]) == 2
    assert "has reached its budget" in capsys.readouterr().err
    assert run("resume", str(portal), "--pages", "230")["pages"] == 230


@pytest.mark.slow
def test_a_crawl_that_began_under_an_older_name_of_a_setting_goes_on(portal: Path) -> None:
    with closing(sqlite3.connect(portal / "portal.db")) as repository, repository:
        repository.execute("UPDATE crawls SET settings = replace(settings, 'reorder_every', 'review_every')")
    assert run("resume", str(portal), "--pages", "235")["pages"] == 235


def test_new_crawl_is_refused_while_the_last_can_go_on(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["crawl", str(portal), "--json"]) == 2
    told = json.loads(capsys.readouterr().err)
    assert "is not finished" in told["error"]
    assert "--fresh" in told["remedy"]


def test_reader_of_a_pipe_may_leave(portal: Path) -> None:
    shell = f"{sys.executable} -m thresher log {portal} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_commands_that_are_shown_can_be_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    portal = tmp_path / "my portal"
    assert call(["status", str(portal)]) == 4
    assert f"thresher new '{portal}' --seeds FILE" in capsys.readouterr().err
    monkeypatch.setattr("thresher.cli.output.program", lambda: ".venv/bin/thresher")
    assert call(["status", str(portal)]) == 4
    assert f"Make one: .venv/bin/thresher new '{portal}'" in capsys.readouterr().err


def digests(store: Store) -> dict[str, bytes]:
    found = {url: store.documents.document(url_id(url)) for url in store.documents.urls()}
    return {url: page.digest for url, page in found.items() if page is not None}


@pytest.mark.slow
def test_archive_is_exported_and_replayed_to_the_same_pages(
    portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = inside(capsys, "export", str(portal), "--warc", str(tmp_path / "all.warc.gz"))
    assert told["records"] > 400
    assert told["problems"] == {}
    again = ["export", str(portal), "--warc", str(tmp_path / "all.warc.gz")]
    assert call(again) == 7
    assert "already exists" in capsys.readouterr().err
    assert call([*again, "--force"]) == 0
    store = open_store(portal, read_only=True)
    texts, starts = digests(store), store.start_urls.urls()
    ways = {url: [step.candidate.url for step in explain(store, url).path] for url in texts}
    store.close()
    # Pages that ask not to be indexed are not archived, so a replay does not get behind them.
    reached = {texts[url] for url, way in ways.items() if texts.keys() >= set(way)}
    assert len(reached) > 150
    (tmp_path / "seeds.txt").write_text("\n".join(starts))
    made = tmp_path / "again"
    assert call(["new", str(made), "--seeds", str(tmp_path / "seeds.txt")]) == 0
    done = run("crawl", str(made), "--replay", str(tmp_path / "all.warc.gz"), "--set", "engine.workers=0")
    assert done["stopped_because"] == "empty"
    store = open_store(made, read_only=True)
    # Of two pages with one text the one that comes first is kept.
    assert reached <= set(digests(store).values()) <= set(texts.values())
    store.close()
    assert not list((made / "archive").glob("*")) if (made / "archive").exists() else True


@pytest.mark.slow
def test_imported_archive_can_be_replayed(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside(capsys, "export", str(portal), "--warc", str(tmp_path / "all.warc.gz"))
    store = open_store(portal, read_only=True)
    (tmp_path / "seeds.txt").write_text("\n".join(store.start_urls.urls()))
    store.close()
    other = tmp_path / "other"
    assert call(["new", str(other), "--seeds", str(tmp_path / "seeds.txt")]) == 0
    capsys.readouterr()
    assert inside(capsys, "import", str(other), str(tmp_path / "all.warc.gz"))["answers"] > 200
    assert run("crawl", str(other), "--replay", str(other / "archive"), "--pages", "50")["pages"] == 50
    assert call(["import", str(other), str(tmp_path / "seeds.txt"), "--json"]) == 7
    assert call(["crawl", str(other), "--fresh", "--replay", str(tmp_path / "none.warc.gz"), "--json"]) == 7


@pytest.mark.slow
def test_adopt_takes_changed_settings_and_logs_them(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = portal / "thresher.toml"
    settings.write_text(settings.read_text().replace("parallel = 16", "parallel = 4"))
    assert run("resume", str(portal), "--pages", "240", "--adopt")["pages"] == 240
    assert call(["log", str(portal), "--json"]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    adopted = next(entry for entry in entries if entry["kind"] == "adopted")
    assert adopted["detail"]["changed"] == {"engine.parallel": {"from": 16, "to": 4}}


def test_server_judges_the_crawler_polite(portal: Path, web: Served) -> None:
    verdict = judge(Web(PARAMETERS), read_log(web.log))
    assert len(read_log(web.log)) > 240
    assert verdict.polite, verdict
    assert verdict.max_parallel <= 2


@pytest.mark.slow
def test_demo_crawls_three_hundred_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier = tmp_path / "demo"
    earlier.mkdir()
    (earlier / "demo.json").write_text("{}")
    (earlier / "portal.db").write_text("the portal of an earlier demo")
    summary = run("demo", "--portal", str(earlier), "--once")
    assert set(summary) >= SUMMARY
    assert summary["pages"] >= 300
    store = open_store(earlier, read_only=True)
    kinds = {row.mime for row in store.documents.counts()}
    store.close()
    assert {"text/html", "application/pdf"} < kinds
    status = inside(capsys, "status", str(earlier))
    assert status["demo"] is True
    assert status["rounds"] >= 1
    assert sum(status["topics"].values()) > 100
    assert call(["status", str(earlier)]) == 0
    told = capsys.readouterr().out
    assert "This demo's web is gone" in told
    assert "resume" not in told
    assert "The page does not exist (404)" in told


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["crawl", "--help"]) == 0
    assert "Example: thresher crawl my-portal" in " ".join(capsys.readouterr().out.split())
    assert call(["--version"]) == 0
    assert capsys.readouterr().out.startswith("thresher ")
    assert call([]) == 2
    shown = capsys.readouterr().out
    assert "Exit codes" in shown
    assert "..." not in shown.partition("Commands:")[2]
    assert shown.index("  new ") < shown.index("  train ") < shown.index("  harvest ") < shown.index("  resume ")


@pytest.mark.slow
def test_a_demo_whose_web_is_gone_says_so_before_it_fetches(
    portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = tmp_path / "over"
    create_portal(over, "http://www.a.test/\n", contact="demo@localhost")
    for marked in ("{}", "no JSON", '{"process": 0}'):
        (over / "demo.json").write_text(marked)
        for command in (["crawl"], ["resume", "--pages", "9"], ["refresh"], ["learn"]):
            assert call([command[0], str(over), *command[1:]]) == 4
            told = capsys.readouterr().err
            assert "is gone, so nothing can be fetched." in told
            assert "Start over: thresher demo --portal" in told
    inside(capsys, "export", str(portal), "--warc", str(tmp_path / "all.warc.gz"))
    assert inside(capsys, "crawl", str(over), "--replay", str(tmp_path / "all.warc.gz"))["stopped_because"] == "empty"


@pytest.mark.parametrize("size", [0, 1, 100, 20_000, None])
def test_a_damaged_archive_is_told_and_never_exported_as_whole(
    portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], size: int | None
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(portal, copy)
    assert call(["doctor", str(copy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["healthy"]
    (warc,) = (copy / "archive").glob("crawl-*.warc.gz")
    if size is None:
        warc.unlink()
    else:
        warc.write_bytes(warc.read_bytes()[:size])
    for deep in ([], ["--deep"]):
        assert call(["doctor", str(copy), *deep, "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert not told["healthy"]
        (check,) = [check for check in told["checks"] if check["state"] == "fail"]
        assert warc.name in check["detail"]
        assert "lost" in check["detail"]
    assert call(["export", str(copy), "--warc", str(tmp_path / "all.warc.gz"), "--json"]) == 4
    error = json.loads(capsys.readouterr().err)
    assert re.search(rf"missing \d+ responses from {warc.name}", error["error"])
    assert "--deep" in error["remedy"]


def test_an_import_that_is_repeated_says_so(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside(capsys, "export", str(portal), "--warc", str(tmp_path / "all.warc.gz"))
    create_portal(tmp_path / "other", None)
    first = inside(capsys, "import", str(tmp_path / "other"), str(tmp_path / "all.warc.gz"))
    again = inside(capsys, "import", str(tmp_path / "other"), str(tmp_path / "all.warc.gz"))
    assert first["answers"] > 0
    assert (again["answers"], again["known"]) == (0, first["answers"])
