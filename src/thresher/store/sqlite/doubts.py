"""Pages for review: accepted ones near the boundary of their topics, and rejected ones."""

import math
from collections.abc import Sequence
from typing import Any, Final

import apsw

from thresher.store.decisions import DoubtfulPage
from thresher.store.sqlite.connection import fetch
from thresher.store.sqlite.jsontext import decode
from thresher.types import Rejection

# As in 0012_accepted_pages.sql and 0015_decisions.sql.
_SHOWN: Final = "conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '\"noindex\"') = 0"
_OPEN: Final = "NOT EXISTS (SELECT 1 FROM feedback WHERE document = documents.id)"
_DOUBTFUL: Final = f"""
SELECT id, url, host, topic, conf,
       (SELECT probability FROM judgements WHERE document = documents.id ORDER BY seq DESC LIMIT 1)
FROM documents WHERE topic IS NOT NULL AND {_SHOWN} AND topic = ? AND {_OPEN} ORDER BY conf LIMIT ?
"""  # noqa: S608
_NEARLY: Final = f"""
SELECT d.id, d.url, d.host, j.rejection, d.conf, j.probability FROM (
    SELECT id, url, host, conf FROM documents WHERE topic IS NULL AND {_SHOWN} AND {_OPEN}
    ORDER BY conf DESC, id LIMIT ?) AS d
JOIN judgements AS j ON j.document = d.id AND j.seq = (SELECT max(seq) FROM judgements WHERE document = d.id)
ORDER BY d.conf DESC, d.id
"""  # noqa: S608


def doubtful(connection: apsw.Connection, topics: Sequence[str], limit: int) -> list[DoubtfulPage]:
    """Return at most `limit` undecided pages of each topic, least confident first."""
    found: list[DoubtfulPage] = []
    for topic in topics:
        found += [_doubt(values, values[3], accepted=True) for values in fetch(connection, _DOUBTFUL, (topic, limit))]
    return found


def nearly_accepted(connection: apsw.Connection, limit: int) -> list[DoubtfulPage]:
    """Return undecided pages that no topic accepted, closest first, leaving out those without a known closest topic."""
    found: list[DoubtfulPage] = []
    for values in fetch(connection, _NEARLY, (limit,)):
        rejection = decode(values[3], Rejection) if values[3] else None
        if rejection is not None:
            found.append(_doubt(values, rejection.topic, accepted=False))
    return found


def _doubt(values: tuple[Any, ...], topic: str, *, accepted: bool) -> DoubtfulPage:
    id_, url, host, _, confidence, probability = values
    return DoubtfulPage(id_, url, host, topic, confidence, math.nan if probability is None else probability, accepted)
