"""What commands print: text on a console, or exactly one JSON object on one line."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec

from thresher.api.crawl_summary import crawl_summary as crawl_summary
from thresher.cli.screen import Screen, dim, red
from thresher.counting import counted as counted
from thresher.crawl.budget import Stop
from thresher.errors import ThresherError
from thresher.shell_words import shell_words
from thresher.store.records import CrawlKind, CrawlRow, Progress

_PROGRAM = re.compile(r"(?<![\w/.'\"-])thresher (?=[a-z])")
_ACTIVE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that JSON allows unescaped but terminals act on."""


def print_json(value: Any) -> None:
    """Print one JSON object on one line."""
    sys.stdout.write(json_line(value))
    sys.stdout.flush()


def json_line(value: Any) -> str:
    """Return a value as one line of JSON; characters that a terminal would act on are escaped.

    Bytes of file names that are not UTF-8 become U+FFFD: Python represents them as lone surrogates, which strict JSON
    parsers reject.

    >>> json_line({"title": "\u202eabc"})
    '{"title":"\\\\u202eabc"}\\n'
    """
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = msgspec.json.encode(_without_halves(msgspec.to_builtins(value))).decode()
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def _without_halves(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        case dict():
            return {_without_halves(key): _without_halves(inner) for key, inner in value.items()}
        case list():
            return [_without_halves(inner) for inner in value]
        case _:
            return value


def console(stderr: bool = False) -> Screen:
    """Return the terminal that a command writes to."""
    return Screen(stderr)


def print_error(error: ThresherError, as_json: bool) -> None:
    """Print an error and its remedy on stderr, as text or as JSON."""
    remedy = as_called(error.remedy)
    if as_json:
        body = {"error": error.sentence, "reason": error.reason, "remedy": remedy}
        sys.stderr.write(json_line(body))
        return
    out = console(stderr=True)
    out.print(red("Error:"), f" {error.sentence}")
    if remedy:
        out.print(dim(remedy))


def program() -> str:
    """Return how the user can call this program: its name if it is on the PATH, else its path."""
    called = Path(sys.argv[0])
    if shutil.which("thresher") or called.name != "thresher":
        return "thresher"
    try:
        return str(called.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(called)


def as_called(remedy: str) -> str:
    """Return a remedy in which commands are written as the user can call them.

    >>> as_called("Train it: thresher train my-portal")
    'Train it: thresher train my-portal'
    """
    called = f"{shell_words([program()])} "
    return _PROGRAM.sub(lambda _: called, remedy)


def hint(*words: object) -> str:
    """Return a command that can be pasted into a shell.

    >>> hint("explain", "my-portal", "http://a.test/?id=1&page=2")
    "thresher explain my-portal 'http://a.test/?id=1&page=2'"
    """
    return shell_words([program(), *words])


STOPS = {
    Stop.PAGES: "page budget reached",
    Stop.TIME: "time limit reached",
    Stop.EMPTY: "nothing left to fetch",
    Stop.HARVEST: "harvest rate too low",
    Stop.WANTED: "wanted number of sites found",
    Stop.DEARER: "relevant sites have become much harder to find",
    Stop.INTERRUPTED: "interrupted",
    Stop.REQUESTED: "stop requested",
}


def stop_reason(stopped_because: str) -> str:
    """Return why a crawl stopped, in words; anything that is not a `Stop` is returned unchanged.

    >>> stop_reason("pages"), stop_reason("killed")
    ('page budget reached', 'killed')
    """
    return STOPS[Stop(stopped_because)] if stopped_because in set(Stop) else stopped_because


def going_on(portal: Path, crawl: CrawlRow, progress: Progress) -> str:
    """Return the command that continues a stopped crawl."""
    more = ("--pages", 2 * progress.pages) if progress.stopped_because == Stop.PAGES else ()
    if crawl.kind is CrawlKind.ASK:
        return hint("ask", portal, crawl.query)
    if crawl.kind is CrawlKind.SITES:
        return hint("sites", portal, "run", *more)
    return hint("resume", portal, *more)
