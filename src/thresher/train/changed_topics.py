"""Checks whether the topics have changed since the model was trained.

`topics.toml` may be edited by hand at any time; next to every model is a digest of its topics.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from thresher.portals import load_topics
from thresher.store.model_files import model_path, topics_digest_file
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, written
from thresher.train.labelled_urls import labelled_urls

CHANGED: Final = "The topics have changed since the model was trained."
_DIGEST_BYTES: Final = 16


def topics_digest(taxonomy: Taxonomy) -> str:
    """Return a digest of everything training learns from: pages, queries, words and languages of every topic.

    Titles, notes and start pages do not count, nor does the order of topics.

    >>> from thresher.taxonomy.topics_file import read_topics
    >>> one, renamed = (read_topics(f'[[topic]]\\npath = "{name}"\\npages = ["http://a.test"]') for name in "AB")
    >>> topics_digest(one) == topics_digest(renamed)
    False
    """
    taught = sorted((one.url, one.label or "", *one.without) for one in labelled_urls(taxonomy))
    asked = sorted((written(path), topic.query, topic.indicators, topic.languages) for path, topic in taxonomy.walk())
    # Models from before word marks have a digest without them.
    marked = sorted(
        (written(path), topic.good, topic.bad) for path, topic in taxonomy.walk() if topic.good or topic.bad
    )
    told = [taught, asked, marked] if marked else [taught, asked]
    return blake2b(msgspec.json.encode(told), digest_size=_DIGEST_BYTES).hexdigest()


def topics_changed(portal: Path, store: Store | None = None) -> bool:
    """Return whether the newest model learned other topics than the portal has now.

    False if there is no model, or one without a digest.
    """
    opened = store or open_store(portal, read_only=True)
    try:
        row = opened.models.newest()
    finally:
        if store is None:
            opened.close()
    learnt = learnt_topics(portal, row.file) if row else ""
    return bool(learnt) and learnt != topics_digest(load_topics(portal))


def learnt_topics(portal: Path, model: str) -> str:
    """Return the digest of the topics that a model learned, by its file name; empty if unknown."""
    try:
        return topics_digest_file(Path(model_path(portal, model))).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
