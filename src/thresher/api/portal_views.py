"""How a portal shows itself: in a line, and as a table in a notebook."""

from html import escape
from pathlib import Path

from thresher.api.topics import Topics
from thresher.counting import counted
from thresher.notebook_html import Html, paragraph, table
from thresher.store.protocol import Store


def in_a_line(path: Path, store: Store | None) -> str:
    """Return the directory of a portal, and how many topics and pages it has; it is closed if there is no store."""
    return f"Portal({str(path)!r}, {_contents(path, store)})"


def as_table(path: Path, store: Store | None) -> str:
    """Return the same as HTML, with a row for each topic."""
    about = paragraph(Html(f"<b>{escape(str(path))}</b>"), _contents(path, store))
    if store is None:
        return about
    rows = [[topic, f"{store.documents.count_accepted(topic):,}"] for topic in Topics(path)]
    return about + table(["topic", "accepted pages"], rows)


def _contents(path: Path, store: Store | None) -> str:
    if store is None:
        return "closed"
    topics = len(Topics(path))
    if not topics:
        # Without topics nothing is accepted, but a plain crawl stores pages all the same.
        return f"no topics, {counted(sum(count.pages for count in store.documents.counts()), 'stored page')}"
    return f"{counted(topics, 'topic')}, {counted(store.documents.count_accepted(), 'accepted page')}"
