"""Chooses which training pages to fetch if there are too many: some of every topic."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, zip_longest

from thresher.errors import UsageError
from thresher.train.labelled_urls import LabelledUrl, is_negative
from thresher.web.urls import canonical
from thresher.work_faults import FewPagesForTopics


def fair_choice(wanted: Iterable[LabelledUrl], missing: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of the `missing` URLs of training pages, taking from every topic in turn.

    Topics without a page come first, negative examples last. Raises UsageError if there are more such topics than
    pages.

    >>> wanted = [LabelledUrl(f"http://a.test/{page}", topic) for page, topic in enumerate("AAAB")]
    >>> fair_choice(wanted, [one.url for one in wanted], 3)
    ['http://a.test/0', 'http://a.test/3', 'http://a.test/1']
    """
    absent = frozenset(missing)
    lacking: dict[str | None, list[str]] = {}
    taught: set[str | None] = set()
    for one in wanted:
        url = canonical(one.url)
        if url in absent:
            lacking.setdefault(one.label, []).append(url or "")
        else:
            taught.add(one.label)
    empty = [label for label in lacking if label not in taught and not is_negative(label)]
    if len(empty) > most:
        raise UsageError(
            f"The budget is too small: {len(empty)} topics have no training page yet, and {most} can be fetched.",
            f"Allow more pages, such as --pages {10 * len(absent)}.",
            FewPagesForTopics(n=len(empty), pages=most),
        )
    order = sorted(lacking, key=lambda label: (is_negative(label), label in taught))
    return _in_turn([lacking[label] for label in order], most)


def _in_turn(queues: Iterable[Collection[str]], most: int) -> list[str]:
    """Return the first of every queue, then the second of each, and so on, each once."""
    found = dict.fromkeys(url for url in chain.from_iterable(zip_longest(*queues)) if url is not None)
    return list(found)[:most]
