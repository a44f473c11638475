"""Learns which paths lead to a portal's topics, for the strategies `hmm` and `context-graph`."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from thresher.errors import InputError, UsageError
from thresher.file_rights import make_folder
from thresher.store.repository import open_store

if TYPE_CHECKING:
    from thresher.sessions.session import Session
    from thresher.store.protocol import Store

PathSource = Literal["sessions", "links"]


class PathsData(TypedDict):
    """The training data: `useful` of the `pages` are targets, `clicks` counts pages by their distance from one.

    `source` is sessions, file or links. `unread` pages of sessions are known by their titles only. `clusters` is the
    number of page clusters. `strategy` is the value for `--strategy` that uses the result.
    """

    portal: str
    source: str
    pages: int
    links: int
    useful: int
    unread: int
    clicks: dict[str, int]
    clusters: int
    strategy: str


def learn_paths(
    path: Path, sessions: Path | None = None, topic: str | None = None, source: PathSource | None = None
) -> PathsData:
    """Learn which paths lead to the topics, or to one, from browsing sessions or from the links of stored pages.

    Sessions come from a file or from the portal. By default they are used if they contain useful pages and no topic is
    given. The result is saved in the portal's `models` directory. Raises InputError if there is nothing to learn from.
    """
    from thresher.runs.kept_sessions import unread_pages
    from thresher.runs.path_learning import paths_file
    from thresher.sessions.path_model import PathModel
    from thresher.sessions.session import UNREACHED, joined
    from thresher.sessions.session_file import read_sessions, write_sessions

    with closing(open_store(path)) as store:
        chosen = "file" if sessions is not None else source or _default(store, topic)
        session = joined(read_sessions(sessions)) if sessions is not None else _session(store, chosen, topic)
        unread = len(unread_pages(store)) if chosen == "sessions" else 0
    if not session.useful:
        raise InputError("The sessions contain no useful pages.", "Mark the pages that were useful.")
    model = PathModel().fit(session)
    kept = paths_file(path)
    make_folder(kept.parent)
    write_sessions(kept, [session])
    clicks = Counter(hops for hops in session.distances() if hops != UNREACHED)
    return {
        "portal": str(path),
        "source": chosen,
        "pages": len(session.pages),
        "links": len(session.links),
        "useful": len(session.useful),
        "unread": unread,
        "clicks": {str(hops): clicks[hops] for hops in sorted(clicks)},
        "clusters": model.clusters_,
        "strategy": "hmm",
    }


def _default(store: "Store", topic: str | None) -> str:
    return "sessions" if topic is None and any(row.useful for row in store.browsing.all()) else "links"


def _session(store: "Store", source: str, topic: str | None) -> "Session":
    from thresher.runs.kept_sessions import kept_session
    from thresher.runs.path_learning import portal_session

    if source == "links":
        return portal_session(store, topic)
    if topic is not None:
        raise UsageError("Sessions are not divided into topics.", "Leave out --topic, or learn --from links.")
    return kept_session(store)
