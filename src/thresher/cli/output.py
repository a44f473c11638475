"""What commands print: a person's text on a console, or exactly one JSON object on one line."""

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from thresher.errors import ThresherError
from thresher.store.records import CrawlRow, Progress

_PROGRAM = re.compile(r"(?<![\w/.'\"-])thresher (?=[a-z])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_json(value: Any) -> None:
    """Print one JSON object on one line."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def console(stderr: bool = False) -> Console:
    """Return a console that neither breaks addresses nor colours what is piped."""
    return Console(stderr=stderr, soft_wrap=True, highlight=False)


def print_error(error: ThresherError, as_json: bool) -> None:
    """Print an error on stderr: one sentence and what to do, or the same as JSON."""
    remedy = as_called(error.remedy)
    if as_json:
        body = {"error": error.sentence, "reason": error.reason, "remedy": remedy}
        sys.stderr.write(msgspec.json.encode(body).decode() + "\n")
        return
    out = console(stderr=True)
    out.print(f"[red]Error:[/] {plain(error.sentence)}")
    if remedy:
        out.print(f"[dim]{plain(remedy)}[/]")


def crawl_summary(portal: str, crawl: CrawlRow | None, progress: Progress) -> dict[str, Any]:
    """Return the object that demo, crawl, refresh, resume and status print under `--json`.

    `harvest_rate` is the share of pages accepted by a topic, null where there are no topics; without a crawl, `crawl`,
    `kind` and `strategy` are null.
    """
    rate = progress.pages / progress.seconds if progress.seconds > 0 else 0.0
    harvest = None if progress.accepted is None else progress.accepted / max(1, progress.pages)
    return {
        "portal": portal,
        "crawl": crawl.id if crawl else None,
        "kind": crawl.kind if crawl else None,
        "strategy": crawl.strategy if crawl else None,
        "state": progress.state.value,
        "pages": progress.pages,
        "queued": progress.queued,
        "in_flight": progress.in_flight,
        "seconds": round(progress.seconds, 3),
        "pages_per_second": round(rate, 3),
        "harvest_rate": harvest,
        "errors": progress.errors,
        "refused": progress.refused,
        "cut": progress.cut,
        "duplicates": progress.duplicates,
        "unchanged": progress.unchanged,
        "changed": progress.changed,
        "gone": progress.gone,
        "stopped_because": progress.stopped_because or None,
    }


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number of things as people say it; `more` is the plural where it is not made with an s.

    >>> counted(1, "topic"), counted(1200, "topic"), counted(2, "try", "tries")
    ('1 topic', '1,200 topics', '2 tries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def program() -> str:
    """Return how the person can call this program again: by its name where that is found, else by its path."""
    called = Path(sys.argv[0])
    if shutil.which("thresher") or called.name != "thresher":
        return "thresher"
    try:
        return str(called.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(called)


def as_called(remedy: str) -> str:
    """Return a remedy whose commands begin as the person can call this program.

    >>> as_called("Train it: thresher train my-portal")
    'Train it: thresher train my-portal'
    """
    called = f"{shlex.quote(program())} "
    return _PROGRAM.sub(lambda _: called, remedy)


def hint(*words: object) -> str:
    """Return a command the person can paste into a shell, for a console.

    >>> hint("explain", "my-portal", "http://a.test/?id=1&page=2")
    "thresher explain my-portal 'http://a.test/?id=1&page=2'"
    """
    return plain(shlex.join([program(), *map(str, words)]))


def plain(text: str) -> str:
    """Return text that a console shows as it is: brackets are no markup, and control characters cannot act."""
    return _CONTROL.sub("\ufffd", text).replace("[", r"\[")
