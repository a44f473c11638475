"""What work says when it fails, and how far it has got, in the reader's language."""

import ast
import string
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.portal.made import Made
from thresher.cli.main import call
from thresher.cli.steps import FILE, Steps
from thresher.config.load import load
from thresher.errors import ErrorData, InputError, PortalBusy, SettingsError, ThresherError
from thresher.faults import Fault, Rule, SettingUnfit
from thresher.peers.messages import Refusal
from thresher.peers.using import Unusable
from thresher.portal.messages import LANGUAGES, messages_in
from thresher.portal.work_faults import error_in, fault_of
from thresher.portal_work import do_work
from thresher.reasons import Reason
from thresher.store.decisions import LessonRow, LessonState
from thresher.store.look_ups import QueryLimits
from thresher.store.portal_records import Role
from thresher.store.repository import look_up
from thresher.store.work_records import FOLDER, WorkKind, WorkRow, error_file, step_file
from thresher.work_faults import FAULTS, FewAnswers, FewToSplit, NoTopics, PeerSilent, fault_from
from thresher.work_steps import StepProgress, WorkStep

SOURCE = Path(__file__).parents[2] / "src" / "thresher"

ERRORS = {"UsageError", "PortalError", "InputError", "SettingsError", "PluginError", "ThresherError"}
"""Those of the other classes have a fault by their class."""

OF_WORK = (
    *("train", "organise", "runs", "crawl", "reading", "strategies", "config", "peers"),
    *("models.py", "plugins.py", "parameters.py", "web/guard.py", "web/user_agent.py", "learn/model_file.py"),
    *("api/answers.py", "api/organising.py", "api/peers.py", "store/disk_failures.py", "store/repository.py"),
    *("store/sqlite/failures.py", "store/sqlite/migrations.py", "store/sqlite/ownership.py", "taxonomy/topics_file.py"),
    "store/sqlite/look_ups.py",
)
"""Where the errors of work are made that the portal starts."""

OF_TERMINALS = ("runs/asking.py", "runs/browser_history.py", "runs/crawl_sessions.py", "runs/serving.py")
"""Parts of those that only commands at a terminal use."""


def files_of_work() -> list[Path]:
    found = [file for place in OF_WORK for file in sorted((SOURCE / place).rglob("*.py")) or [SOURCE / place]]
    return [file for file in found if str(file.relative_to(SOURCE)) not in OF_TERMINALS]


def samples(kind: type[Fault]) -> dict[str, Any]:
    """Return values for the places of a fault: its numbers, and texts that must not become tags."""
    fields = msgspec.structs.fields(kind)
    made: dict[Any, Any] = {int: 3, str: "<b>x</b>", Rule: Rule.LEAST}
    return {field.name: "timeout" if field.name == "reason" else made[field.type] for field in fields}


@pytest.mark.parametrize("file", files_of_work(), ids=lambda file: str(file.relative_to(SOURCE)))
def test_every_error_of_work_carries_a_fault(file: Path) -> None:
    """Three arguments are a sentence, a remedy and a fault."""
    bare = [
        node.lineno
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS
        if len(node.args) < 3 and not any(keyword.arg == "fault" for keyword in node.keywords)
    ]
    assert bare == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", FAULTS.values(), ids=list(FAULTS))
def test_every_fault_is_said_in_every_language(kind: type[Fault], language: str) -> None:
    fault = kind(**samples(kind))
    messages = messages_in(language)
    shown = fault_of(InputError("Plain.", "", fault).told())
    said = " ".join(messages.say(part.message, **part.places) for part in shown.parts)
    assert "thresher" not in said, "a keeper has no terminal"
    assert "--" not in said
    assert "<b>" not in said, "values are escaped"
    if "<b>x</b>" in fault.values.values():
        assert "&lt;b&gt;" in said, "no value is left out"
    assert shown.sentence == ("" if fault.says_all else "Plain.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_left_of_a_fault_that_is_gone(language: str) -> None:
    messages = messages_in(language)
    said = messages.keys()
    assert {key for key in said if key.startswith("fault.")} == {f"fault.{name}" for name in ("other", *FAULTS)}
    rules = set(Rule) - {Rule.OTHER}
    assert {key for key in said if key.startswith("setting.")} == {f"setting.{rule}" for rule in rules}
    assert [step for step in WorkStep if not messages.has(f"step.{step}")] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", FAULTS.values(), ids=list(FAULTS))
def test_a_message_has_no_places_that_its_fault_does_not_fill(kind: type[Fault], language: str) -> None:
    name = f"fault.{kind(**samples(kind)).kind}"
    places = {place for form in messages_in(language).forms(name) for _, place, _, _ in string.Formatter().parse(form)}
    assert places - {None} <= set(samples(kind))


@pytest.mark.parametrize("kind", FAULTS.values(), ids=list(FAULTS))
def test_a_fault_passes_between_processes(kind: type[Fault]) -> None:
    fault = kind(**samples(kind))
    told = msgspec.json.decode(msgspec.json.encode(ThresherError("Odd.", "", fault).told()), type=ErrorData)
    assert fault_from(told.fault) == fault


def test_errors_of_some_classes_have_a_fault_by_their_class() -> None:
    assert fault_of(PortalBusy("Busy.", "Wait.").told()).parts[0].message == "fault.portal-in-use"
    assert fault_of(ErrorData("Odd.", reason="portal-full")).parts[0].message == "fault.disk-full"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_another_portal_is_said(language: str) -> None:
    messages = messages_in(language)
    for reason in (*Refusal, *Unusable, *Reason):
        shown = fault_of(InputError("Plain.", "", PeerSilent(address="https://a.example/", reason=reason)).told())
        assert [messages.has(part.message) for part in shown.parts] == [True, True], reason
        assert shown.sentence == ""


def test_a_fault_of_a_later_program_is_shown_by_its_sentence() -> None:
    shown = fault_of(ErrorData("The tea is cold.", fault={"kind": "cold-tea", "degrees": 7}))
    assert ([part.message for part in shown.parts], shown.sentence) == (["fault.other"], "The tea is cold.")


@pytest.mark.parametrize(
    ("override", "rule", "limit"),
    [
        ("crawl.pages=-1", Rule.LEAST, "0"),
        ('crawl.pages="many"', Rule.WHOLE, ""),
        ("portal.language=fr", Rule.CHOICE, "en, de"),
        ("network.allow=7", Rule.LIST, ""),
        ("network.allow=['a b']", Rule.HOST, ""),
    ],
)
def test_a_setting_that_does_not_fit_names_the_rule(made: Made, override: str, rule: Rule, limit: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(made.folder, [override])
    assert caught.value.fault == SettingUnfit(override.partition("=")[0], rule, limit)


@pytest.mark.parametrize(
    ("log", "error"),
    [
        ('{"error":"There are 2 answers.","reason":"input","remedy":"More."}', "There are 2 answers."),
        (
            "Training.\nError: tea has no topics.\nAdd one: thresher topics tea add\n",
            "tea has no topics.",
        ),
        ('Error: Early.\n{"pages": 7}\n{half', "Early."),
    ],
)
def test_a_log_of_an_earlier_program_still_tells_the_sentence(log: str, error: str) -> None:
    found = error_in(log)
    assert found is not None
    assert found.error == error
    assert fault_of(found).sentence == error


def test_a_log_without_an_error_says_nothing() -> None:
    assert error_in("") is None
    assert error_in('{"error": 7}\n{half') is None


def test_a_command_tells_its_error_as_data(made: Made) -> None:
    told: list[ThresherError] = []
    assert call(["train", str(made.folder / "nowhere"), "--json"], told.append) == 4
    assert [error.fault.kind for error in told if error.fault] == ["portal-unusable"]
    assert call(["train", "--no-such-option"], told.append) == 2
    assert [error.fault.kind for error in told if error.fault] == ["portal-unusable", "request-unfit"]


def test_work_leaves_its_error_for_the_portal(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.ANSWERS, asked=1.0, arguments=("undo",)), [])
    assert row is not None
    (made.folder / FOLDER).mkdir(exist_ok=True)
    monkeypatch.setenv(FILE, "")
    assert do_work(made.folder, row.id) == 7
    left = made.app.state.bench.error(row.id)
    assert left is not None
    assert left.fault in ({"kind": "no-lesson"}, {"kind": "nothing-to-undo"})
    assert error_file(made.folder, row.id).stat().st_mode & 0o077 == 0


def ended(made: Made, error: ErrorData | str, code: int, kind: WorkKind = WorkKind.TRAIN) -> int:
    """Keep a piece of work that has ended, with its error or its log, and return its number."""
    row = made.store.works.add(WorkRow(kind=kind, asked=1.0, user="anna"), [kind])
    assert row is not None
    (made.folder / FOLDER).mkdir(exist_ok=True)
    if isinstance(error, str):
        (made.folder / FOLDER / f"{row.id}.log").write_text(error)
    else:
        error_file(made.folder, row.id).write_bytes(msgspec.json.encode(error))
    made.store.works.end(row.id, 5.0, code)
    return row.id


def test_failed_work_is_told_in_german_with_its_log_folded_away(made: Made) -> None:
    number = ended(made, InputError("/srv/p has no topics.", "Add one.", NoTopics()).told(), 7)
    client = made.signed_in(Role.ADMIN)
    page = client.get(f"/crawl/work/{number}", headers={"accept-language": "de"}).text
    assert "Es gibt noch keine Themen" in page
    assert "has no topics" not in page
    assert "Es gibt noch keine Themen" in client.get("/crawl/log", headers={"accept-language": "de"}).text
    assert '<details class="gap"><summary>Technisches Protokoll' in page


def test_an_old_record_without_a_fault_still_shows(made: Made) -> None:
    number = ended(made, "Training.\nError: <i>Odd</i>.\n", 7)
    page = made.signed_in(Role.ADMIN).get(f"/crawl/work/{number}", headers={"accept-language": "de"}).text
    assert 'Das ist nicht gelungen. <span class="small" lang="en">&lt;i&gt;Odd&lt;/i&gt;.</span>' in page
    error_file(made.folder, number).write_text("{half")
    assert "&lt;i&gt;Odd" in made.signed_in(Role.ADMIN).get(f"/crawl/work/{number}").text


def test_a_failed_split_is_told_in_the_portals_words(made: Made) -> None:
    said = InputError("Tea has 3 pages.", "Crawl.", FewToSplit(topic="<Tea>", n=3, needed=8)).told()
    page = made.signed_in(Role.ADMIN).get(f"/manage/organise/{ended(made, said, 7, WorkKind.SPLIT)}").text
    assert "“&lt;Tea&gt;” itself has only 3 pages with enough words; a split needs 8" in page


def test_a_failed_lesson_is_told_in_the_readers_language(made: Made) -> None:
    failed = InputError("There are no answers.", "Decide.", FewAnswers(n=0, needed=5)).told()
    made.store.lessons.put(LessonRow(at=1.0, state=LessonState.FAILED, report=msgspec.to_builtins(failed)))
    client = made.signed_in(Role.ADMIN)
    assert "Es gibt noch keine Entscheidung" in client.get("/review", headers={"accept-language": "de"}).text
    made.store.lessons.put(LessonRow(at=2.0, state=LessonState.FAILED, report={"error": "<i>Odd</i>."}))
    assert "&lt;i&gt;Odd" in client.get("/review").text


def test_what_a_keeper_may_not_do_is_told_in_the_readers_language(made: Made) -> None:
    client = made.signed_in(Role.ADMIN)
    german = {"accept-language": "de"}
    page = client.get("/manage/topics/preview?edit=move&topic=No/<b>", headers=german)
    assert (page.status_code, "Es gibt kein Thema „No/&lt;b&gt;“" in page.text) == (400, True)
    with pytest.raises(InputError) as caught:
        look_up(made.folder, "SELEC 1", QueryLimits(rows=1))
    shown = fault_of(caught.value.told())
    assert [part.message for part in shown.parts] == ["fault.query-wrong"]
    assert "SELEC" in shown.sentence


def test_work_tells_how_far_it_is(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.DEDUPE, asked=made.app.state.library.clock()), [WorkKind.DEDUPE])
    assert row is not None
    file = step_file(made.folder, row.id)
    file.parent.mkdir(exist_ok=True)
    monkeypatch.setenv(FILE, str(file))
    steps = Steps()
    steps(StepProgress(WorkStep.COMPARING, 40, 400))
    steps(StepProgress(WorkStep.COMPARING, 41, 400))
    assert made.app.state.bench.step(row.id) == StepProgress(WorkStep.COMPARING, 40, 400)
    client = made.signed_in(Role.ADMIN)
    for address in (f"/crawl/work/{row.id}", f"/manage/organise/{row.id}", "/crawl"):
        assert "Comparing pages: 40 of 400." in client.get(address).text
    steps(StepProgress(WorkStep.COMPARING, 400, 400))
    assert made.app.state.bench.step(row.id) == StepProgress(WorkStep.COMPARING, 400, 400)
    file.write_text("{half")
    assert made.app.state.bench.step(row.id) is None


def test_work_does_not_fail_because_nobody_can_be_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FILE, str(tmp_path / "gone" / "1.step"))
    steps = Steps()
    steps(StepProgress(WorkStep.NAMING))
    steps.close()
