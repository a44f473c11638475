"""Learning the way to a portal's topics, for the strategies `hmm` and `context-graph`."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TypedDict

from thresher.errors import InputError
from thresher.file_rights import make_folder
from thresher.store.repository import open_store


class PathsData(TypedDict):
    """What was learned from: `useful` of the `pages` are goals, `clicks` counts the pages by their distance from one.

    `clusters` is how many kinds of pages were told apart. `strategy` is what to give `--strategy` to crawl by it.
    """

    portal: str
    pages: int
    links: int
    useful: int
    clicks: dict[str, int]
    clusters: int
    strategy: str


def learn_paths(path: Path, sessions: Path | None = None, topic: str | None = None) -> PathsData:
    """Learn the way to the topics, or to one, from a file of browsing sessions or from the links of stored pages.

    What was learned is kept in the portal's `models` directory. Raises InputError if there is nothing to learn from.
    """
    from thresher.runs.path_learning import paths_file, portal_session
    from thresher.sessions.path_model import PathModel
    from thresher.sessions.session import UNREACHED, joined
    from thresher.sessions.session_file import read_sessions, write_sessions

    with closing(open_store(path)) as store:
        session = joined(read_sessions(sessions)) if sessions is not None else portal_session(store, topic)
    if not session.useful:
        raise InputError("The sessions have no useful pages.", "Mark the pages that were useful.")
    model = PathModel().fit(session)
    kept = paths_file(path)
    make_folder(kept.parent)
    write_sessions(kept, [session])
    clicks = Counter(hops for hops in session.distances() if hops != UNREACHED)
    return {
        "portal": str(path),
        "pages": len(session.pages),
        "links": len(session.links),
        "useful": len(session.useful),
        "clicks": {str(hops): clicks[hops] for hops in sorted(clicks)},
        "clusters": model.clusters_,
        "strategy": f"hmm(paths={kept})",
    }
