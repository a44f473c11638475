"""The strategy that prices links by a query."""

from math import isclose, isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.following import EmptyView, followed, memo_of, read
from thresher.strategies.query import START, QueryScorer
from thresher.strategies.query_mentions import in_address, mentions
from thresher.text.query_words import QueryWords
from thresher.text.stems import count_stems
from thresher.types import Candidate, Link, ParsedPage, Reading


def page_of(text: str, url: str = "http://a.test/", language: str = "en", title: str = "") -> ParsedPage:
    """Return a page in which words in brackets are links, each to a page of its own name."""
    words: list[str] = []
    links: list[Link] = []
    for word in text.split():
        if word.startswith("["):
            name = word.strip("[]")
            links.append(Link(f"http://b.test/{len(links)}", name, len(words), 1))
            words.append(name)
        else:
            words.append(word)
    return ParsedPage(
        url=url, title=title, words=words, links=links, terms=count_stems(words, language), language=language
    )


def prices(strategy: QueryScorer, text: str, candidate: Candidate | None = None, language: str = "en") -> list[float]:
    found = followed(strategy, page_of(text, language=language), candidate=candidate)
    return [price.priority[0] for price in found]


def test_a_link_is_worth_what_is_said_in_and_around_it() -> None:
    text = " ".join(
        ["[quartz]", *60 * ["x"], "quartz", "[here]", *60 * ["x"], "quartz", *9 * ["x"], "[there]", *60 * ["x"]]
    )
    anchor, narrow, wide, nothing = prices(QueryScorer("quartz lantern"), f"{text} [nowhere]")
    assert anchor > narrow > wide > nothing


def test_more_of_the_query_is_worth_more() -> None:
    one, two = prices(QueryScorer("quartz lantern"), " ".join(["quartz [here]", *60 * ["x"], "quartz lantern [there]"]))
    assert two > one


def test_a_page_with_part_of_the_query_lifts_all_its_links_and_less_those_behind_them() -> None:
    strategy = QueryScorer("quartz lantern", click=0.0)
    filling = " ".join(60 * ["x"])
    none = prices(strategy, f"{filling} [here]")[0]
    good = followed(strategy, page_of(f"quartz lantern {filling} [here]"))[0]
    behind = followed(strategy, page_of(f"{filling} [there]"), candidate=good)[0]
    further = followed(strategy, page_of(f"{filling} [everywhere]"), candidate=behind)[0]
    assert good.priority > behind.priority > further.priority > (none,)


def test_every_click_costs_a_little() -> None:
    strategy = QueryScorer("quartz")
    near, far = (prices(strategy, "[here]", Candidate(url="http://a.test/", priority=(), depth=d))[0] for d in (0, 4))
    assert isclose(near - far, 4 * strategy.click)


def test_a_word_on_every_page_says_little() -> None:
    strategy = QueryScorer("quartz lantern")
    for number in range(200):
        followed(strategy, page_of("quartz and so on", url=f"http://a.test/{number}"))
    quartz, lantern = prices(strategy, " ".join(["[quartz]", *60 * ["x"], "[lantern]"]))
    assert lantern > 2 * quartz


def test_pages_at_hand_tell_what_is_rare_when_a_crawl_begins() -> None:
    class Known:
        def urls(self) -> list[str]:
            return [f"http://c.test/{number}" for number in range(100)]

        def terms(self, urls: list[str]) -> dict[str, dict[str, int]]:
            return {url: {"quartz": 1} for url in urls}

    view = EmptyView()
    view.known = Known()  # type: ignore[assignment]
    strategy = QueryScorer("quartz lantern")
    page = page_of(" ".join(["[quartz]", *60 * ["x"], "[lantern]"]))
    quartz, lantern = (found.priority for found in strategy.rank(read(strategy, page), view))
    assert lantern > quartz
    assert strategy.pages_ == 101


def test_words_are_stemmed_as_the_page_is() -> None:
    german = QueryScorer("Häuser")
    assert prices(german, "[Haus]", language="de") > prices(german, "[Maus]", language="de")
    english = QueryScorer("lanterns")
    assert prices(english, "[lantern]") > prices(english, "[quartz]")


def test_start_pages_come_first_and_links_without_a_page_have_their_own_words() -> None:
    strategy = QueryScorer("quartz lantern")
    root = Candidate(url="", priority=(), depth=-1)
    start = next(iter(strategy.rank(Reading(candidate=root, links=[Link("http://a.test/", "", 0, 0)]), EmptyView())))
    assert start.priority == (START,)
    links = [
        Link("http://a.test/1", "quartz lanterns", 0, 0),
        Link("http://a.test/quartz", "", 0, 0),
        Link("http://a.test/2", "", 0, 0),
    ]
    alone = Reading(candidate=Candidate(url="http://a.test/", priority=()), links=links)
    named, addressed, bare = (found.priority for found in strategy.rank(alone, EmptyView()))
    assert START > named[0] > addressed[0] > bare[0]


def test_an_address_is_read_by_its_words() -> None:
    query = QueryWords("red boats sailing")
    assert in_address("http://www.sail.test/a_red-BOAT?x=1", query) == 0b111
    assert in_address("http://a.test/redress", query) == 0
    assert in_address("http://a.test/%ff%00%zz", query) == 0


def test_the_account_adds_up_to_the_price() -> None:
    strategy = QueryScorer("quartz lantern")
    for found in followed(strategy, page_of("quartz [lantern] x x x [here]")):
        assert isclose(sum(adds for _, _, adds in strategy.account(found)), found.priority[0], abs_tol=1e-3)
        assert set(memo_of(found)) == {"s", "p"}
    assert strategy.account(Candidate(url="http://a.test/", priority=(START,)))[0][2] == START
    assert strategy.account(Candidate(url="http://a.test/", priority=(1.0,), memo='{"worth": 2}')) == []


def test_what_was_learnt_survives_a_kill() -> None:
    strategy = QueryScorer("quartz lantern")
    for _ in range(9):
        followed(strategy, page_of("quartz"))
    other = QueryScorer("quartz lantern")
    other.restore(strategy.state())
    assert prices(other, "[quartz] [lantern]") == prices(strategy, "[quartz] [lantern]")


@pytest.mark.parametrize("wrong", [{"decay": 1.5}, {"decay": -0.1}, {"page": -1.0}, {"click": float("nan")}])
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="decay"):
        QueryScorer("quartz", **wrong)


@given(st.lists(st.sampled_from(["quartz", "[quartz]", "lanterns", "[x]", "x", "[lantern]", "the"]), max_size=80))
def test_any_page_has_finite_prices_and_sets_within_sets(words: list[str]) -> None:
    query = QueryWords("quartz lantern")
    page = page_of(" ".join(words))
    for link in mentions(page, query).links:
        assert link.anchor & ~link.narrow == 0
        assert link.narrow & ~link.wide == 0
    found = followed(QueryScorer("quartz lantern"), page)
    assert all(isfinite(candidate.priority[0]) and candidate.priority[0] < START for candidate in found)
