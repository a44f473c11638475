"""The accepted pages of a portal, best first, read from an index block by block."""

import math
from collections.abc import Iterator
from typing import Any, Final

from thresher.store.page_records import AcceptedPage, ReviewState
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode
from thresher.store.sqlite.organising import HIDDEN

_CHUNK: Final = 500

# As in 0012_accepted_pages.sql.
_ACCEPTED: Final = (
    "topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '\"noindex\"') = 0"
)
_SHOWN: Final = f"{_ACCEPTED} AND topic NOT IN ({HIDDEN})"
# "0" follows "/": everything below a topic sorts between its name and its name plus "0".
_BELOW: Final = "topic >= ?1 AND topic < ?1 || '0' AND (topic = ?1 OR substr(topic, length(?1) + 1, 1) = '/')"

_FOUND: Final = """
SELECT d.id, d.url, a.title, d.topic, d.conf, iif(f.document IS NULL, j.probability, 1.0), coalesce((
           SELECT min(v.at) FROM visits AS v WHERE v.url_id = d.id AND v.url = d.url
           AND (v.outcome = 'unchanged' OR v.outcome = 'fetched' AND v.reason IS NULL)), d.at),
       CASE WHEN f.document IS NULL THEN 'unreviewed' WHEN f.new_topic IS f.old_topic THEN 'right' ELSE 'moved' END
FROM json_each(?) AS wanted
JOIN documents AS d ON d.id = wanted.value
JOIN archive AS a ON a.document = d.id
LEFT JOIN feedback AS f ON f.document = d.id
LEFT JOIN judgements AS j ON j.document = d.id AND j.seq = (SELECT max(seq) FROM judgements WHERE document = d.id)
WHERE d.topic IS NOT NULL AND d.conf IS NOT NULL
ORDER BY wanted.key
"""


def accepted_pages(database: Database, topic: str | None, limit: int, offset: int) -> Iterator[AcceptedPage]:
    """Yield the accepted pages of a topic and all below it, most confident first; a limit of 0 yields all.

    The order is fixed when the call is made. Pages are read in small blocks, so a slow consumer blocks nobody.
    """
    where, values = _where(topic)
    sql = f"SELECT id FROM documents WHERE {where} ORDER BY conf DESC, id LIMIT {limit or -1} OFFSET {offset}"  # noqa: S608
    ids = [id_ for (id_,) in fetch(database.reader(), sql, values)]
    for start in range(0, len(ids), _CHUNK):
        for id_, url, title, path, confidence, probability, found, state in fetch(
            database.reader(), _FOUND, (encode(ids[start : start + _CHUNK]),)
        ):
            yield AcceptedPage(
                url_id=id_,
                url=url,
                title=title,
                topic=path,
                confidence=confidence,
                probability=math.nan if probability is None else probability,
                found=found,
                state=ReviewState(state),
            )


def count_accepted(database: Database, topic: str | None) -> int:
    """Return the number of pages accepted by a topic and all below it."""
    where, values = _where(topic)
    ((number,),) = fetch(database.reader(), f"SELECT count(*) FROM documents WHERE {where}", values)  # noqa: S608
    return int(number)


def _where(topic: str | None) -> tuple[str, tuple[Any, ...]]:
    return (_SHOWN, ()) if topic is None else (f"{_ACCEPTED} AND {_BELOW}", (topic,))
