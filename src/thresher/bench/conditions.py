"""The conditions of a run: where its draw and settings differ from the defaults, as command-line options.

Runs under different conditions have separate records, and are neither averaged nor compared with each other.
"""

import shlex
from collections.abc import Sequence

from thresher.bench.protocol import Draw
from thresher.bench.records import Mode, Record
from thresher.bench.webs.catalogue import kind_of
from thresher.bench.webs.web import Usual


def conditions(web: str, mode: Mode, draw: Draw, settings: Sequence[str] = (), *, manners: bool = False) -> str:
    """Return the unusual conditions of a run, "" if there are none.

    >>> conditions("wikispeedia", "normal", Draw(10, 30, 5)), conditions("wikispeedia", "normal", Draw(4, 12, 4, 1))
    ('', '--examples 4 --wrong 1')
    """
    kind = kind_of(web)
    own_starts = kind is not None and kind.own_starts and mode == "normal"
    usual = kind.usual if kind is not None else Usual()
    told = [f"--examples {draw.examples}"] if draw.examples != usual.examples else []
    # Three negatives per example are usual, however many examples there are.
    told += [f"--negatives {draw.negatives}"] if draw.negatives != 3 * draw.examples else []
    starts, usually = (_starts(number, draw.examples, mode) for number in (draw.start, usual.start))
    told += [f"--start {starts}"] if starts != usually and not own_starts else []
    told += [f"--wrong {draw.wrong}"] if draw.wrong else []
    told += ["--manners"] if manners else []
    return " ".join([*told, *(f"--set {shlex.quote(one)}" for one in settings)])


def conditions_of(record: Record) -> str:
    """Return the unusual conditions of a record's run."""
    draw = Draw(len(record.examples), len(record.negatives), len(record.starts), record.wrong)
    return conditions(record.run.web, record.run.mode, draw, record.changed, manners=record.manners)


def _starts(wanted: int, examples: int, mode: Mode) -> int:
    """Return how many start pages are drawn; in normal mode they are among the examples."""
    return min(wanted, examples) if mode == "normal" else wanted
