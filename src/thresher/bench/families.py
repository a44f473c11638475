"""Webs of one kind, taken together: four universities with four topics each are sixteen tasks of one experiment.

Four topics are too few for any test. Each topic of each web counts as a topic of the family, under the name of both.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from thresher.bench.records import Record, Run
from thresher.bench.webs import webkb

BETWEEN = "/"
"""Stands between the web and its topic in the topics of a family."""


def is_family(web: str) -> bool:
    """Tell whether a name stands for several webs.

    >>> is_family("webkb"), is_family("webkb-cornell")
    (True, False)
    """
    return web == webkb.NAME


def member_of(web: str) -> bool:
    """Tell whether a web belongs to a family.

    >>> member_of("webkb-cornell"), member_of("wikispeedia")
    (True, False)
    """
    return web.startswith(f"{webkb.NAME}-")


def stands_for(name: str, web: str) -> bool:
    """Tell whether a name is that of a web, or of the family it belongs to.

    >>> stands_for("webkb", "webkb-cornell"), stands_for("webkb-texas", "webkb-cornell")
    (True, False)
    """
    return name == web or (is_family(name) and member_of(web))


def together(records: Iterable[Record]) -> list[Record]:
    """Return the records of a family's webs as runs of the family; none where there is but one of its webs."""
    own = [record for record in records if member_of(record.run.web)]
    if len({record.run.web for record in own}) < 2:
        return []
    return [replace(record, run=_run_of_family(record)) for record in own]


def own_topic(web: str, topic: str) -> str:
    """Return the topic as its own web names it.

    >>> own_topic("webkb", "cornell/course"), own_topic("generated", "boats/sails")
    ('course', 'boats/sails')
    """
    return topic.partition(BETWEEN)[2] if is_family(web) else topic


def _run_of_family(record: Record) -> Run:
    run = record.run
    member = run.web.removeprefix(f"{webkb.NAME}-")
    return replace(run, web=webkb.NAME, topic=f"{member}{BETWEEN}{run.topic}")
