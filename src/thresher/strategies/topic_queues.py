"""A queue for each topic of the tree, named by its path (Sizov, section 2.2)."""

from typing import Final

import xxhash

_LONGEST: Final = 100
"""Number of letters of a topic's path that are kept; a memo has little room."""


def label(topic: str) -> str:
    """Return the label of a topic in memos and queue names: its path, shortened and numbered if it is long.

    >>> label("Science/Physics")
    'Science/Physics'
    >>> len(label("Science/" + 1000 * "x"))
    117
    """
    if len(topic) <= _LONGEST:
        return topic
    return f"{topic[:_LONGEST]}~{xxhash.xxh3_64_hexdigest(topic.encode())}"


def queue_below(top: str, last: str) -> str:
    """Return the queue of a link whose best top-level topic is given.

    `last` is the queue of the last topic on the path to the link; it is used if it is below `top`.

    >>> queue_below("Science", last="Science/Physics"), queue_below("Sports", last="Science/Physics")
    ('Science/Physics', 'Sports')
    """
    return last if last.startswith(f"{top}/") else top
