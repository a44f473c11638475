"""The gate: checks whether a figure has fallen below its floor by more than the noise.

The noise of a figure is the standard error of the paired differences between the current runs and those of the floor,
times the one-tailed t of α .05. The same code on the same data gives the same crawl, so an unchanged program shows no
difference; a fall of less than `LEAST` passes anyway.

A floor applies to runs of its web, mode, budget and conditions. Each applicable floor must be measured completely:
leaving out a strategy, topic or seed set does not pass the gate.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct
from scipy.special import stdtrit

from thresher.bench.comparison import Experiment, is_oracle
from thresher.bench.floors import Floor, Key, Lowering, measured
from thresher.bench.statistics import estimate

LEAST = 0.005
"""A fall in oracle share that is always tolerated."""
ALPHA = 0.05


class FloorState(StrEnum):
    """The state of a floor."""

    HELD = "held"
    FALLEN = "fallen"
    UNMEASURED = "unmeasured"
    NEW = "new"


PASSED = {FloorState.HELD, FloorState.NEW}


class FloorResult(Struct, frozen=True, kw_only=True):
    """A figure compared with its floor; `noise` is how far it may fall, `sentence` the result in words.

    `floor` is None for a figure without a floor, `now` for a floor that was not measured. `changed` names what differs
    from the time of the floor, `data` or `settings`; the floor applies nevertheless.
    """

    web: str
    mode: str
    budget: int
    strategy: str
    conditions: str = ""
    state: FloorState
    floor: float | None = None
    now: float | None = None
    difference: float | None = None
    noise: float | None = None
    changed: tuple[str, ...] = ()
    sentence: str


def judge(floors: Sequence[Floor], experiments: Sequence[Experiment]) -> list[FloorResult]:
    """Judge every figure of some experiments, and every floor that applies to them."""
    now = _measured(experiments)
    concerned = [floor for floor in floors if floor.key[:-1] in {key[:-1] for key in now}]
    verdicts = [_compared(floor, now.get(floor.key)) for floor in concerned]
    known = {floor.key for floor in floors}
    verdicts += [_new(found) for key, found in now.items() if key not in known]
    return sorted(verdicts, key=lambda one: (one.web, one.mode, one.budget, one.conditions, one.strategy))


def accept(floors: Sequence[Floor], experiments: Sequence[Experiment], lower: str = "") -> list[Floor]:
    """Return the floors raised to the measured figures; a floor falls only with a reason to `lower`, which is recorded.

    Without a reason, a floor stays unchanged unless the figure reaches it over all runs of the floor.
    """
    kept = {floor.key: floor for floor in floors}
    for key, found in _measured(experiments).items():
        old = kept.get(key)
        if old is None:
            kept[key] = found
            continue
        verdict = _compared(old, found)
        if verdict.difference is not None and verdict.difference >= 0:
            kept[key] = msgspec.structs.replace(found, lowered=old.lowered)
        elif lower:
            note = Lowering(old.oracle_share, found.oracle_share, lower)
            kept[key] = msgspec.structs.replace(found, lowered=[*old.lowered, note])
    return list(kept.values())


def noise(differences: Sequence[float]) -> float:
    """Return how far the mean of differences may fall by chance, at least `LEAST`.

    >>> noise([0.0, 0.0, 0.0])
    0.005
    >>> round(noise([-0.1, 0.1, -0.05, 0.05]), 3)
    0.107
    """
    found = estimate(differences)
    if found is None or found.error is None:
        return LEAST
    return max(LEAST, float(stdtrit(found.n - 1, 1 - ALPHA)) * found.error)


def _measured(experiments: Sequence[Experiment]) -> dict[Key, Floor]:
    """Return the result of each strategy except the oracle."""
    found = [
        measured(experiment, strategy)
        for experiment in experiments
        for strategy in experiment.strategies
        if not is_oracle(strategy)
    ]
    return {one.key: one for one in found if one is not None}


def _compared(floor: Floor, now: Floor | None) -> FloorResult:
    name = _name(floor)
    if now is None:
        return _verdict(
            floor, None, FloorState.UNMEASURED, f"{name} has a floor of {floor.oracle_share:.3f} and was not run."
        )
    missing = [topic for topic, shares in floor.shares.items() if shares.keys() - now.shares.get(topic, {}).keys()]
    if missing:
        sentence = f"{name} lacks runs that its floor has, on {', '.join(missing)}."
        return _verdict(floor, now, FloorState.UNMEASURED, sentence)
    differences = [
        now.shares[topic][seed] - share for topic, shares in floor.shares.items() for seed, share in shares.items()
    ]
    difference = sum(differences) / len(differences)
    allowed = noise(differences)
    if difference >= -allowed:
        sentence = f"{name} holds: {difference:+.3f} to its floor of {floor.oracle_share:.3f}."
        return _verdict(floor, now, FloorState.HELD, sentence, difference, allowed)
    sentence = (
        f"{name} fell by {-difference:.3f} below its floor of {floor.oracle_share:.3f}; the noise is {allowed:.3f}."
    )
    return _verdict(floor, now, FloorState.FALLEN, sentence, difference, allowed)


def _verdict(
    floor: Floor,
    now: Floor | None,
    state: FloorState,
    sentence: str,
    difference: float | None = None,
    allowed: float | None = None,
) -> FloorResult:
    changed = tuple(name for name in ("data", "settings") if now and getattr(now, name) != getattr(floor, name))
    return FloorResult(
        web=floor.web,
        mode=floor.mode,
        budget=floor.budget,
        strategy=floor.strategy,
        conditions=floor.conditions,
        state=state,
        floor=floor.oracle_share,
        now=now.oracle_share if now else None,
        difference=difference,
        noise=allowed,
        changed=changed,
        sentence=sentence + (f" Changed since: {', '.join(changed)}." if changed else ""),
    )


def _new(found: Floor) -> FloorResult:
    return FloorResult(
        web=found.web,
        mode=found.mode,
        budget=found.budget,
        strategy=found.strategy,
        conditions=found.conditions,
        state=FloorState.NEW,
        now=found.oracle_share,
        sentence=f"{_name(found)} has no floor yet.",
    )


def _name(floor: Floor) -> str:
    where = ", ".join(filter(None, (floor.mode, f"{floor.budget:,} pages", floor.conditions)))
    return f"{floor.strategy} on {floor.web} ({where})"
