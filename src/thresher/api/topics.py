"""The topics of a portal: their names, training pages and editing."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypedDict, overload

from msgspec.structs import replace

from thresher.errors import InputError, UsageError
from thresher.notebook_html import paragraph, table
from thresher.portals import editing_topics, load_topics, save_topics
from thresher.store.repository import open_store
from thresher.taxonomy.example_sites import topics_of_one_site
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import (
    Taxonomy,
    Topic,
    TrainingPage,
    distinct,
    found,
    merged,
    moved,
    name_of,
    parsed,
    put,
    without,
    written,
)
from thresher.taxonomy.topics_file import write_topics
from thresher.train.changed_topics import topics_changed
from thresher.web.urls import canonical


class TopicRow(TypedDict):
    """A topic: `pages` counts its own training pages, `negatives` its negative examples.

    `advice` is what would help the topic most, null if there is nothing to say.
    """

    name: str
    path: str
    pages: int
    negatives: int
    advice: str | None


class TopicList(TypedDict):
    """The topics; `topics_changed` is true if they have changed since training."""

    portal: str
    topics: list[TopicRow]
    topics_changed: bool


class Topics(Sequence[str]):
    """The paths of the topics, parents before children: `Science`, `Science/Physics`. Get it from `portal.topics`.

    Edits are saved at once and take effect with the next training; `changed` says whether one is needed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def tree(self) -> Taxonomy:
        """Return the topics with their training pages."""
        return load_topics(self._path)

    def rows(self) -> list[TopicRow]:
        """Return a row for each topic, with the numbers of its examples."""
        return topic_rows(self.tree())

    @property
    def changed(self) -> bool:
        """Whether the topics have changed since the portal was trained."""
        return topics_changed(self._path)

    def add(self, topic: str, *pages: str) -> None:
        """Add a topic, or training pages to one: URLs or local files."""
        path = tuple(name_of(name) for name in parsed(topic))
        if not path:
            raise InputError("A topic needs a name.", "Write it like Science/Physics.")
        more = [_page(page) for page in pages]
        with editing_topics(self._path) as tree:
            known = tree.get(path) or Topic(name=path[-1])
            self._save(put(tree, path, replace(known, pages=distinct((*known.pages, *more)))))

    def rename(self, topic: str, name: str) -> None:
        """Rename a topic; raise InputError if there is none."""
        path = parsed(topic)
        with editing_topics(self._path) as tree:
            found(tree, path)
            later = (*path[:-1], name_of(name))
            self._save(moved(tree, path, later))
            self._remember(path, later)

    def move(self, topic: str, parent: str) -> None:
        """Move a topic below another; `/` is the top."""
        path, above = parsed(topic), parsed(parent)
        with editing_topics(self._path) as tree:
            found(tree, above)
            found(tree, path)
            self._save(moved(tree, path, (*above, path[-1])))
            self._remember(path, (*above, path[-1]))

    def merge(self, topic: str, into: str) -> None:
        """Move the pages and subtopics of a topic into another, and delete it."""
        with editing_topics(self._path) as tree:
            self._save(merged(tree, parsed(topic), parsed(into)))
            self._remember(parsed(topic), parsed(into))

    def delete(self, topic: str) -> None:
        """Delete a topic and everything below it."""
        with editing_topics(self._path) as tree:
            self._save(without(tree, parsed(topic)))

    def export(self, file: str | Path, *, overwrite: bool = False) -> None:
        """Write all topics to a file: `.html` for bookmarks, `.toml` for a topics file. Both are complete."""
        forms: dict[str, Callable[[Taxonomy], str]] = {
            ".html": to_bookmarks,
            ".htm": to_bookmarks,
            ".toml": write_topics,
        }
        form = forms.get(Path(file).suffix.lower())
        if form is None:
            raise UsageError(
                "Topics are exported to one file.", "Give FILE.html for bookmarks or FILE.toml for topics."
            )
        try:
            with Path(file).open("w" if overwrite else "x", encoding="utf-8") as out:
                out.write(form(self.tree()))
        except FileExistsError:
            raise InputError(f"{file} already exists.", "Choose another file, or overwrite it with --force.") from None
        except OSError as error:
            raise InputError(f"{file} cannot be written: {error.strerror}.", "Choose another file.") from None

    def _save(self, tree: Taxonomy) -> None:
        save_topics(self._path, tree)

    def _remember(self, before: tuple[str, ...], later: tuple[str, ...]) -> None:
        """Record the new name of a topic, so the URL of its web page keeps working and decisions follow it."""
        if later != before:
            with closing(open_store(self._path)) as store:
                store.topic_history.move([(written(before), written(later))], time.time())
                store.decisions.rename(written(before), written(later))

    def _paths(self) -> list[str]:
        return [written(path) for path, _ in self.tree().walk()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths())

    def __len__(self) -> int:
        return len(self._paths())

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._paths()[place]

    def __eq__(self, other: object) -> bool:
        return self._paths() == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._paths())

    def _repr_html_(self) -> str:
        rows = [[row["path"], f"{row['pages']:,}", f"{row['negatives']:,}"] for row in self.rows()]
        return table(["topic", "training pages", "negatives"], rows) or paragraph("no topics")


def topic_rows(tree: Taxonomy) -> list[TopicRow]:
    """Return a row for each topic, parents before children."""
    below: dict[tuple[str, ...], int] = {}
    for path, topic in tree.walk():
        for depth in range(1, len(path) + 1):
            below[path[:depth]] = below.get(path[:depth], 0) + len(topic.pages)
    rows: list[TopicRow] = []
    advice = topics_of_one_site(tree)
    for path, topic in tree.walk():
        parent = found(tree, path[:-1])
        siblings = sum(below[(*path[:-1], child.name)] for child in parent.children if child.name != topic.name)
        rows.append(
            {
                "name": topic.name,
                "path": written(path),
                "pages": len(topic.pages),
                "negatives": siblings + len(parent.others),
                "advice": advice.get(written(path)),
            }
        )
    return rows


def _page(word: str) -> TrainingPage:
    file = Path(word)
    url = canonical(word) or (file.resolve().as_uri() if file.is_file() else None)
    if url is None:
        raise InputError(f"'{word[:200]}' is neither an http or https URL nor a file.", "Check the spelling.")
    return TrainingPage(url)
