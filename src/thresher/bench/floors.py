"""The floor file: the last accepted figures, run by run, with the data and settings behind them.

Every run is stored, not only the mean: the gate compares runs of the same topic and seed set, so the spread between
easy and hard topics does not hide a regression.
"""

import re
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from thresher.bench.comparison import Experiment, figures, share
from thresher.bench.records import Mode
from thresher.bench.statistics import over_topics
from thresher.errors import InputError

FLOORS = Path(__file__).with_name("floors.toml")
"""The floors of this version of the program."""

DIGITS = 4
HEAD = """\
# The figures of the bench that were last accepted; `thresher bench gate` fails when one falls by more than the noise.
# Written by `thresher bench gate DIR --accept`, which only raises them; `--lower REASON` is needed to lower one.
"""

Key = tuple[str, Mode, int, str, str]


class Lowering(Struct, frozen=True):
    """A floor that was lowered on purpose, and why."""

    before: float
    after: float
    reason: str


class Floor(Struct, frozen=True, kw_only=True):
    """The oracle share that a strategy must reach on a web, in a mode, with a budget, under conditions (usually "").

    `shares` holds those of its runs by topic and seed set; `standard_error` is over topics, None if there is one run;
    `data` and `settings` are digests.
    """

    web: str
    mode: Mode
    budget: int
    strategy: str
    oracle_share: float
    standard_error: float | None = None
    runs: int
    data: str
    settings: str
    shares: dict[str, dict[int, float]]
    conditions: str = ""
    lowered: list[Lowering] = []

    @property
    def key(self) -> Key:
        """The key of a floor; there is one floor per key."""
        return (self.web, self.mode, self.budget, self.conditions, self.strategy)


def measured(experiment: Experiment, strategy: str) -> Floor | None:
    """Return the result of a strategy in the form of a floor, or None if there is no oracle share."""
    found = figures(experiment.records, strategy, share())
    mean = over_topics(found)
    if mean is None:
        return None
    shares: dict[str, dict[int, float]] = {}
    for (topic, seed), value in sorted(found.items()):
        shares.setdefault(topic, {})[seed] = round(value, DIGITS)
    own = [one for one in experiment.records if one.run.crawler == strategy]
    return Floor(
        web=experiment.web,
        mode=experiment.mode,
        budget=experiment.budget,
        strategy=strategy,
        oracle_share=round(mean.mean, DIGITS),
        standard_error=None if mean.error is None else round(mean.error, DIGITS),
        runs=len(found),
        data=", ".join(sorted({one.data for one in own})),
        settings=", ".join(sorted({one.settings_digest for one in own})),
        shares=shares,
        conditions=experiment.conditions,
    )


def read_floors(path: Path) -> list[Floor]:
    """Read a floor file; a missing file has no floors."""
    if not path.exists():
        return []
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
        floors = msgspec.convert(tables, dict[str, list[Floor]], str_keys=True).get("floor", [])
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError, msgspec.ValidationError) as wrong:
        remedy = "Take it back from version control."
        raise InputError(f"The floor file '{path}' cannot be read: {wrong}.", remedy) from wrong
    if len({floor.key for floor in floors}) < len(floors):
        raise InputError(f"The floor file '{path}' has two floors for the same figure.", "Delete the lower one.")
    return floors


def write_floors(path: Path, floors: list[Floor]) -> None:
    """Write a floor file, sorted so that diffs are small."""
    text = HEAD + "".join(_entry(floor) for floor in sorted(floors, key=lambda floor: floor.key))
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def _entry(floor: Floor) -> str:
    plain = {name: value for name, value in msgspec.to_builtins(floor).items() if value is not None}
    if not floor.conditions:
        del plain["conditions"]
    shares, lowered = plain.pop("shares"), plain.pop("lowered")
    lines = ["", "[[floor]]", *(f"{name} = {_value(value)}" for name, value in plain.items())]
    for one in lowered:
        lines += ["[[floor.lowered]]", *(f"{name} = {_value(value)}" for name, value in one.items())]
    lines += ["[floor.shares]", *(f"{_value(topic)} = {_value(values)}" for topic, values in shares.items())]
    return "\n".join(lines) + "\n"


def _value(value: str | int | float | dict[int, float]) -> str:
    """Return a value as TOML; special characters in strings are escaped."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{seed} = {share}" for seed, share in value.items()) + " }"
    return str(value)
