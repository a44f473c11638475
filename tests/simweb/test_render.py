import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from thresher.simweb.anchors import page_anchors
from thresher.simweb.coining import function_words
from thresher.simweb.graph import LinkPosition
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.render import render
from thresher.simweb.text import randomness
from thresher.simweb.traps import split_session

from .reading import html, links_of, text_of


def shown(web, *kinds):
    wanted = web.pages.is_kind(*kinds) if kinds else ~web.pages.is_kind(PageKind.TRAP)
    return np.flatnonzero((web.pages.status == 200) & wanted).tolist()


def plain(url):
    return split_session(url)[0]


def test_the_links_of_a_page_are_those_of_the_plan(mixed):
    for page in shown(mixed)[::4]:
        found = links_of(html(mixed, page), mixed.urls[page])
        span = slice(mixed.graph.starts[page], mixed.graph.starts[page + 1])
        nofollow = {mixed.urls[t] for t in mixed.graph.targets[span][mixed.graph.nofollow[span]]}
        assert sorted(url for url, _, _ in found) == sorted(mixed.urls[target] for target in mixed.links(page))
        assert {url for url, _, marked in found if marked} == nofollow


def test_pages_have_the_size_of_real_ones(mixed):
    sizes = []
    for page in shown(mixed)[::5]:
        markup = html(mixed, page)
        sizes.append((len(text_of(markup).split()), len(links_of(markup, mixed.urls[page]))))
    words, links = np.mean(sizes, axis=0)
    assert 250 <= words <= 450
    assert 20 <= links <= 40


def test_mirrors_equal_their_originals_byte_for_byte(mixed):
    mirrors = shown(mixed, PageKind.MIRROR)
    assert mirrors
    for page in mirrors:
        assert render(mixed, page) == render(mixed, int(mixed.pages.original[page]))


def test_the_links_of_a_mirror_stay_in_the_mirror(mixed):
    for page in shown(mixed, PageKind.MIRROR)[::3]:
        assert int(mixed.pages.host[page]) in mixed.pages.host[mixed.links(page)]
        original = mixed.hosts[mixed.hosts[int(mixed.pages.host[page])].mirror_of]
        assert not any(original.first <= target < original.end for target in mixed.links(page))


def test_near_duplicates_differ_in_a_few_words(mixed):
    copies = shown(mixed, PageKind.NEAR_DUPLICATE)
    assert copies
    for page in copies:
        words = text_of(html(mixed, page)).split()
        original = text_of(html(mixed, int(mixed.pages.original[page]))).split()
        assert len(words) == len(original)
        differing = sum(a != b for a, b in zip(words, original, strict=True))
        assert 0 < differing < 0.12 * len(words)


def test_different_pages_differ(clean):
    bodies = {render(clean, page) for page in range(clean.pages.count)}
    assert len(bodies) == clean.pages.count


@pytest.mark.parametrize(("flag", "word"), [(Flag.NOINDEX, "noindex"), (Flag.NOFOLLOW, "nofollow")])
def test_meta_robots(mixed, flag, word):
    for page in np.flatnonzero(mixed.pages.is_kind(PageKind.CONTENT))[:400].tolist():
        meta = LexborHTMLParser(html(mixed, page)).css_first("meta[name=robots]")
        said = (meta.attributes["content"] or "").split(",") if meta else []
        assert (word in said) == bool(mixed.pages.flags[page] & flag)


def test_pages_are_written_in_the_language_of_their_host(mixed):
    for language in ("en", "de", "fr"):
        pages = [
            p for p in shown(mixed, PageKind.CONTENT) if mixed.hosts[int(mixed.pages.host[p])].language == language
        ]
        for page in pages[:15]:
            words = text_of(html(mixed, page)).lower().split()
            hits = {other: sum(word in set(function_words(other)) for word in words) for other in ("en", "de", "fr")}
            assert max(hits, key=hits.__getitem__) == language


def test_topical_pages_say_more_of_their_topic_than_welcome_pages(mixed):
    def share(page):
        table = set(mixed.vocabulary.tables[int(mixed.pages.theme[page])])
        words = text_of(html(mixed, page)).lower().split()
        return sum(word in table for word in words) / len(words)

    content = [share(page) for page in shown(mixed, PageKind.CONTENT)[::20] if mixed.pages.topic[page] >= 0]
    welcome = [share(page) for page in shown(mixed, PageKind.WELCOME)[::4]]
    assert np.mean(content) > 2 * np.mean(welcome)


def test_anchors_mostly_tell_of_their_target_but_not_always(mixed):
    told = []
    for page in shown(mixed, PageKind.CONTENT)[::25]:
        texts = {plain(url): text for url, text, _ in links_of(html(mixed, page), mixed.urls[page])}
        for target in mixed.links(page):
            if mixed.pages.topic[target] >= 0:
                words = set(mixed.vocabulary.tables[int(mixed.pages.theme[target])])
                told.append(bool(words & set(texts[mixed.urls[target]].split())))
    assert 0.6 < np.mean(told) < 0.9


def test_links_stand_in_navigation_text_lists_tables_and_footers(mixed):
    assert set(np.unique(mixed.graph.places)) == set(LinkPosition)


def test_markup_is_tidy_and_broken(mixed):
    pages = [html(mixed, page) for page in shown(mixed, PageKind.CONTENT)[:300]]
    unquoted = sum("<a href=/" in page or "<a href=http" in page for page in pages)
    unclosed = sum("</html>" not in page.lower() for page in pages)
    bad_nesting = sum("</b></i>" in page for page in pages)
    assert all(0 < count < 150 for count in (unquoted, unclosed, bad_nesting))
    assert any("<form" in page for page in pages)
    assert any("<table" in page for page in pages)


def test_text_of_links_hints_at_targets_only_in_paragraphs(clean):
    hints = {place: [] for place in LinkPosition}
    for page in range(100):
        anchors = page_anchors(clean, page, randomness(clean, page))
        for place in LinkPosition:
            hints[place] += [bool(anchor.hint) for anchor in anchors[place]]
    assert 0.2 < np.mean(hints.pop(LinkPosition.TEXT)) < 0.7
    assert not any(any(there) for there in hints.values())
