"""Opt-outs from text and data mining and model training, as far as standards define them.

These are the TDM Reservation Protocol (`tdm-reservation`, `tdm-policy`), the directives `noai` and `noimageai`, the
preferences of AIPREF (`Content-Usage: train-ai=n`) and content signals (`Content-Signal: ai-train=no`). The crawler
records them with the page; what follows from them is up to whoever uses the collection.
"""

import re
from collections.abc import Iterable
from typing import Final

from thresher.web.robots_tag import robots_directives
from thresher.web.urls import canonical

MAX_SIGNALS: Final = 16
"""Maximum number of signals kept for one page."""

_MAX_POLICY: Final = 500
_MAX_FIELD: Final = 4096
_REFUSING: Final = frozenset(["noai", "noimageai"])
_PAIR: Final = re.compile(r"([a-z*][a-z0-9_.*-]{0,31})=([a-z]{1,16})(?:;.*)?", re.DOTALL)
# The value with which each of the two refuses.
_NO: Final = {"content-usage": "n", "content-signal": "no"}


def opt_outs(
    headers: Iterable[tuple[str, str]], metas: Iterable[tuple[str, str]] = (), site: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the opt-outs of a page in lower case, sorted; the most restrictive statements count.

    `headers` are its header fields and `metas` its meta elements as (name, content); `site` is what the robots.txt says
    about it (`RobotsRules.usage`).

    >>> opt_outs([("TDM-Reservation", "1"), ("X-Robots-Tag", "noai")], [("robots", "noimageai")])
    ('noai', 'noimageai', 'tdm-reservation=1')
    """
    found = set(site)
    policies: set[str] = set()
    said = [(name.strip().lower(), value[:_MAX_FIELD].strip()) for name, value in (*headers, *metas)]
    for name, value in said:
        if name in ("x-robots-tag", "robots"):
            found |= _REFUSING.intersection(robots_directives([value]))
        elif name in _NO:
            found |= set(refusals(name, value))
        elif name == "tdm-reservation" and value == "1":
            found.add("tdm-reservation=1")
        elif name == "tdm-policy":
            policy = canonical(value)
            policies |= {f"tdm-policy={policy}"} if policy and len(policy) <= _MAX_POLICY else set()
    if "tdm-reservation=1" in found:
        # A policy gives the conditions for reserved rights; without a reservation it says nothing.
        found |= policies
    return tuple(sorted(found)[:MAX_SIGNALS])


def refusals(kind: str, value: str) -> list[str]:
    """Return what a Content-Usage or Content-Signal refuses; the last word on a use counts, unknown words do not.

    >>> refusals("content-usage", "train-ai=n, search=y"), refusals("content-signal", "search=yes,ai-train=no")
    (['content-usage:train-ai=n'], ['content-signal:ai-train=no'])
    """
    uses: dict[str, str] = {}
    for part in value[:_MAX_FIELD].split(",")[:64]:
        pair = _PAIR.fullmatch(part.strip().lower())
        if pair is not None:
            uses[pair[1]] = pair[2]
    return [f"{kind}:{use}={answer}" for use, answer in uses.items() if answer == _NO[kind]]
