"""What `Portal.split`, `filter`, `dedupe` and `undo` return."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thresher.api.organised_data import (
    DedupeData,
    FilterData,
    FilteredTopic,
    SplitData,
    UndoneData,
    dedupe_data,
    filter_data,
    split_data,
)
from thresher.counting import counted

if TYPE_CHECKING:
    import pandas

    # These import numpy, which simply reading a portal does not need.
    from thresher.organise.duplicate_groups import Duplicated, DuplicateGroup
    from thresher.organise.filtering import Filtering, TopicFiltered
    from thresher.organise.moving import Undone
    from thresher.organise.splitting import Split, SubTopic
    from thresher.store.organise_records import StepRow


class SplitResult(Struct, frozen=True, kw_only=True):
    """A topic divided into sub-topics; `step` is None if it is only a proposal."""

    portal: Path
    split: "Split"
    step: "StepRow | None" = None

    @property
    def clusters(self) -> "list[SubTopic]":
        """The sub-topics, largest first, with their words, sentences and pages."""
        return self.split.clusters

    def to_dict(self) -> SplitData:
        """Return the object that `thresher split --json` prints."""
        return split_data(self.portal, self.split, self.step is not None)

    def to_frame(self) -> "pandas.DataFrame":
        """Return a data frame with a row per page and the sub-topic it goes to; None if it stays."""
        import pandas

        rows = [
            {"url": page.url, "title": page.title, "sub_topic": cluster.name, "core": core}
            for cluster in self.split.clusters
            for core, pages in ((True, cluster.core), (False, cluster.spread))
            for page in pages
        ]
        rows += [{"url": page.url, "title": page.title, "sub_topic": None, "core": False} for page in self.split.left]
        return pandas.DataFrame(rows, columns=["url", "title", "sub_topic", "core"])

    def __repr__(self) -> str:
        parts = "; ".join(f"{one.name} ({len(one.core) + len(one.spread):,})" for one in self.split.clusters)
        return f"<{_state(self.step)} split of {self.split.topic}: {parts}; {len(self.split.left):,} pages stay>"


class FilterResult(Struct, frozen=True, kw_only=True):
    """Doubtful pages taken out of their topics; `step` is None if it is only a proposal."""

    portal: Path
    topic: str | None
    filtering: "Filtering"
    step: "StepRow | None" = None

    @property
    def topics(self) -> "list[TopicFiltered]":
        """What happens to each topic, deepest first."""
        return self.filtering.topics

    def to_dict(self) -> FilterData:
        """Return the object that `thresher filter --json` prints."""
        return filter_data(self.portal, self.topic, self.filtering, self.step is not None)

    def to_frame(self) -> "pandas.DataFrame":
        """Return a data frame with a row per topic."""
        import pandas

        return pandas.DataFrame(self.to_dict()["topics"], columns=list(FilteredTopic.__annotations__))

    def __repr__(self) -> str:
        found = self.filtering
        return f"<{_state(self.step)} filter: {len(found.moves):,} of {found.pages:,} pages move>"


class DedupeResult(Struct, frozen=True, kw_only=True):
    """Near-duplicate pages; `step` is None if they have not been hidden."""

    portal: Path
    duplicates: "Duplicated"
    step: "StepRow | None" = None

    @property
    def groups(self) -> "list[DuplicateGroup]":
        """Groups of near-duplicate pages, largest first."""
        return self.duplicates.groups

    def to_dict(self) -> DedupeData:
        """Return the object that `thresher dedupe --json` prints."""
        return dedupe_data(self.portal, self.duplicates, self.step is not None)

    def to_frame(self) -> "pandas.DataFrame":
        """Return a data frame with a row per duplicate and the page it repeats."""
        import pandas

        rows = [
            {
                "url": other.page.url,
                "title": other.page.title,
                "similarity": other.similarity,
                "repeats": group.best.url,
            }
            for group in self.duplicates.groups
            for other in group.others
        ]
        return pandas.DataFrame(rows, columns=["url", "title", "similarity", "repeats"])

    def __repr__(self) -> str:
        moved, groups = sum(len(group.others) for group in self.groups), len(self.groups)
        return f"<{_state(self.step)} dedupe: {counted(moved, 'near-duplicate')} in {counted(groups, 'group')}>"


class UndoneStep(Struct, frozen=True, kw_only=True):
    """A step that was undone; `topics_kept` are sub-topics of a split that were edited since, None for other steps."""

    portal: Path
    undone: "Undone"
    topics_kept: list[str] | None = None

    def to_dict(self) -> UndoneData:
        """Return the object that `--undo --json` prints."""
        step = self.undone.step
        data: UndoneData = {
            "portal": str(self.portal),
            "undone": step.kind.value,
            "topic": step.topic,
            "moved": self.undone.pages,
            "stayed": self.undone.stayed,
        }
        return data if self.topics_kept is None else {**data, "topics_kept": self.topics_kept}

    def __repr__(self) -> str:
        return f"<undone {self.undone.step.kind}: {self.undone.pages:,} pages moved back>"


def _state(step: "StepRow | None") -> str:
    return "proposed" if step is None else "applied"
