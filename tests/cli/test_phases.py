"""All phases on a generated web over HTTP: train, learn, archetypes, harvest, and what a kill leaves."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.shapes import check_shape
from tests.machine import PATIENCE, until
from thresher.analysers import analyser_from
from thresher.bench.crash import Served, make_portal, served
from thresher.build import make_analyser, recipe_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.cli.main import call
from thresher.config.load import load
from thresher.crawl.clock import RealClock
from thresher.crawl.phases.retraining import RetrainingResult
from thresher.models import roll_back
from thresher.portals import load_topics, save_topics
from thresher.reading.analysis import Analysis
from thresher.reading.workers import RenewableAnalyser
from thresher.runs.retrainer import PortalRetrainer
from thresher.simweb.access_log import read_log
from thresher.simweb.parameters import WebParameters
from thresher.simweb.reach import reachable_pages
from thresher.simweb.web import Web
from thresher.store.explain import explain
from thresher.store.explanation_data import explanation_data
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put
from thresher.types import Fetched

# Whole runs over HTTP.
pytestmark = pytest.mark.slow

PARAMETERS = WebParameters(pages=1200, hosts=30, seed=5)
WEB = Web(PARAMETERS)
TOPICS = [topic for topic in WEB.topics() if "/" in topic][:4]
QUICK = ["--set", "learn.scope=web"]
PAGES = 216
"""Pages of the whole run: for training, learning and the harvest together."""


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run a command and return the one object it prints, on stderr where it fails."""
    capsys.readouterr()
    assert call([*arguments, "--json"]) == code
    out, err = capsys.readouterr()
    lines = out.splitlines() if code in (0, 130) else err.splitlines()[-1:]
    assert len(lines) == 1
    found: dict[str, Any] = json.loads(lines[0])
    if code in (0, 130):
        check_shape(arguments, found)
    return found


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web"), PARAMETERS) as found:
        yield found


def portal_in(directory: Path, web: Served) -> Path:
    make_portal(directory, web)
    tree = Taxonomy()
    for topic in TOPICS:
        pages = tuple(TrainingPage(url) for url in WEB.examples(topic, 4, exact=True))
        tree = put(tree, parsed(topic), Topic(name="", pages=pages))
    save_topics(directory, tree)
    return directory


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, web: Served) -> Path:
    """Return a portal that has gone all the way."""
    portal = portal_in(tmp_path_factory.mktemp("portals") / "p", web)
    arguments = [*QUICK, "--set", "learn.share=0.4", "--pages", str(PAGES), "--set", "harvest.retrain_every=50"]
    assert call(["run", str(portal), *arguments, "--json"]) == 0
    return portal


def test_the_whole_way_leaves_models_and_judged_pages(whole: Path) -> None:
    store = open_store(whole, read_only=True)
    models = store.models.all()
    kinds = [store.crawls.get(number) for number in range(1, 9)]
    log = list(store.log.entries())
    documents = [store.documents.document(entry_id) for entry_id in _ids(store)]
    store.close()
    assert [crawl.kind for crawl in kinds if crawl][-2:] == ["learn", "harvest"]
    assert len(models) >= 2
    assert models[0].report is None
    assert all(row.report is not None and row.report["pages"] > 5 for row in models[1:])
    assert models[-1].report["looked_at"] > 150, "what the harvest met says where topics end"
    harvest = max(crawl.id for crawl in kinds if crawl)
    names = {row.file.removesuffix(".zip") for row in models}
    judged = [page.judgement for page in documents if page is not None and page.judgement is not None]
    assert {judgement.model for judgement in judged} == {models[-1].file.removesuffix(".zip")}
    assert len(names) == len(models)
    assert sum(judgement.topic is not None for judgement in judged) > 40
    assert sum(crawl.progress.pages for crawl in kinds if crawl) == PAGES
    kept = [entry.url for entry in log if entry.kind == "fetched" and "reason" not in entry.detail]
    assert harvest == 3
    assert len(kept) == len(set(kept)), "no stage asks for a page that an earlier one has kept"


def _ids(store: Any) -> list[int]:
    return [page.id for block in store.graph.pages() for page in block]


def test_a_retraining_beside_a_crawl_gives_its_workers_the_new_model(whole: Path, tmp_path: Path) -> None:
    portal = tmp_path / "copy"
    shutil.copytree(whole, portal)
    settings = load(portal).settings
    with closing(open_store(portal)) as store:
        roll_back(portal, store, 0)
        crawl = store.crawls.get()
    assert crawl is not None

    async def go() -> tuple[RetrainingResult, str]:
        analyser = RenewableAnalyser(await make_analyser(settings, crawl.strategy, RealClock()))
        lesson = await PortalRetrainer(portal, crawl, settings, analyser).retrain(120)
        body = b"<title>A page</title>some words"
        page = Fetched(url="http://a.test/", status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)
        found = await analyser.analyse(page)
        await analyser.close()
        assert isinstance(found, Analysis)
        assert found.judgement is not None
        return lesson, found.judgement.model

    lesson, model = asyncio.run(go())
    assert isinstance(lesson.classifier, HierarchicalClassifier)
    assert lesson.classifier.version_ == model == lesson.detail["model"]
    assert lesson.hubs
    with closing(open_store(portal, read_only=True)) as store:
        newest = store.models.newest()
    assert newest is not None
    assert newest.file == f"{model}.zip"


def test_a_retraining_that_fails_is_told_and_changes_nothing(whole: Path, tmp_path: Path) -> None:
    portal = tmp_path / "copy"
    shutil.copytree(whole, portal)
    for file in (portal / "models").iterdir():
        file.write_bytes(b"damaged")
    with closing(open_store(portal)) as store:
        crawl = store.crawls.get()
    assert crawl is not None
    analyser = RenewableAnalyser(analyser_from(recipe_of(load(portal).settings, "breadth-first")))
    lesson = asyncio.run(PortalRetrainer(portal, crawl, load(portal).settings, analyser).retrain(120))
    assert lesson.classifier is None
    assert lesson.detail["error"]


def test_called_again_there_is_nothing_to_do(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "run", str(whole))
    assert (found["stage"], found["phases"]) == ("done", [])
    assert (found["kind"], found["pages"]) == ("harvest", PAGES)
    assert call(["run", str(whole)]) == 0
    assert "has been harvested" in capsys.readouterr().out
    assert "is not finished" in told(capsys, "harvest", str(whole), code=2)["error"]


def test_more_pages_than_it_has_let_a_harvest_go_on(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    portal = tmp_path / "copy"
    shutil.copytree(whole, portal)
    assert told(capsys, "run", str(portal), "--pages", str(PAGES))["phases"] == []
    more = PAGES + 30
    found = told(capsys, "run", str(portal), "--pages", str(more), *QUICK)
    assert (found["stage"], found["kind"], found["pages"]) == ("done", "harvest", more)
    assert found["stopped_because"] == "pages"
    assert [phase["crawl"] for phase in found["phases"]] == [found["crawl"]]
    with closing(open_store(portal, read_only=True)) as store:
        kinds = [crawl.kind for number in range(1, 20) if (crawl := store.crawls.get(number))]
        fetched = [entry.url for entry in store.log.entries(0, found["crawl"]) if entry.kind == "fetched"]
    assert kinds.count("harvest") == 1
    assert len(fetched) == len(set(fetched))


def test_every_stored_page_is_explained_and_those_of_the_learning_crawl_are_taken_over(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_store(whole, read_only=True)) as store:
        urls = list(store.documents.urls())
        crawls = {crawl.kind: crawl for number in range(1, 9) if (crawl := store.crawls.get(number)) is not None}
        stories = {url: explain(store, url) for url in urls}
    taken = 0
    for url, story in stories.items():
        assert story is not None
        found = explanation_data(story)
        assert call(["explain", str(whole), url]) == 0
        said = capsys.readouterr().out
        inherited = found["inherited_from"] is not None
        assert ("inherited from" in said) == inherited
        judged = found["judgement"]
        if judged is not None:
            assert (judged["rejection"] is None) == (judged["topic"] is not None)
            assert ("rejected: closest topic" in said) == (judged["topic"] is None)
            assert "word score" in said
        if inherited:
            assert (found["inherited_from"], found["crawl"]) == (crawls["learn"].id, crawls["harvest"].id)
            assert found["strategy"] == crawls["learn"].strategy
            assert "+100.000 start page" not in said
        taken += inherited
    assert taken > 40


def test_the_account_of_a_price_says_where_it_has_moved(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(open_store(whole, read_only=True)) as store:
        urls = [entry.url for entry in store.log.entries() if entry.kind == "fetched"][-40:]
    moved = 0
    for url in urls:
        found = told(capsys, "explain", str(whole), url)
        now = sum(part["adds"] for part in found["account"])
        assert call(["explain", str(whole), url]) == 0
        out = capsys.readouterr().out
        assert "+0.000" not in out
        assert "1 hops" not in out
        said = "if scored now" in out
        assert said == (bool(found["account"]) and abs(now - found["priority"][0]) > 0.001)
        moved += said
    assert moved


REVIEW = ["--set", "archetypes.review=true"]
"""With it a person confirms archetypes, so that even a small portal proposes some."""


def test_archetypes_are_listed_decided_and_taught(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = told(capsys, "archetypes", str(whole), *REVIEW)["archetypes"]
    assert rows
    assert {row["topic"] for row in rows} <= {*TOPICS, *(topic.split("/")[0] for topic in TOPICS)}
    bad = rows[0]["url"]
    after = told(capsys, "archetypes", str(whole), "reject", bad)["archetypes"]
    assert {row["state"] for row in after if row["url"] == bad} == {"rejected"}
    assert bad not in [
        row["url"]
        for row in told(capsys, "archetypes", str(whole), *REVIEW)["archetypes"]
        if row["state"] != "rejected"
    ]
    assert call(["archetypes", str(whole), "reject", bad]) == 0
    said = capsys.readouterr().out
    assert bad in said
    assert "without them" in said
    assert "proposed" not in said
    accepted = told(capsys, "archetypes", str(whole), "accept")["archetypes"]
    assert "proposed" not in {row["state"] for row in accepted}
    done = told(capsys, "archetypes", str(whole), "retrain", *REVIEW)["round"]
    assert done["archetypes"] >= 1
    assert done["judged"]["pages"] > 150
    rounds = told(capsys, "archetypes", str(whole), "rounds")["rounds"]
    assert [row["state"] for row in rounds].count("in use") == 1
    assert rounds[0]["before"] is None
    stored = told(capsys, "archetypes", str(whole), "rounds", str(done["step"]))["stored_round"]
    assert stored["report"] == {key: value for key, value in done.items() if key not in ("model", "step", "judged")}
    assert (stored["model"], stored["step"], stored["state"]) == (done["model"], rounds[-1]["step"], "in use")
    assert told(capsys, "archetypes", str(whole), "rounds", "0")["stored_round"]["report"] is None
    for step in (0, done["step"]):
        assert call(["archetypes", str(whole), "rounds", str(step)]) == 0
    said = capsys.readouterr().out
    assert "no retraining round was held" in said
    assert "feature space" in said
    assert f"rollback {done['step'] - 1}" in said
    back = told(capsys, "archetypes", str(whole), "rollback", "0")
    assert back["rolled_back"]
    assert back["rounds"][0]["state"] == "in use"
    moved = told(capsys, "reclassify", str(whole))
    assert moved["model"] == back["rounds"][0]["model"]
    assert moved["pages"] > 200
    for action in (["list"], ["rounds"], ["retrain"]):
        assert call(["archetypes", str(whole), *action]) == 0
    out = capsys.readouterr().out
    assert "Cross-validated accuracy on your" in out
    assert "Reclassified" in out
    assert "in use" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["archetypes", "PORTAL", "praise"], "no action"),
        (["archetypes", "PORTAL", "reject"], "to reject"),
        (["archetypes", "PORTAL", "accept", "http://nobody.test/"], "not an archetype"),
        (["archetypes", "PORTAL", "rollback", "99"], "no step 99"),
        (["archetypes", "PORTAL", "rollback", "x"], "step of one round"),
        (["archetypes", "PORTAL", "rounds", "99"], "no step 99"),
        (["harvest", "PORTAL", "--fresh", "--until", "enough"], "not a valid stop condition"),
        (["harvest", "PORTAL", "--fresh", "--strategy", "nonsense"], "nonsense"),
    ],
)
def test_bad_input_gets_one_sentence(
    whole: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    capsys.readouterr()
    assert call([str(whole) if word == "PORTAL" else word for word in arguments]) not in (0, 1)
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("command", ["learn", "harvest", "archetypes", "reclassify"])
def test_an_untrained_portal_says_so(
    tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    portal = portal_in(tmp_path / "p", web)
    assert "has not been trained" in told(capsys, command, str(portal), code=7)["error"]


def test_a_review_stops_the_whole_run_and_only_accepted_pages_teach(
    tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    portal = portal_in(tmp_path / "p", web)
    given = [*QUICK, "--set", "learn.share=0.8", "--pages", "96", "--set", "archetypes.review=true"]
    assert told(capsys, "run", str(portal), *given)["stage"] == "review"
    rows = told(capsys, "archetypes", str(portal), *REVIEW)["archetypes"]
    told(capsys, "archetypes", str(portal), "accept", rows[0]["url"])
    found = told(capsys, "run", str(portal), *given)
    assert found["stage"] == "done"
    assert found["rounds"][0]["archetypes"] == len([row for row in rows if row["url"] == rows[0]["url"]])


def test_a_harvest_ends_when_it_no_longer_pays(tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str]) -> None:
    portal = portal_in(tmp_path / "p", web)
    told(capsys, "train", str(portal), *QUICK)
    arguments = ["--until", "harvest<0.9", "--set", "harvest.window=30", "--pages", "600"]
    found = told(capsys, "harvest", str(portal), *arguments)
    assert found["stopped_because"] == "harvest-rate"
    assert 30 <= found["pages"] < 600


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str]) -> None:
    portal = portal_in(tmp_path / "p", web)
    given = [*QUICK, "--set", "learn.share=0.5", "--pages", "226", "--set", "harvest.retrain_every=40", "--json"]
    command = [sys.executable, "-m", "thresher", "run", str(portal), *given]
    for wanted in ("learn", "harvest"):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        _wait_for(portal, wanted, child)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    found = told(capsys, "run", str(portal), *given[:-1])
    assert found["stage"] == "done"
    store = open_store(portal, read_only=True)
    fetched = [entry.url for entry in store.log.entries() if entry.kind == "fetched" and entry.crawl > 1]
    crawls = [crawl.kind for number in range(1, 9) if (crawl := store.crawls.get(number))]
    store.close()
    assert [kind for kind in crawls if kind != "train"] == ["learn", "harvest"]
    # What was in flight or in an open batch at a kill is fetched again, nothing else.
    assert len(fetched) - len(set(fetched)) <= 2 * (16 + 2 * 64)
    assert found["pages"] == 226, "all stages together, over all calls"
    assert _unwelcome(web) == []


def _unwelcome(web: Served) -> list[str]:
    """Return the pages of hosts that answer which were asked for although no link that is followed leads to them."""
    given = [*web.start_pages, *(url for topic in TOPICS for url in WEB.examples(topic, 4, exact=True))]
    starts = [page for url in given if (page := WEB.page(url)) is not None]
    welcome = reachable_pages(WEB.hosts, WEB.pages, WEB.graph, starts)
    asked = {WEB.page(f"http://{access.host}{access.target}") for access in read_log(web.log)}
    silent = [host.unreachable for host in WEB.hosts]
    wrong = [page for page in asked if page is not None and not welcome[page]]
    return [WEB.urls[page] for page in wrong if not silent[WEB.pages.host[page]]]


def test_a_retraining_ends_when_its_crawl_is_gone() -> None:
    waits = "from thresher.train.retraining_child import end_with_crawl; print(end_with_crawl())"
    child = subprocess.Popen([sys.executable, "-c", waits], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.poll() is None
    assert child.communicate(timeout=PATIENCE) == (b"", None)
    assert child.returncode == 1


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path, web: Served) -> None:
    portal = portal_in(tmp_path / "p", web)
    command = [sys.executable, "-m", "thresher", "run", str(portal), *QUICK, "--set", "learn.pages=2000"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    _wait_for(portal, "learn", child)
    child.send_signal(signal.SIGINT)
    said = child.communicate()[0].decode()
    assert child.returncode == 130
    assert "with fewer than 5, its figures are unreliable" in said
    assert said.splitlines()[-1] == f"Interrupted; everything fetched is kept. Continue: thresher run {portal}"


def test_a_run_interrupted_between_crawls_prints_its_object(
    tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    portal = portal_in(tmp_path / "p", web)

    async def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thresher.runs.whole.run_whole", pressed)
    found = told(capsys, "run", str(portal), code=130)
    assert (found["stage"], found["kind"], found["pages"]) == ("train", None, 0)


def test_a_run_interrupted_after_topics_changed_is_not_done(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    portal = tmp_path / "copy"
    shutil.copytree(whole, portal)
    tree = load_topics(portal)
    save_topics(portal, put(tree, ("New",), Topic(name="", pages=(TrainingPage(WEB.start_pages()[0]),))))

    async def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("thresher.runs.whole.run_whole", pressed)
    assert told(capsys, "run", str(portal), code=130)["stage"] == "train"


def test_seeds_without_a_url_are_told_also_in_a_portal_that_is_there(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seeds.txt").write_text("htp:/wrong\n")
    error = told(capsys, "ask", str(whole), "boats", "--seeds", str(tmp_path / "seeds.txt"), code=7)["error"]
    assert "line 1: 'htp:/wrong'" in error


def test_a_harvest_broken_off_has_enough_where_no_more_is_asked_for(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    portal = tmp_path / "copy"
    shutil.copytree(whole, portal)
    with closing(open_store(portal)) as store:
        crawl = store.crawls.get()
        assert crawl is not None
        broken_off = msgspec.structs.replace(crawl.progress, stopped_because="interrupted")
        store.commit(Batch(crawl=crawl.id, at=1.0, progress=broken_off))
    assert told(capsys, "run", str(portal), "--pages", "100")["stage"] == "done"


def _wait_for(portal: Path, kind: str, child: "subprocess.Popen[bytes]") -> None:
    """Wait until a crawl of a kind has committed a few pages."""

    def going() -> bool:
        assert child.poll() is None, "it ended before it could be killed"
        store = open_store(portal, read_only=True)
        crawl = store.crawls.get()
        store.close()
        return crawl is not None and crawl.kind == kind and crawl.progress.pages > 5

    until(going, f"there was no {kind}")


def test_a_question_gets_answers_and_changes_no_topic(
    whole: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, web: Served
) -> None:
    store = open_store(whole, read_only=True)
    pages = [store.documents.document(ident) for ident in _ids(store)]
    harvest = store.crawls.get()
    store.close()
    assert harvest is not None
    page = next(page for page in pages if page is not None and page.judgement and page.judgement.topic in TOPICS)
    query = " ".join(sorted(page.terms, key=lambda stem: -page.terms[stem])[:4])
    untouched = load_topics(whole)
    found = told(capsys, "ask", str(whole), query, "--pages", "15", *QUICK)
    assert (found["query"], found["kind"], found["pages"]) == (query, "ask", 15)
    assert found["answers"]
    assert all(set(answer) == {"url", "title", "score", "confidence", "lacks"} for answer in found["answers"])
    scores = [answer["score"] for answer in found["answers"]]
    assert scores == sorted(scores, reverse=True)
    assert found["found"].endswith("contain all the words.") == bool(found["whole"])
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("\n".join(web.start_pages))
    missed = told(capsys, "ask", str(whole), f"zyxomma {query}", "--pages", "5", "--seeds", str(seeds), *QUICK)
    assert (missed["whole"], missed["missing"]) == (0, ["zyxomma"])
    assert all("zyxomma" in answer["lacks"] for answer in missed["answers"])
    for empty in ("", " ", "?!"):
        assert "no searchable words" in told(capsys, "ask", str(whole), empty, code=7)["error"]
    assert load_topics(whole) == untouched
    resumed = told(capsys, "resume", str(whole), "--pages", str(harvest.progress.pages + 3))
    assert (resumed["crawl"], resumed["kind"]) == (harvest.id, "harvest")
    error = told(capsys, "ask", str(tmp_path / "new"), "a question", code=7)
    assert "--seeds" in error["remedy"]
    code = told(capsys, "ask", str(tmp_path / "new"), query, "--seeds", str(seeds), code=3)
    assert "contact" in code["remedy"]
