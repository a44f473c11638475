"""Provides sessions to strategies that learn paths to a topic: from a file, or from the examples themselves."""

from collections.abc import Sequence
from pathlib import Path

from thresher.errors import InputError, PluginError
from thresher.sessions.session import Session, VisitedPage, joined, session_of
from thresher.sessions.session_file import read_sessions
from thresher.strategies.asking import no_examples
from thresher.types import ParsedPage
from thresher.work_faults import NoPaths


def session_for(name: str, paths: str, examples: Sequence[tuple[ParsedPage, str | None]]) -> Session:
    """Return the sessions in the file `paths` as one; without a file, the examples and the links between them.

    The pages of a topic are the useful ones. Raises PluginError if there are none; `name` is the strategy's.
    """
    if not paths:
        session = session_of(
            (VisitedPage(page.url, page.terms, page.title) for page, _ in examples),
            ((page.url, link.url) for page, _ in examples for link in page.links),
            (page.url for page, label in examples if label is not None),
        )
        if not session.useful:
            raise no_examples(name)
        return session
    try:
        session = joined(read_sessions(Path(paths)))
    except InputError as error:
        raise PluginError(error.sentence, error.remedy, error.fault or NoPaths()) from None
    if not session.useful:
        raise PluginError(
            f"The sessions in '{paths}' have no useful pages.", "Mark the pages that were useful.", NoPaths()
        )
    return session
