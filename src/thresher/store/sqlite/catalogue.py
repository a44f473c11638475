"""Accepted pages as the web portal lists them."""

import heapq
import math
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from thresher.store.page_records import ReviewState
from thresher.store.portal_records import LinkNumbers, ListedPage, ListOrder, PageSelection, TopicSite
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.sqlite.organising import HIDDEN

# As in 0014_portal.sql.
_ACCEPTED: Final = (
    "topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '\"noindex\"') = 0"
)
_SHOWN: Final = f"{_ACCEPTED} AND topic NOT IN ({HIDDEN})"
_KEYS: Final = {
    ListOrder.BEST: "conf",
    ListOrder.NEWEST: "found",
    ListOrder.CITED: "authority",
    ListOrder.LINKS: "hub",
}
_PAGES: Final = f"""
SELECT d.id, d.url, d.host, a.title, d.topic, d.conf,
       iif(f.document IS NULL,
           (SELECT probability FROM judgements WHERE document = d.id ORDER BY seq DESC LIMIT 1), 1.0),
       d.found, d.at, coalesce(a.preview, ''), d.mime, d.size, d.language, d.robots,
       CASE WHEN f.document IS NULL THEN 'unreviewed' WHEN f.new_topic IS f.old_topic THEN 'right' ELSE 'moved' END
FROM documents AS d JOIN archive AS a ON a.document = d.id LEFT JOIN feedback AS f ON f.document = d.id
WHERE d.id IN (SELECT value FROM json_each(?)) AND {_ACCEPTED}
"""  # noqa: S608
_SITES: Final = f"""
SELECT topic, host, count(*), sum(found >= ?) FROM documents INDEXED BY accepted_sites WHERE {_SHOWN}
GROUP BY topic, host ORDER BY topic, host
"""  # noqa: S608
# The index begins with the topic, so each host is looked up in each topic. Topics are found by jumping from one to the
# next, as SQLite would read the whole index for DISTINCT.
_SITES_OF: Final = f"""
WITH RECURSIVE topics (name) AS (
    SELECT min(topic) FROM documents INDEXED BY accepted_sites WHERE {_ACCEPTED}
    UNION ALL
    SELECT (SELECT min(topic) FROM documents INDEXED BY accepted_sites WHERE {_ACCEPTED} AND topic > name)
    FROM topics WHERE name IS NOT NULL)
SELECT topic, host, count(*), sum(found >= ?) FROM documents INDEXED BY accepted_sites WHERE {_SHOWN}
AND topic IN (SELECT name FROM topics) AND host IN (SELECT value FROM json_each(?))
GROUP BY topic, host ORDER BY topic, host
"""  # noqa: S608
_CHANGED_HOSTS: Final = f"""
SELECT host FROM documents WHERE seq > ?
UNION SELECT host FROM documents WHERE {_ACCEPTED} AND found >= ? AND found < ? ORDER BY host LIMIT ?
"""  # noqa: S608
_CITED: Final = """
SELECT target, count(DISTINCT source) FROM links
WHERE target IN (SELECT value FROM json_each(?)) AND source <> target GROUP BY target
"""
_LEADS: Final = f"""
SELECT l.source, count(DISTINCT l.target) FROM links AS l JOIN documents AS d ON d.id = l.target
WHERE l.source IN (SELECT value FROM json_each(?)) AND l.source <> l.target AND {_ACCEPTED} GROUP BY l.source
"""  # noqa: S608


class SqliteCatalogue:
    """The accepted pages of the portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ids(self, shelf: PageSelection, order: ListOrder, limit: int, offset: int = 0) -> list[int]:
        """Return the ids of the pages of a shelf from an offset; by authority or hub, only pages with a score."""
        if shelf.topics is None:
            return [id_ for _, id_ in self._run(shelf, order, limit, offset)]
        # Each topic comes in order from the index, so nothing is read beyond what is shown.
        runs = [
            self._run(PageSelection(topics=(topic,), host=shelf.host), order, limit + offset, 0)
            for topic in dict.fromkeys(shelf.topics)
        ]
        merged = heapq.merge(*runs, key=lambda found: (-found[0], found[1]))
        return [id_ for _, id_ in islice(merged, offset, offset + limit)]

    def _run(self, shelf: PageSelection, order: ListOrder, limit: int, offset: int) -> list[tuple[float, int]]:
        key = _KEYS[order]
        where, bound = [_SHOWN if shelf.topics is None else _ACCEPTED], list[Any]()
        if shelf.topics is not None:
            where.append("topic = ?")
            bound.append(shelf.topics[0])
        if shelf.host is not None:
            where.append("host = ?")
            bound.append(shelf.host)
        if order in (ListOrder.CITED, ListOrder.LINKS):
            where.append(f"{key} > 0")
        sql = (
            f"SELECT {key}, id FROM documents WHERE {' AND '.join(where)}"  # noqa: S608
            f" ORDER BY {key} DESC, id LIMIT ? OFFSET ?"
        )
        return [(value, id_) for value, id_ in fetch(self._database.reader(), sql, (*bound, limit, offset))]

    def pages(self, ids: Sequence[int]) -> dict[int, ListedPage]:
        """Return accepted pages by id; other ids are absent."""
        return {values[0]: _listed(values) for values in fetch(self._database.reader(), _PAGES, (encode(list(ids)),))}

    def sites(self, new_since: float, hosts: Sequence[str] | None = None) -> list[TopicSite]:
        """Return for each topic and host the number of pages, and of pages found since a wall time.

        With `hosts`, only those are counted.
        """
        if hosts is None:
            found = fetch(self._database.reader(), _SITES, (new_since,))
        else:
            found = fetch(self._database.reader(), _SITES_OF, (new_since, encode(list(hosts))))
        return [TopicSite(*values) for values in found]

    def changed_hosts(self, seq: int, start: float, end: float, limit: int) -> list[str]:
        """Return hosts with pages that changed after a sequence number, or that were found between two wall times.

        At most `limit` hosts are returned.
        """
        found = fetch(self._database.reader(), _CHANGED_HOSTS, (seq, start, end, limit))
        return [host for (host,) in found]

    def links(self, ids: Sequence[int]) -> dict[int, LinkNumbers]:
        """Return link counts of pages; links of a page to itself do not count."""
        connection, wanted = self._database.reader(), (encode(list(ids)),)
        cited, leads = dict(fetch(connection, _CITED, wanted)), dict(fetch(connection, _LEADS, wanted))
        return {id_: LinkNumbers(cited.get(id_, 0), leads.get(id_, 0)) for id_ in ids}


def _listed(values: tuple[Any, ...]) -> ListedPage:
    id_, url, host, title, topic, confidence, probability, found, changed, preview, mime, size, *rest = values
    language, robots, state = rest
    asked: tuple[str, ...] = () if robots is None else decode(robots, tuple[str, ...])
    return ListedPage(
        id=id_,
        url=url,
        host=host,
        title=title,
        topic=topic,
        confidence=confidence,
        probability=math.nan if probability is None else probability,
        found=found,
        changed=changed,
        preview="" if "nosnippet" in asked else preview,
        mime=mime,
        size=size,
        language=language,
        robots=asked,
        state=ReviewState(state),
    )
