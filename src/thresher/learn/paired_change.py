"""Whether a second classifier is worse than a first on the same documents: McNemar's exact test, one side."""

from collections.abc import Sequence

from msgspec import Struct


class PairedChange(Struct, frozen=True):
    """What a change did to documents that were judged before and after it.

    `lost` were right and are wrong now, `won` the other way round; `p_value` is the probability that at least as many
    of those that changed were lost if losing and winning were equally likely.
    """

    before: float
    after: float
    lost: int
    won: int
    p_value: float


def paired_change(before: Sequence[bool], after: Sequence[bool]) -> PairedChange:
    """Compare judgements of the same documents, right or wrong, before and after a change.

    >>> found = paired_change([True] * 8 + [False] * 2, [False] * 5 + [True] * 5)
    >>> found.lost, found.won, round(found.p_value, 3)
    (5, 2, 0.227)
    """
    lost = sum(was and not now for was, now in zip(before, after, strict=True))
    won = sum(now and not was for was, now in zip(before, after, strict=True))
    number = max(1, len(before))
    return PairedChange(sum(before) / number, sum(after) / number, lost, won, _tail(lost, lost + won))


def _tail(least: int, number: int) -> float:
    """Return the probability of at least `least` heads in `number` throws of a fair coin."""
    from scipy.stats import binom

    return float(binom.sf(least - 1, number, 0.5)) if least else 1.0
