"""Warnings about topics that are hard to learn: too few pages, odd pages, near-identical topics."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from thresher.classify.acceptance import TopicWishes, Wishes
from thresher.classify.family_fitting import FEW
from thresher.classify.likeness import Topics
from thresher.taxonomy.example_sites import advice_on_sites
from thresher.train.alike_topics import shared_pages, twins
from thresher.types import ParsedPage

DOMINANT: Final = 0.5
"""A page with at least this share of a topic's words is named."""

NAMED: Final = 3
"""Maximum number of other topics to name for one topic; the rest are counted."""


def advice(topics: Topics, negatives: Sequence[ParsedPage], wishes: Wishes | None = None) -> dict[str, list[str]]:
    """Return sentences for each topic that needs advice; `negatives` are pages without a topic."""
    asked = wishes or {}
    told = {name: [*_about_pages(pages), *_about_languages(pages, asked.get(name))] for name, pages in topics.items()}
    for name, likeness in twins(topics, negatives).items():
        told[name] += _sentences(
            {
                other: f"It is nearly the same as '{other}' (similarity {value:.2f}): merge them, or make them more "
                "different."
                for other, value in likeness.items()
            },
            "is nearly the same as",
        )
    for name, others in shared_pages(topics).items():
        told[name] += _sentences(
            {other: _about_shared(urls, other) for other, urls in others.items()}, "shares pages with"
        )
    return {name: sentences for name, sentences in told.items() if sentences}


def _about_pages(pages: Sequence[ParsedPage]) -> list[str]:
    sentences: list[str] = []
    if len(pages) < FEW:
        number = "one training page" if len(pages) == 1 else f"{len(pages)} training pages"
        sentences.append(f"It has {number}; with fewer than {FEW}, its figures are unreliable.")
    spread = advice_on_sites([page.url for page in pages])
    sentences += [spread] if spread is not None else []
    sizes = {page.url: sum(page.terms.values()) for page in pages}
    longest = max(sizes, key=lambda url: sizes[url], default="")
    if len(pages) > 2 and sizes[longest] > DOMINANT * sum(sizes.values()):
        share = sizes[longest] / sum(sizes.values())
        sentences.append(f"One page has {share:.0%} of its words: {longest}")
    return sentences


def _about_languages(pages: Sequence[ParsedPage], wishes: TopicWishes | None) -> list[str]:
    """Return sentences about pages in a language the topic does not accept, or that is rare among its pages.

    Pages in an unknown language are skipped, and queries, which are too short to identify a language.
    """
    known = [page for page in pages if page.language and not page.url.startswith("query:")]
    counted = Counter(page.language for page in known)
    if wishes is not None and wishes.languages:
        strange = {code: number for code, number in counted.items() if code not in wishes.languages}
        if not strange:
            return []
        number = sum(strange.values())
        verb = "is" if number == 1 else "are"
        noun = "page" if len(pages) == 1 else "pages"
        return [
            f"{number} of {len(pages)} training {noun} {verb} in {_codes(strange)}; "
            f"the topic only accepts {_codes(wishes.languages)}."
        ]
    if len(known) > 2 and len(counted) == 2 and min(counted.values()) == 1:
        (most, number), (rare, _) = counted.most_common()
        url = next(page.url for page in known if page.language == rare)
        return [f"One training page is in {rare}, the other {number} are in {most}: {url}"]
    return []


def _codes(codes: Sequence[str] | Mapping[str, int]) -> str:
    return ", ".join(sorted(codes))


def _about_shared(urls: Sequence[str], other: str) -> str:
    if len(urls) == 1:
        return f"It shares a training page with '{other}', which blurs the two: {urls[0]}"
    return f"It shares {len(urls)} training pages with '{other}', which blurs the two: {urls[0]}, ..."


def _sentences(by_topic: Mapping[str, str], verb: str) -> list[str]:
    """Return the sentences about the first few other topics, and one that counts the rest."""
    rest = len(by_topic) - NAMED
    more = [f"It {verb} {rest} more {'topic' if rest == 1 else 'topics'}."] if rest > 0 else []
    return [*list(by_topic.values())[:NAMED], *more]
