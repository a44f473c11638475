"""`thresher sites`: a run on a small web of sites, and all that can be done with what it found."""

import csv
import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.shapes import check_shape
from thresher.api.portal import Portal
from thresher.cli.main import call
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.portals import create_portal, load_topics
from thresher.protocols import Clock, Fetcher
from thresher.runs.sites import SiteGoals, find_sites
from thresher.runs.world import World
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.site_plan import SiteWebParameters
from thresher.simweb.site_web import SiteWeb
from thresher.store.records import Progress
from thresher.store.repository import open_store
from thresher.taxonomy.bookmarks import read
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.web.site_names import site_of

FIXED = ["manners.delay=0", "manners.robots=false", "store.min_free_mb=0", "archive.enabled=false"]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def web() -> SiteWeb:
    return SiteWeb(SiteWebParameters(sites=150, seed=2))


@pytest.fixture(scope="module")
def portal(web: SiteWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a portal that has looked for sites, in three runs: to a budget, to a number of sites, and beyond both."""
    directory = tmp_path_factory.mktemp("sites") / "p"
    marks = web.bookmarks(web.topics()[:1], number=4, others=8).encode()
    create_portal(directory, None, from_bookmarks(marks).taxonomy)
    (directory / "thresher.toml").open("a").write('[network.map]\n"*.test" = "127.0.0.1:9"\n')

    def fetcher(_: Settings, clock: Clock) -> Fetcher:
        return SimFetcher(web, clock)

    def run(goals: SiteGoals) -> Progress:
        world = World(clock=VirtualClock(), fetcher=fetcher, alone=True)
        outcome = run_virtual(find_sites(directory, goals, FIXED, world=world))
        assert outcome is not None
        return outcome.progress

    first = run(SiteGoals(pages=60))
    assert (first.stopped_because, first.pages) == ("pages", 60)
    second = run(SiteGoals(want=first.sites[1] + 1))
    assert second.stopped_because == "wanted"
    assert second.sites[1] > first.sites[1]
    third = run(SiteGoals(pages=second.pages + 40))
    assert third.stopped_because == "pages"
    return directory


def told(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, object]:
    arguments = [str(word) for word in (*words, "--json")]
    assert call(arguments) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    check_shape(arguments, found)
    return found


def test_a_run_that_reached_its_budget_goes_on_and_finds_sites(
    portal: Path, web: SiteWeb, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_store(portal, read_only=True)) as store:
        kinds = [store.crawls.get(number).kind for number in (1, 2)]  # type: ignore[union-attr]
        assert store.crawls.get(3) is None
    assert kinds == ["train", "sites"]
    found = told(capsys, "sites", portal, "list", "--number", 100)
    rows = found["sites"]
    assert isinstance(rows, list)
    assert found["total"] == len(rows) >= 3
    assert list(rows[0]) == ["site", "topic", "posterior", "pages_read", "state", "home", "bookmarked"]
    assert [row["posterior"] for row in rows] == sorted((row["posterior"] for row in rows), reverse=True)
    relevant = web.relevant(web.topics()[0])
    assert sum(web.site_number(row["home"]) in relevant for row in rows) >= 0.6 * len(rows)
    examples = {site_of(page.url) for _, topic in load_topics(portal).walk() for page in topic.pages}
    assert {row["site"] for row in rows if row["bookmarked"]} == examples & {row["site"] for row in rows} != set()
    everything = told(capsys, "sites", portal, "list", "--all", "--number", 5)
    assert isinstance(everything["total"], int)
    assert everything["total"] > found["total"]


def test_a_site_is_explained_page_by_page(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = told(capsys, "sites", portal, "list", "--number", 1)["sites"]  # type: ignore[misc]
    story = told(capsys, "explain", portal, "--site", row["site"])
    assert story == told(capsys, "sites", portal, "show", row["home"])
    assert story["site"] == row["site"]
    pages = story["pages"]
    assert isinstance(pages, list)
    assert len(pages) == row["pages_read"]
    assert pages[-1]["posterior"] == pytest.approx(row["posterior"])
    assert story["words"]
    assert call(["sites", str(portal), "show", row["site"]]) == 0
    assert "Relevant:" in capsys.readouterr().out


def test_sites_in_python(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "sites", portal, "list", "--number", 100)["sites"]
    assert isinstance(rows, list)
    with Portal.open(portal) as opened:
        sites = opened.sites
        assert [row.site for row in sites] == [row["site"] for row in rows]
        assert repr(sites) == f"<{len(rows)} relevant sites>"
        topic = rows[0]["topic"]
        assert sites.listed(topic, every=True) == [row for row in sites.listed(every=True) if row.topic == topic]
        assert sites.explain(rows[0]["home"]).sentence().startswith("Relevant: ")
        frame = sites.to_frame()
        assert list(frame.columns) == list(rows[0])
        assert frame["site"].tolist() == [row["site"] for row in rows]


def test_exports_have_the_evidence(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total = told(capsys, "sites", portal, "list")["total"]
    for name in ("s.csv", "s.jsonl", "s.html"):
        assert told(capsys, "sites", portal, "export", tmp_path / name)["total"] == total
    with (tmp_path / "s.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == total
    assert rows[0]["best_pages"].startswith("http://")
    assert {row["bookmarked"] for row in rows} == {"yes", "no"}
    first = json.loads((tmp_path / "s.jsonl").read_text().splitlines()[0])
    assert first["pages"][0]["url"]
    assert len(read((tmp_path / "s.html").read_bytes())) == total
    assert call(["sites", str(portal), "export", str(tmp_path / "s.csv")]) != 0
    assert call(["sites", str(portal), "export", str(tmp_path / "s.txt")]) != 0


def test_what_is_wrong_is_said_in_a_sentence(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_portal(tmp_path / "empty")
    for words, said in (
        (("sites", tmp_path / "empty", "list"), "has not looked for sites"),
        (("sites", portal, "dance"), "no action"),
        (("sites", portal, "show", "nowhere.test"), "did not see"),
        (("sites", portal, "show"), "Give one site"),
        (("sites", portal, "accept"), "Give a site"),
        (("sites", portal, "reject", "nowhere.test"), "not a site that was read"),
        (("explain", portal), "not an http"),
        (("sites", portal, "run", "--want", 2), "has found"),
        (("sites", portal, "run", "--pages", 50), "has reached its budget"),
    ):
        assert call([str(word) for word in words]) != 0
        assert said in capsys.readouterr().err


def test_a_rejected_site_leaves_the_list_and_teaches(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(capsys, "sites", portal, "list", "--number", 100)["sites"]
    assert isinstance(before, list)
    worst = before[-1]["site"]
    done = told(capsys, "sites", portal, "reject", worst)
    assert done["sites"] == [worst]
    after = told(capsys, "sites", portal, "list", "--number", 100)["sites"]
    assert isinstance(after, list)
    assert worst not in [row["site"] for row in after]
    kept = {row["site"] for row in before} & {row["site"] for row in after}
    assert len(kept) >= len(before) / 2
    assert told(capsys, "explain", portal, "--site", worst)["verdict"] == "rejected"
    told(capsys, "sites", portal, "accept", worst)
    again = told(capsys, "sites", portal, "list", "--number", 100)["sites"]
    assert isinstance(again, list)
    assert worst in [row["site"] for row in again]
