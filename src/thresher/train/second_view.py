"""The second view of a page: the anchor texts of links to it.

The words of a page may repeat a topic without being about it. The anchor texts of links from other hosts were written
by somebody else; if no other host links to a page, its title is used.
"""

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.train.labelled_urls import page_of_text
from thresher.types import ParsedPage
from thresher.web.urls import host_of


def is_confirmed(store: Store, document: DocumentRow, topic: str, classifier: HierarchicalClassifier) -> bool:
    """Return whether the second view of a stored page speaks for a topic.

    It does not if the topic does not know its words, or if the topic is unknown.
    """
    links = store.documents.inlinks(document.url_id)
    anchors = dict.fromkeys(anchor for source, anchor in links if host_of(source) != document.host)
    said = words_for(page_of_text(" ".join(anchors), document.url, document.language), topic, classifier)
    if said is None:
        said = words_for(page_of_text(document.title, document.url, document.language), topic, classifier)
    return said is not None and said > 0


def words_for(page: ParsedPage, topic: str, classifier: HierarchicalClassifier) -> float | None:
    """Return how far the words of a short text speak for a topic, negative if against it; None if they are unknown."""
    parent, _, name = topic.rpartition("/")
    family = classifier.families_.get(parent)
    names = [child.name for child in family.children] if family else []
    if family is None or name not in names:
        return None
    known = family.known(page.terms)
    if not len(known.places):
        return None
    return sum(weight for _, weight in family.evidence(known, names.index(name), len(known.places)))
