"""`Portal` and its pages: what they give, show and refuse, and how long calls end."""

import asyncio
import html
import inspect
import io
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.cli.test_pages import portal as directory  # noqa: F401
from tests.machine import PATIENCE
from thresher import Page, Portal, Progress, ThresherError
from thresher.api import crawls
from thresher.api.overrides import overrides_of
from thresher.api.own_strategies import strategy_name
from thresher.api.progress_line import ProgressLine
from thresher.api.reports import Interrupted
from thresher.bench.crash import Served, served
from thresher.config.load import load
from thresher.errors import InputError, PluginError, PortalError
from thresher.runs.plans import Resume
from thresher.runs.resumption import resume
from thresher.simweb.parameters import WebParameters
from thresher.store.page_records import AcceptedPage
from thresher.store.repository import open_store
from thresher.strategies.unfocused import BreadthFirst


@pytest.fixture
def portal(directory: Path) -> Iterator[Portal]:  # noqa: F811
    with Portal.open(directory) as found:
        yield found


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web"), WebParameters(pages=600, hosts=12, seed=3, profile="clean")) as found:
        yield found


def local(web: Served, **more: Any) -> dict[str, Any]:
    mapped = {"network.map": {"*.test": f"127.0.0.1:{web.port}"}, "manners.delay": 0, "engine.workers": 0}
    return {**mapped, **{key.replace("__", "."): value for key, value in more.items()}}


def test_every_exported_name_is_there_and_documented() -> None:
    assert 10 <= len(thresher.__all__) <= 14
    for name in set(thresher.__all__) - {"__version__"}:
        assert inspect.getdoc(getattr(thresher, name)), name
    assert set(thresher.__all__) <= set(dir(thresher))
    with pytest.raises(AttributeError, match="nothing"):
        _ = thresher.nothing


def test_the_stub_names_what_is_exported() -> None:
    stub = Path(thresher.__file__).with_suffix(".pyi").read_text()
    assert set(re.findall(r'^    "(\w+)",$', stub, re.MULTILINE)) == set(thresher.__all__)
    assert set(re.findall(r"import \w+ as (\w+)", stub)) == set(thresher.__all__) - {"__version__"}


def test_pages_come_best_first_and_can_be_cut(portal: Portal) -> None:
    pages = portal.pages()
    assert [page.title for page in pages] == [f"Page {number}" for number in (4, 3, 2, 1, 0)]
    assert len(pages) == 5
    assert [page.title for page in pages[1:3]] == ["Page 3", "Page 2"]
    assert [page.title for page in pages[-1:]] == ["Page 0"]
    assert pages[9:] == pages[3:2] == []
    assert [pages[at].title for at in (0, 4, -1, -5)] == ["Page 4", "Page 0", "Page 0", "Page 4"]
    for place in (5, -6):
        with pytest.raises(IndexError, match="among 5"):
            pages[place]
    assert [page.title for page in portal.pages("Pets/Cats")] == ["Page 3", "Page 1"]
    assert portal.topics == ["Pets", "Pets/Cats", "Empty"]
    with pytest.raises(ValueError):
        pages[::2]


def test_a_page_has_its_text_and_data(portal: Portal) -> None:
    (page,) = portal.pages()[:1]
    assert (page.topic, page.confidence, page.probability, page.state) == ("Pets", 4.0, 0.9, "unreviewed")
    assert page.text == "Words of the page."
    assert page.to_dict()["url"] == page.url == "http://a.test/4"


def test_pages_become_a_data_frame(portal: Portal) -> None:
    pytest.importorskip("pandas")
    frame = portal.pages("Pets").to_frame()
    assert list(frame.columns) == ["url", "title", "topic", "confidence", "probability", "found", "state"]
    assert frame["confidence"].tolist() == [4.0, 3.0, 2.0, 1.0, 0.0]
    assert str(frame["found"].dtype).startswith("datetime64")
    assert portal.pages("Empty").to_frame().empty


def test_pages_are_exported(portal: Portal, tmp_path: Path) -> None:
    assert portal.pages("Pets/Cats").export(tmp_path / "cats.csv") == 2
    with pytest.raises(InputError, match="already exists"):
        portal.pages().export(tmp_path / "cats.csv")
    assert portal.pages().export(str(tmp_path / "cats.csv"), overwrite=True) == 5


def test_results_and_explanations_show_themselves_in_a_line(portal: Portal) -> None:
    found = portal.search(number=2)
    assert repr(found) == "<2 of 5 pages for ''>"
    assert repr(found.results[0]).startswith("Result('http://a.test/")
    assert repr(portal.explain("http://a.test/1")) == (
        "Explanation('http://a.test/1', not seen by a crawl, topic Pets/Cats)"
    )
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert (len(frame), frame["url"][0]) == (2, found.results[0].url)


def test_portals_and_pages_show_themselves(portal: Portal) -> None:
    assert repr(portal).endswith("3 topics, 5 accepted pages)")
    assert repr(portal.pages("Pets")) == "<5 accepted pages of Pets>"
    assert "<td>Pets/Cats</td><td>2</td>" in portal._repr_html_()
    assert portal.pages()._repr_html_().count("<tr>") == 6
    assert "<table>" not in portal.pages("Empty")._repr_html_()


def test_a_closed_portal_says_so(directory: Path) -> None:  # noqa: F811
    with Portal.open(directory) as opened:
        assert len(opened.pages()) == 5
    assert repr(opened).endswith(", closed)")
    assert "closed" in opened._repr_html_()
    with pytest.raises(PortalError, match="This portal is closed"):
        len(opened.pages())


def test_a_portal_without_topics_counts_what_it_has_stored(tmp_path: Path) -> None:
    with Portal.create(tmp_path / "p", seeds=["http://a.test/"]) as portal:
        assert repr(portal).endswith("no topics, 0 stored pages)")
        assert "<table>" not in portal._repr_html_()


def test_results_and_explanations_show_themselves_in_a_notebook(portal: Portal) -> None:
    found = portal.search("title:page", number=2)._repr_html_()
    assert found.startswith("<p>2 of 5 pages for &#x27;title:page&#x27;</p><table>")
    assert found.count('<a href="http://a.test/') == 2
    told = portal.explain("http://a.test/1")._repr_html_()
    assert "not seen by a crawl<br>Pets/Cats, confidence 1.00" in told


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
@settings(max_examples=30)
def test_nothing_a_page_says_becomes_markup(title: str, path: str, topic: str) -> None:
    for url in (f"http://a.test/{path}", f"javascript:{path}", f'"><script>{path}'):
        row = AcceptedPage(url_id=1, url=url, title=title, topic=topic, confidence=1.0, probability=0.5, found=0.0)
        shown = Page(row)._repr_html_()
        tags = set(re.findall(r"<(/?\w+)", shown))
        assert tags <= {"p", "/p", "b", "/b", "br", "a", "/a"}
        assert re.findall(r'href="([^"]*)"', shown) in ([], [html.escape(url)])
        assert ("href" in re.sub(r">[^<]*<", "><", shown)) is url.startswith("http")


def test_the_parts_of_a_portal_say_what_they_are(portal: Portal) -> None:
    parts = (portal.answers, portal.archetypes, portal.browsing, portal.crawls, portal.saved_searches)
    assert [repr(part) for part in parts] == [f"{type(part).__name__}({str(portal.path)!r})" for part in parts]


def test_a_class_without_the_methods_of_a_strategy_is_named_as_the_user_wrote_it(portal: Portal) -> None:
    class Nothing:
        pass

    with pytest.raises(PluginError, match=r"^Nothing is not a strategy\."):
        portal.crawl(strategy=Nothing)  # type: ignore[arg-type]


def test_an_unknown_setting_of_a_call_is_not_said_to_be_of_the_command_line(portal: Portal) -> None:
    with pytest.raises(ThresherError) as caught:
        portal.crawl(settings={"manners.dela": 0})
    assert caught.value.sentence == "There is no setting 'manners.dela'."


def test_an_error_shows_its_remedy_below_the_traceback(portal: Portal) -> None:
    with pytest.raises(ThresherError) as caught:
        portal.pages("Pet")
    assert caught.value.__notes__ == ["Did you mean 'Pets'?"]


def test_what_is_not_there_is_refused(portal: Portal, tmp_path: Path) -> None:
    with pytest.raises(PortalError, match="no portal"):
        Portal.open(tmp_path / "nothing")
    with pytest.raises(InputError, match="no topic 'Dogs'"):
        portal.pages("Dogs")
    with pytest.raises(InputError, match="not an http"):
        portal.explain("not an address")
    with pytest.raises(InputError, match="has not been trained"):
        portal.classifier()
    assert issubclass(PortalError, ThresherError)


def test_settings_are_those_of_commands() -> None:
    given = {"crawl.pages": 5, "manners.robots": False, "crawl.exclude": ["*a'b*", '"'], "network.contact": "a\\\\b"}
    found = load(overrides=overrides_of(given)).settings
    assert (found.crawl.pages, found.manners.robots, found.crawl.exclude) == (5, False, ("*a'b*", '"'))
    assert found.network.contact == "a\\\\b"


def test_strategies_are_named_so_that_other_processes_find_them() -> None:
    class Own(BreadthFirst):
        pass

    assert strategy_name(BreadthFirst) == ("thresher.strategies.unfocused:BreadthFirst", True)
    assert strategy_name(Own) == ("thresher_own_strategies:Own", False)
    with pytest.raises(PluginError, match="not a strategy"):
        strategy_name(dict)  # type: ignore[arg-type]


def test_a_crawl_goes_on_with_more_pages_and_begins_again_with_another_strategy(web: Served, tmp_path: Path) -> None:
    seen: list[Progress] = []
    with Portal.create(tmp_path / "p", seeds=web.start_pages, contact="you@example.org") as portal:
        first = portal.crawl(pages=10, settings=local(web), progress=seen.append)
        assert (first.pages, first.stopped_because, first.done) == (10, "pages", True)
        assert seen
        assert all(progress.page_limit == 10 for progress in seen)
        assert seen[-1].pages == 10
        assert portal.crawl(pages=30, settings=local(web)).pages == 30
        crawls = portal._store.crawls
        assert (newest := crawls.get()) is not None
        assert newest.id == 1
        portal.crawl(pages=5, strategy="random(seed=7)", settings=local(web))
        assert (newest := crawls.get()) is not None
        assert (newest.id, newest.strategy) == (2, "random(seed=7)")


def test_settings_of_a_call_apply_when_it_continues_a_crawl(
    web: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Portal.create(tmp_path / "p", seeds=web.start_pages, contact="you@example.org") as portal:
        portal.crawl(pages=5, settings=local(web))
        with monkeypatch.context() as patched:
            plans: list[Resume] = []
            patched.setattr(crawls, "carry_out", lambda plan, _: plans.append(plan))
            portal.crawl(pages=9, settings={"manners.delay": 3})
        assert plans[0].overrides == ["manners.delay=3", "crawl.pages=9"]
        with closing(open_store(portal.path)) as store:
            plan = Resume(portal.path, {"crawl.pages": 20}, overrides=["manners.delay=3"])
            assert resume(store, plan, 0.0).settings.manners.delay == 3
            assert resume(store, Resume(portal.path, {"crawl.pages": 20}), 0.0).settings.manners.delay == 0


def test_a_portal_has_a_status_and_a_log(web: Served, tmp_path: Path) -> None:
    with Portal.create(tmp_path / "p", seeds=web.start_pages, contact="you@example.org") as portal:
        assert portal.created == {
            "portal": str(tmp_path / "p"),
            "seeds": len(web.start_pages),
            "topics": 0,
            "problems": [],
            "notices": [],
        }
        assert (portal.status()["crawl"], portal.crawls.latest()) == (None, None)
        report = portal.crawls.start(pages=5, settings=local(web))
        assert report.summary("p")["stopped_because"] == "pages"
        assert (portal.status()["pages"], portal.status()["process"]) == (5, None)
        assert sum(entry.url is not None for entry in portal.crawls.log()) >= 5
        assert portal.crawls.resume(pages=8).pages == 8
        with pytest.raises(InputError, match="no crawl 7"):
            portal.crawls.log(crawl=7)
        assert portal.crawls.refresh(pages=2, settings=local(web)).progress.unchanged == 2


@pytest.fixture
def usual_interrupts() -> Iterator[None]:
    """Let Ctrl-C mean what it usually does; where tests run in the background of a shell it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_interrupts")
def test_an_interrupted_crawl_stops_cleanly_and_goes_on(web: Served, tmp_path: Path) -> None:
    pressed = threading.Event()

    def press(progress: Progress) -> None:
        if progress.pages >= 20 and not pressed.is_set():
            pressed.set()
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with Portal.create(tmp_path / "p", seeds=web.start_pages, contact="you@example.org") as portal:
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt) as interrupted:
            portal.crawl(pages=500, settings=local(web), progress=press)
        assert time.monotonic() - began < PATIENCE
        stopped = portal.crawls.latest()
        assert stopped is not None
        assert stopped.progress.stopped_because == "interrupted"
        assert isinstance(interrupted.value, Interrupted)
        assert interrupted.value.report is not None
        assert interrupted.value.report.pages == stopped.progress.pages
        assert portal.crawl(pages=stopped.progress.pages + 20, settings=local(web)).pages == stopped.progress.pages + 20


def test_long_calls_work_where_an_event_loop_runs_already(web: Served, tmp_path: Path) -> None:
    async def notebook() -> int:
        with Portal.create(tmp_path / "p", seeds=web.start_pages, contact="you@example.org") as portal:
            return portal.crawl(pages=5, settings=local(web)).pages

    assert asyncio.run(notebook()) == 5


def test_errors_of_long_calls_are_raised_where_they_were_called(tmp_path: Path) -> None:
    with Portal.create(tmp_path / "p") as portal, pytest.raises(InputError, match="no start pages"):
        portal.crawl(pages=5)
    with Portal.open(tmp_path / "p") as portal, pytest.raises(InputError, match="has no topics"):
        portal.train()


def test_the_last_counters_are_shown_also_when_no_line_was_due() -> None:
    out = io.StringIO()
    with closing(ProgressLine(out, every=1e9)) as line:
        line(Progress(pages=1))
        line(Progress(pages=30))
    assert [part.split(",")[0] for part in out.getvalue().split("\r")[1:]] == ["1 page", "30 pages"]
    with closing(ProgressLine(silent := io.StringIO())):
        pass
    assert silent.getvalue() == ""


def test_progress_is_one_line() -> None:
    out = io.StringIO()
    with closing(ProgressLine(out, every=0.0)) as line:
        line(Progress(pages=1, queued=3))
        line(Progress(pages=12, queued=3, page_limit=20, accepted=6))
    first, second = out.getvalue().removeprefix("\r").removesuffix("\n").split("\r")
    assert first.rstrip() == "1 page, 3 queued, 0 s"
    assert second.rstrip() == "12 of 20 pages, 50% accepted, 3 queued, 0 s"
    assert len(first) == len(second)


def test_each_stage_has_a_line_and_its_counters_below() -> None:
    out = io.StringIO()
    with closing(ProgressLine(out, every=0.0)) as line:
        line.stage("Training.")
        line.stage("Harvest.")
        line(Progress(pages=1))
        line(Progress(pages=2))
        line.stage("Harvest: reclassifying.")
    shown = [text.split("\r")[-1].rstrip() for text in out.getvalue().split("\n")]
    assert shown == ["Training.", "Harvest.", "2 pages, 0 queued, 0 s", "Harvest: reclassifying.", ""]


def test_a_portal_checks_itself(portal: Portal) -> None:
    checks = {check.name: check for check in portal.check(deep=True)}
    assert checks["settings"].state == "warn"  # no contact
    assert {check.state for check in checks.values()} <= {"ok", "warn", "fail"}
    (portal.path / "thresher.toml").write_text("[manners]\ndelai = 2\n")
    assert any(check.state == "fail" and "delay" in check.remedy for check in portal.check())


def test_settings_say_where_their_values_come_from(portal: Portal) -> None:
    (portal.path / "thresher.toml").write_text("[manners]\ndelay = 2\n")
    (delay,) = portal.list_settings("manners.delay")
    assert delay.value == 2
    assert delay.source.endswith("thresher.toml")
    assert "seconds" in delay.meaning.lower()
    assert {setting.source for setting in portal.list_settings("harvest")} == {"default"}
    with pytest.raises(ThresherError, match=r"no setting 'manners\.delai'"):
        portal.list_settings("manners.delai")
