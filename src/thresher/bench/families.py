"""Groups webs of one kind: four universities with four topics each are sixteen tasks of one experiment.

Four topics are too few for any test, so each topic of each web counts as a topic of the family, named after both.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from thresher.bench.records import Record
from thresher.bench.webs.catalogue import WEBS

BETWEEN = "/"
"""Separates the web and its topic in the topic names of a family."""


def is_family(web: str) -> bool:
    """Return whether a name stands for several webs.

    >>> is_family("webkb"), is_family("webkb-cornell")
    (True, False)
    """
    kind = WEBS.all().get(web)
    return kind is not None and bool(kind.members)


def stands_for(name: str, web: str) -> bool:
    """Return whether a name is that of a web or of its family.

    >>> stands_for("webkb", "webkb-cornell"), stands_for("webkb-texas", "webkb-cornell")
    (True, False)
    """
    kind = WEBS.all().get(name)
    return name == web or (kind is not None and kind.member_of(web) is not None)


def together(records: Iterable[Record]) -> list[Record]:
    """Return the records of member webs as runs of their families; families with only one web present are skipped."""
    known = list(records)
    found: list[Record] = []
    for family in WEBS.all().values():
        own = [(family.member_of(record.run.web), record) for record in known]
        members = {member for member, _ in own if member is not None}
        if len(members) > 1:
            found += [_of_family(family.name, member, record) for member, record in own if member is not None]
    return found


def own_topic(web: str, topic: str) -> str:
    """Return the topic under the name that its own web uses.

    >>> own_topic("webkb", "cornell/course"), own_topic("generated", "boats/sails")
    ('course', 'boats/sails')
    """
    return topic.partition(BETWEEN)[2] if is_family(web) else topic


def _of_family(family: str, member: str, record: Record) -> Record:
    run = record.run
    return replace(record, run=replace(run, web=family, topic=f"{member}{BETWEEN}{run.topic}"))
