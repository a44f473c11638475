"""What strangers wrote is shown and never obeyed: titles, addresses, names of topics and files, in every command."""

import io
import json
import re
import shlex
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console

from tests.store.rows import document, link, url_row, visit
from thresher.cli.display import Display
from thresher.cli.main import call
from thresher.cli.output import hint, json_line
from thresher.cli.screen import Screen, bold, harmless
from thresher.portals import create_portal
from thresher.shell_words import shell_words
from thresher.store.records import Batch, CrawlState, EventRow, Progress
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, name_of, put, written
from thresher.types import Judgement
from thresher.web.urls import canonical

LINKED = r"\[link=file:///etc/passwd]x\[/link]"
HOSTILE = [
    r"\[/x]",
    LINKED,
    "[/]",
    "[bold]",
    "\\",
    ":smile:",
    "\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\",
    "\x1b[2J",
    "\x9b31m",
    "a\x85b",
    "a\u2028b",
    "\u202eexe.txt",
    "\u2066x\u2069",
    "{task.description}",
    "%s",
    "$(reboot)",
    "'; reboot; '",
]
FORBIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What no command may write, but for line ends and what our own colours and displays need."""
OUR_OWN = re.compile(r"\x1b\[([0-9;]*m|\?25[lh]|1A|2K)|\r")

hostile = st.one_of(
    st.sampled_from(HOSTILE),
    st.lists(st.sampled_from([*HOSTILE, *r"\[]/= a:"]), min_size=1, max_size=6).map("".join),
    st.text(min_size=1, max_size=30),
)


def shown_on_terminal(*parts: str) -> str:
    screen, out = Screen(), io.StringIO()
    screen.rich = Console(
        file=out, force_terminal=True, soft_wrap=True, highlight=False, markup=False, emoji=False, width=10_000
    )
    screen.print(*parts, bold(parts[0]))
    return out.getvalue()


@given(hostile)
@example(LINKED)
def test_a_line_shows_any_text_as_it_is(text: str) -> None:
    said = shown_on_terminal(text)
    assert said.endswith("\n")
    assert OUR_OWN.sub("", said) == (harmless(text) * 2).rstrip() + "\n"
    assert not FORBIDDEN.search(OUR_OWN.sub("", said))


@given(st.lists(hostile, min_size=1), st.integers(4, 40))
def test_a_narrow_terminal_breaks_lines_between_words_only(texts: list[str], width: int) -> None:
    screen, out = Screen(), io.StringIO()
    screen.rich = Console(
        file=out, force_terminal=True, soft_wrap=True, color_system=None, markup=False, emoji=False, width=width
    )
    screen.print(*texts, " ", bold("thresher pages 'my portal'"))
    lines = out.getvalue().splitlines()
    assert " ".join(lines).split() == (harmless("".join(texts)) + " thresher pages 'my portal'").split()
    assert any("thresher pages 'my portal'" in line for line in lines)


@given(st.dictionaries(hostile, hostile))
def test_json_escapes_what_a_terminal_acts_on_and_loses_nothing(value: dict[str, str]) -> None:
    line = json_line(value)
    assert line.count("\n") == 1
    assert not FORBIDDEN.search(line)
    assert json.loads(line) == value


def test_bytes_of_a_file_name_that_is_no_utf_8_leave_json_readable() -> None:
    line = json_line({"portal": "p\udcff", "all": ["\udce4", {"\udcff": 1}]})
    assert json.loads(line.encode()) == {"portal": "p\ufffd", "all": ["\ufffd", {"\ufffd": 1}]}


@given(st.lists(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20), min_size=1))
@settings(max_examples=20)
@example(["\u202ea'b", "-rf", "", "$(reboot)", "two\nlines"])
def test_commands_can_be_pasted_whatever_their_words(words: list[str]) -> None:
    pasted = shell_words(words)
    assert harmless(pasted) == pasted
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {pasted}"], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == words


def test_a_path_that_looks_like_an_option_is_none() -> None:
    assert shlex.split(hint("resume", Path("--help")))[1:] == ["resume", "./--help"]
    assert shell_words([Path("a\udcff")]) == "$'a\\xff'"


def portal_with(folder: Path, title: str, path: str, topic: str, kind: str) -> tuple[Path, str]:
    """Make a portal whose stored page, link, topic, event and folder bear such names; return it and the page's URL."""
    url = canonical(f"http://a.test/{path}") or "http://a.test/"
    portal = folder / name_of(re.sub(r"[/\x00\ud800-\udfff]", "", kind)[:40])
    if portal.name in (".", ".."):
        portal = folder / "p"
    name = name_of(topic.encode("utf-8", "replace").decode())
    create_portal(portal, url, put(Taxonomy(), (name,), Topic(name="", pages=(TrainingPage(url, title=title),))))
    with closing(open_store(portal)) as store:
        crawl = store.crawls.start("crawl", "breadth-first", {}, 0.0)
        found = written((name,))
        page = document(
            url,
            title=title,
            links=[link(url, title), link("http://b.test/", title)],
            judgement=Judgement(topic=found, confidence=1.0, probability=0.9),
        )
        store.commit(
            Batch(
                crawl=crawl.id,
                at=1.0,
                urls=[url_row(url, anchor=title), url_row("http://b.test/", parent=url, anchor=title)],
                visits=[visit(url, detail=title)],
                documents=[page],
                events=[EventRow(at=1.0, kind="told", detail={title: title})],
                progress=Progress(pages=1, errors={"timeout": 1}, stopped_because=title),
            )
        )
    return portal, url


COMMANDS = [
    "status",
    "log",
    "pages",
    "explain",
    "topics",
    "rank",
    "config",
    "doctor",
    "new",
    "features",
    "train",
    "resume",
    "search",
    "similar",
    "neighbours",
    "index",
]


def arguments(command: str, portal: Path, url: str, topic: str) -> list[str]:
    match command:
        case "explain" | "similar" | "neighbours":
            return [command, str(portal), url]
        case "search":
            return [command, str(portal), f"topic:any {topic}", "--facets", "--why"]
        case "config":
            return ["config", "show", str(portal)]
        case "features":
            return ["features", str(portal), f"t{topic}"]
        case "new":
            return ["new", str(portal), "--query", f"q{topic}"]
        case "train" | "resume":
            # Unknown settings: the error repeats what was typed.
            return [command, str(portal), "--set", f"x{topic}=1"]
        case _:
            return [command, str(portal)]


@pytest.mark.slow
@given(hostile, hostile, hostile, hostile)
@settings(max_examples=6)
@example(LINKED, r"q?a=\[/x]", LINKED, r"\[/nope]")
@example("\x1b[2J\u202e", "\u202e", "\u202e[/]", "\x1b[2J")
def test_no_command_obeys_a_page(title: str, path: str, topic: str, folder: str) -> None:
    clean = [text.encode("utf-8", "replace").decode().replace("\x00", "") for text in (title, path, topic)]
    with tempfile.TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patched:
        patched.setenv("FORCE_COLOR", "1")
        patched.setenv("TERM", "xterm-256color")
        portal, url = portal_with(Path(directory), clean[0], clean[1], clean[2], folder)
        for command in COMMANDS:
            for also in ([], ["--json"]):
                out, err = io.StringIO(), io.StringIO()
                patched.setattr("sys.stdout", out)
                patched.setattr("sys.stderr", err)
                code = call([*arguments(command, portal, url, clean[2]), *also])
                patched.undo()
                patched.setenv("FORCE_COLOR", "1")
                said = out.getvalue() + err.getvalue()
                assert "unforeseen" not in said, said
                assert code in (0, 1, 2, 3, 4, 7), (command, said)
                assert not FORBIDDEN.search(OUR_OWN.sub("", said)), (command, said)
                if also and command not in ("train", "resume"):
                    assert all(json.loads(line) for line in said.splitlines())


def test_a_page_cannot_write_a_link_into_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    portal, url = portal_with(tmp_path, LINKED, r"q?a=\[/x]", "t", "p")
    assert call(["log", str(portal)]) == 0
    assert LINKED in capsys.readouterr().out
    assert call(["explain", str(portal), url]) == 0
    assert LINKED in capsys.readouterr().out


def test_the_live_display_obeys_no_reason_and_no_news() -> None:
    screen, out = Screen(), io.StringIO()
    screen.rich = Console(file=out, force_terminal=True, markup=False, emoji=False, width=200)
    with Display(screen) as display:
        display.stage(f"{LINKED}: \x1b]8;;x\x07")
        display.tell(f"\x1b]8;;x\x07 {LINKED}")
        display.show(Progress(pages=1, errors={"\x1b]8;;x\x07": 1}, state=CrawlState.PAUSED, stopped_because=LINKED))
    assert "\x1b]8" not in out.getvalue()
    assert r"\[link=file" in out.getvalue()
