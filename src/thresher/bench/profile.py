"""The settings of bench runs: the same for all topics and webs, so only the strategy matters.

One fetch at a time, and none of the rules by which a crawler spares servers or itself: politeness, robots, quotas,
traps, languages, duplicates and the bound of the frontier. The digest of the settings is part of every record.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec

from thresher.config.load import load
from thresher.config.settings import Settings

UNMANNERLY: Final = (
    "engine.parallel=1",
    "manners.robots=false",
    "manners.nofollow=false",
    "manners.noindex=false",
    "manners.delay=0",
    "manners.quota=0",
    "manners.traps=false",
    "focus.patience=1",
    "focus.record=0",
    "focus.variety=0",
    "focus.discovery=0",
    "focus.balance=0",
)
"""Settings that a polite run leaves at their defaults: parallelism, politeness, and the weights of hosts."""

PROFILE: Final = (
    "engine.workers=0",
    'reading.language="en"',
    "reading.duplicates=false",
    "reading.near_duplicates=-1",
    "frontier.bound=1000000000",
    "crawl.hours=0",
    "crawl.max_url=100000",
    "store.min_free_mb=0",
    "archive.enabled=false",
)

VARIED: Final = ("strategy", "pages")
"""Crawl settings that each run sets itself."""

WITHOUT: Final = ("train", "learn", "archetypes", "harvest", "documents", "archive")
"""Sections that a bench crawl does not read, as it has its own training and pages."""


def bench_settings(overrides: Sequence[str] = (), *, manners: bool = False) -> Settings:
    """Return the settings of the bench; `overrides` are `key=value` strings.

    >>> bench_settings().engine.parallel, bench_settings(manners=True).manners.delay
    (1, 1.0)
    """
    return load(overrides=[*PROFILE, *([] if manners else UNMANNERLY), *overrides]).settings


def described(settings: Settings) -> tuple[dict[str, Any], str]:
    """Return the settings that runs have in common as data, and their digest."""
    values = {name: part for name, part in settings.model_dump(mode="json").items() if name not in WITHOUT}
    values["crawl"] = {key: value for key, value in values["crawl"].items() if key not in VARIED}
    return values, blake2b(msgspec.json.encode(values, order="sorted"), digest_size=8).hexdigest()
