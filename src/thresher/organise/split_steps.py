"""Creates topics from the clusters of a split, and undoes it.

The row needed for undoing is written before the topics, so an interrupted split can be undone.
"""

from pathlib import Path
from typing import Final

from thresher.organise.moving import Undone, moved_to, undo
from thresher.organise.splitting import Split, SubTopic
from thresher.portals import editing_topics, save_topics
from thresher.store.organise_records import StepKind, StepRow
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import Path as TopicPath
from thresher.taxonomy.topic_tree import Topic, TrainingPage, found, name_of, parsed, put, without, written

TEACHERS: Final = 20
"""Number of core pages used to train a new topic; more would make later crawls start from few sites."""


def apply_split(portal: Path, store: Store, split: Split, *, at: float) -> StepRow:
    """Create topics from the clusters, with core pages as training pages, move the pages, and return the step."""
    parent = parsed(split.topic)
    moves: dict[int, TopicPath] = {}
    topics: dict[TopicPath, Topic] = {}
    for cluster in split.clusters:
        path = (*parent, name_of(cluster.name))
        topics[path] = Topic(name=path[-1], pages=_teachers(cluster), added=int(at))
        moves |= {page.id: path for page in (*cluster.core, *cluster.spread)}
    detail = {"topics": {written(path): [page.url for page in topic.pages] for path, topic in topics.items()}}
    row = StepRow(kind=StepKind.SPLIT, at=at, topic=split.topic, detail=detail)
    with editing_topics(portal) as current:
        found(current, parent)
        tree = current
        step = store.organising.take(row, moved_to(store, moves))
        for path, topic in topics.items():
            tree = put(tree, path, topic)
        save_topics(portal, tree)
    return step


def undo_split(portal: Path, store: Store, *, at: float) -> tuple[Undone, list[str]]:
    """Undo the latest split: move its pages back and remove its topics.

    Return what was undone, and the topics that stay because they have been edited since.
    """
    undone = undo(store, StepKind.SPLIT, portal, at=at)
    changed = []
    with editing_topics(portal) as current:
        tree = current
        for name, urls in undone.step.detail.get("topics", {}).items():
            path = parsed(name)
            topic = tree.get(path)
            if topic is None:
                continue
            if topic.children or [page.url for page in topic.pages] != urls:
                changed.append(name)
            else:
                tree = without(tree, path)
        save_topics(portal, tree)
    return undone, changed


def _teachers(cluster: SubTopic) -> tuple[TrainingPage, ...]:
    """Return the training pages of a new topic, without documents in archives, which have no address of their own."""
    alone = [page for page in cluster.core if "!/" not in page.url]
    return tuple(TrainingPage(page.url, page.title) for page in alone[:TEACHERS])
