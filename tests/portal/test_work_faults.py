"""What work says when it fails, and how far it has got, in the reader's language."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.portal.made import Made
from thresher.cli.steps import FILE, Steps
from thresher.portal.messages import LANGUAGES, messages_in
from thresher.portal.work_faults import FAULTS, REASONS, WorkFault, fault_in, fault_of
from thresher.store.portal_records import Role
from thresher.store.work_records import FOLDER, WorkKind, WorkRow, step_file
from thresher.work_steps import StepTold, WorkStep

SOURCE = Path(__file__).parents[2] / "src" / "thresher"
PLACES = ("train", "organise", "runs", "api", "models.py")


@cache
def sentences() -> list[str]:
    """Return the texts of the modules whose errors a keeper can meet, a 7 in each place that is filled."""
    files = [file for place in PLACES for file in sorted((SOURCE / place).rglob("*.py")) or [SOURCE / place]]
    found: list[str] = []
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.JoinedStr):
                found.append(
                    "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


@pytest.mark.parametrize(("pattern", "name"), FAULTS, ids=[name for _, name in FAULTS])
def test_every_known_sentence_is_still_said_by_a_command(pattern: re.Pattern[str], name: str) -> None:
    assert any(pattern.search(sentence) for sentence in sentences()), f"no command says {pattern.pattern!r} ({name})"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_and_every_step_has_a_message(language: str) -> None:
    messages = messages_in(language)
    wanted = [f"fault.{name}" for name in ("other", *REASONS, *(name for _, name in FAULTS))]
    wanted += [f"step.{step}" for step in WorkStep]
    assert [name for name in wanted if not messages.has(name)] == []


def test_a_remedy_names_no_command() -> None:
    for language in LANGUAGES:
        for _, name in FAULTS:
            sentence = messages_in(language).say(f"fault.{name}", n=3, needed=5, topic="T", name="N", pages=8, number=9)
            assert "thresher" not in sentence
            assert "--" not in sentence


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            '{"error":"There are 2 answers to learn from; 5 are needed.","reason":"input","remedy":"More."}',
            "few_answers",
        ),
        ("Training.\nError: my-portal has no topics.\nAdd one: thresher topics my-portal add\n", "no_topics"),
        ('{"error":"Odd.","reason":"portal-full","remedy":""}', "portal-full"),
        ("Error: Something that nobody knows.", "other"),
    ],
)
def test_the_log_of_failed_work_says_why(log: str, message: str) -> None:
    found = fault_in(log)
    assert found is not None
    assert found.message == f"fault.{message}"
    assert found.is_known is (message != "other")


def test_a_log_without_an_error_says_nothing() -> None:
    assert fault_in("") is None
    assert fault_in('{"error": 7}\n{half') is None
    assert fault_of("", "unheard") == WorkFault("fault.other", {})


def ended(made: Made, log: str, code: int, kind: WorkKind = WorkKind.TRAIN) -> int:
    """Keep a piece of work that has ended, with its log, and return its number."""
    row = made.store.works.add(WorkRow(kind=kind, asked=1.0, user="anna"), [kind])
    assert row is not None
    (made.folder / FOLDER).mkdir(exist_ok=True)
    (made.folder / FOLDER / f"{row.id}.log").write_text(log)
    made.store.works.end(row.id, 5.0, code)
    return row.id


def test_failed_work_is_told_in_german_with_its_log_folded_away(made: Made) -> None:
    number = ended(made, "Error: /srv/p has no topics.\n", 7)
    client = made.signed_in(Role.ADMIN)
    page = client.get(f"/crawl/work/{number}", headers={"accept-language": "de"}).text
    assert "Es gibt noch keine Themen" in page
    assert '<details class="gap"><summary>Technisches Protokoll' in page


def test_a_failed_split_is_told_in_the_portals_words(made: Made) -> None:
    said = '{"error":"Tea has 3 pages of its own with words to compare, too few to be split.","reason":"input"}'
    page = made.signed_in(Role.ADMIN).get(f"/manage/organise/{ended(made, said, 7, WorkKind.SPLIT)}").text
    assert "“Tea” itself has 3 pages with enough words" in page


def test_work_tells_how_far_it_is(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.DEDUPE, asked=made.app.state.library.clock()), [WorkKind.DEDUPE])
    assert row is not None
    file = step_file(made.folder, row.id)
    file.parent.mkdir(exist_ok=True)
    monkeypatch.setenv(FILE, str(file))
    steps = Steps()
    steps(StepTold(WorkStep.COMPARING, 40, 400))
    steps(StepTold(WorkStep.COMPARING, 41, 400))
    assert made.app.state.bench.step(row.id) == StepTold(WorkStep.COMPARING, 40, 400)
    client = made.signed_in(Role.ADMIN)
    for address in (f"/crawl/work/{row.id}", f"/manage/organise/{row.id}", "/crawl"):
        assert "Comparing pages: 40 of 400." in client.get(address).text
    steps(StepTold(WorkStep.COMPARING, 400, 400))
    assert made.app.state.bench.step(row.id) == StepTold(WorkStep.COMPARING, 400, 400)
    file.write_text("{half")
    assert made.app.state.bench.step(row.id) is None


def test_work_does_not_fail_because_nobody_can_be_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FILE, str(tmp_path / "gone" / "1.step"))
    steps = Steps()
    steps(StepTold(WorkStep.NAMING))
    steps.close()
