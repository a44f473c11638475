"""How well each topic can be learned, as codes that the portal turns into sentences."""

from collections import Counter
from typing import Final

from msgspec import Struct

from thresher.portal.library import Library
from thresher.taxonomy.topic_tree import Topic, written
from thresher.train.stored_pages import find
from thresher.types import Failed
from thresher.web.urls import host_of

FEW: Final = 5
"""A topic with fewer examples than this has few."""

WEAK: Final = 0.7
"""A topic with a lower F1 score is poorly separated from others."""


class Health(Struct, frozen=True):
    """The state of a topic's examples: how many there are, and how many cannot be used.

    `foreign` counts those in a different language than most, `sites` the sites they come from; `f` is the quality on
    held-out pages, None if unknown. `below` is True if subtopics may have examples.
    """

    examples: int
    missing: int
    foreign: int
    sites: int
    f: float | None
    below: bool = False

    def problems(self) -> list[tuple[str, int]]:
        """Return the problems, worst first, as message names with their numbers.

        >>> Health(3, 0, 2, 1, 0.9).problems()
        [('few', 3), ('foreign', 2), ('one_site', 3)]
        """
        found = [("none", 0)] if not self.examples and not self.below else []
        found += [("few", self.examples)] if 0 < self.examples < FEW else []
        found += [("missing", self.missing)] if self.missing else []
        found += [("foreign", self.foreign)] if self.foreign else []
        found += [("one_site", self.examples)] if self.sites == 1 and self.examples > 1 else []
        found += [("weak", round(100 * self.f))] if self.f is not None and self.f < WEAK else []
        return found


def healths(library: Library) -> dict[str, Health]:
    """Return the health of every topic by path; examples of subtopics are not included."""
    classifier = library.classifier()
    found: dict[str, Health] = {}
    for path, topic in library.topics().walk():
        name = written(path)
        child = classifier.child(name) if classifier is not None else None
        quality = child.quality.f if child is not None else None
        found[name] = _health(library, topic, quality)
    return found


def _health(library: Library, topic: Topic, f: float | None) -> Health:
    languages: Counter[str] = Counter()
    missing = 0
    for page in topic.pages:
        rows = find(library.store, page.url)
        if isinstance(rows, Failed):
            missing += 1
        else:
            languages.update(row.language for row in rows[:1] if row.language)
    usual = languages.most_common(1)[0][1] if languages else 0
    return Health(
        examples=len(topic.pages),
        missing=missing if library.store.models.newest() is not None else 0,
        foreign=languages.total() - usual,
        sites=len({host_of(page.url) for page in topic.pages}),
        f=f,
        below=bool(topic.children),
    )
