"""Pace: how much an engine does at once, and how often."""

from msgspec import Struct


class Pace(Struct, frozen=True, kw_only=True):
    """How much at once: fetches in flight, pages between reorderings and saved states of the strategy.

    `grace` is how long fetches in flight may go on after a stop, `patience` how long a fetch counts towards the last
    pages of a budget and towards the number at once, and `poll` how often wishes of other processes are read, all in
    seconds; a `poll` of 0 reads none. Progress is shown every `show` seconds; every `names` seconds the names of the
    next `ahead` hosts are looked up. The harvest rate is that of the last `window` pages.
    """

    parallel: int = 64
    reorder_every: int = 500
    grace: float = 2.0
    patience: float = 2.0
    poll: float = 0.5
    show: float = 0.1
    names: float = 0.1
    ahead: int = 64
    window: int = 200
