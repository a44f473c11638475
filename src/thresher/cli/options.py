"""Arguments and options that many commands share."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from thresher.errors import UsageError

Portal = Annotated[Path, typer.Argument(metavar="PORTAL", help="Directory of the portal.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on one line.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="Measure less, in at most three minutes; explicit options still apply.")
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override a setting for this call; repeatable.")
]
Manners = Annotated[
    bool, typer.Option("--manners", help="Crawl politely, on virtual time: robots.txt, delays, parallel fetches.")
]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", envvar="THRESHER_DATA", help="Directory of the public datasets."),
]

Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="DIR", help="Keep synthetic portals in DIR, and use those that are there."),
]


def action_argument(actions: Sequence[str]) -> Any:
    """Return the argument for what a command does with a portal; shells complete its values."""

    def completed(incomplete: str) -> list[str]:
        return [action for action in actions if action.startswith(incomplete)]

    return typer.Argument(metavar="[ACTION]", help=f"{', '.join(actions)}.", autocompletion=completed)


def size_of(given: int | None, quick: bool, small: int, usual: int) -> int:
    """Return how much to measure: what was requested, else less with `--quick` than without.

    >>> size_of(None, True, 10, 100), size_of(None, False, 10, 100), size_of(7, True, 10, 100)
    (10, 100, 7)
    """
    return given if given is not None else small if quick else usual


def words_of(text: str) -> list[str]:
    """Split the value of an option at commas; each word is returned once.

    >>> words_of("tune, report,,tune")
    ['tune', 'report']
    """
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


@contextmanager
def kept_folder(keep: Path | None, name: str) -> Iterator[Path]:
    """Yield a named folder in a directory that is kept, or a temporary folder."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
            yield Path(folder)
    else:
        (keep / name).mkdir(parents=True, exist_ok=True)
        yield keep / name


def one_of(kind: Any, option: str, word: str) -> Any:
    """Return the word if the literal type allows it, else raise UsageError."""
    words = get_args(kind)
    if word not in words:
        raise UsageError(f"{option} cannot be '{word}'.", f"Choose one of: {', '.join(words)}.")
    return word
