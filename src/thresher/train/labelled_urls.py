"""The training pages and rules of the topics, before anything is fetched."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from thresher.classify.acceptance import TopicWishes
from thresher.taxonomy.topic_tree import OTHERS, Taxonomy, written
from thresher.text.language import identify
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage

AUTO = "auto"


class LabelledUrl(Struct, frozen=True):
    """A training page: its URL, and the written path of its topic as classifiers read it.

    A last segment `OTHERS` marks a negative example for the topic before it; None marks one for all topics. `without`
    are the digests of its passages that teach nothing.
    """

    url: str
    label: str | None
    without: tuple[str, ...] = ()


def labelled_urls(taxonomy: Taxonomy) -> list[LabelledUrl]:
    """Return the training pages of all topics, each once per topic.

    >>> from thresher.taxonomy.topics_file import read_topics
    >>> tree = read_topics('[[topic]]\\npath = "A"\\npages = ["http://a.test"]\\nothers = ["http://b.test"]')
    >>> [(one.url, one.label) for one in labelled_urls(tree)]
    [('http://a.test/', 'A'), ('http://b.test/', 'A/OTHERS')]
    """
    found = [LabelledUrl(page.url, None) for page in taxonomy.root.others]
    for path, topic in taxonomy.walk():
        label = written(path)
        found += [LabelledUrl(page.url, label, page.without) for page in topic.pages]
        found += [LabelledUrl(page.url, f"{label}/{OTHERS.upper()}") for page in topic.others]
    return list(dict.fromkeys(found))


def queries(taxonomy: Taxonomy, language: str) -> list[tuple[ParsedPage, str]]:
    """Return the queries that count as training pages, each with its topic."""
    return [
        (page_of_text(topic.query, f"query:{written(path)}", language), written(path))
        for path, topic in taxonomy.walk()
        if topic.query
    ]


def page_of_text(text: str, url: str, language: str) -> ParsedPage:
    """Return a page of plain text; `language` may be `auto`."""
    found = words(text)
    code = identify(found).code if language == AUTO else language
    return ParsedPage(url=url, title="", words=found, links=[], terms=count_stems(found, code), language=code)


def is_negative(label: str | None) -> bool:
    """Return whether pages with a label are only negative examples."""
    return label is None or label.rpartition("/")[2].lower() == OTHERS


def pages_by_topic(
    taxonomy: Taxonomy, examples: Iterable[tuple[ParsedPage, str | None]]
) -> dict[str, list[ParsedPage]]:
    """Return the training pages of each topic, its own and those of all below it; topics may have none."""
    found: dict[str, list[ParsedPage]] = {
        written(path): [] for path, _ in taxonomy.walk() if not is_negative(written(path))
    }
    for page, label in examples:
        if label is None or is_negative(label):
            continue
        parts = label.split("/")
        for depth in range(1, len(parts) + 1):
            found.setdefault("/".join(parts[:depth]), []).append(page)
    return found


def wishes(taxonomy: Taxonomy, pages: Mapping[str, Sequence[ParsedPage]], language: str) -> dict[str, TopicWishes]:
    """Return people's requirements for the pages of topics, with indicator words as stems.

    Words are stemmed in the languages of the topic, otherwise in `language`, or, if that is `auto`, in the language of
    most of its training pages.
    """
    found: dict[str, TopicWishes] = {}
    for path, topic in taxonomy.walk():
        if not (topic.indicators or topic.languages or topic.good or topic.bad):
            continue
        name = written(path)
        codes = topic.languages or (_language(pages.get(name, ())) if language == AUTO else language,)
        indicators, good, bad = (_stems(said, codes) for said in (topic.indicators, topic.good, topic.bad))
        found[name] = TopicWishes(indicators, topic.languages, good, bad)
    return found


def _stems(said: Sequence[str], codes: Sequence[str]) -> tuple[str, ...]:
    """Return the stems of words in the given languages, each once."""
    return tuple({stem: None for word in said for code in codes for stem in count_stems(words(word), code)})


def _language(pages: Sequence[ParsedPage]) -> str:
    """Return the language of most pages, English if there are none."""
    counted = Counter(page.language for page in pages if page.language)
    return min(counted, key=lambda code: (-counted[code], code)) if counted else "en"
