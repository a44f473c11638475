"""Where topics end: folds by site, the null, and what sites are worth."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.classify.folds import FOLDS, site_folds, topic_folds
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.null_margins import Null, Placed, null_of, pooled
from thresher.classify.site_evidence import STRICT, SiteBorders, SiteEvidence, site_borders
from thresher.types import ParsedPage

NONE = Placed(np.zeros(0), [])


def page(url: str, *kinds: str, seed: int) -> ParsedPage:
    """Return a page of words of some kinds, and of words that every page has."""
    rng = random.Random(f"{url}{seed}")
    words = [f"{kind}{rng.randrange(30)}" for kind in kinds for _ in range(30)]
    words += [f"common{rng.randrange(40)}" for _ in range(30)]
    return ParsedPage(
        url=url, title="", words=[], links=[], terms={word: words.count(word) for word in words}, language="en"
    )


def site(name: str, *kinds: str, pages: int = 8) -> list[ParsedPage]:
    return [page(f"http://{name}.test/{number}", *kinds, seed=number) for number in range(pages)]


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 4)), min_size=1, max_size=30))
def test_pages_of_one_site_are_held_out_together(drawn: list[tuple[int, int]]) -> None:
    members = np.array([[topic == column for column in range(3)] for topic, _ in drawn])
    sites = [str(number) for _, number in drawn]
    folds = topic_folds(members, sites, np.ones(len(drawn), bool))
    assert ((folds >= 0) & (folds < FOLDS)).all()
    for topic in range(-1, 3):
        rows = [row for row, (of, _) in enumerate(drawn) if of == topic]
        if len({sites[row] for row in rows}) > 1:
            parted = {(sites[row], int(folds[row])) for row in rows}
            assert len(parted) == len({sites[row] for row in rows})
    by_site = site_folds(sites)
    assert len(set(zip(sites, by_site.tolist(), strict=True))) == len(set(sites))


def test_pages_that_are_not_asked_are_never_held_out() -> None:
    members = np.array([[True], [True], [False], [False]])
    folds = topic_folds(members, list("abcd"), np.array([True, True, True, False]))
    assert folds[-1] == -1
    assert set(folds[:3].tolist()) == {0, 1}


def test_the_null_is_where_most_sites_lie_not_most_pages() -> None:
    margins = np.array([*np.linspace(-0.9, -0.7, 20), *([0.1] * 200)])
    sites = [*(f"{number}.test" for number in range(20)), *(["large.test"] * 200)]
    found = null_of(Placed(np.ones(4), list("abcd")), NONE, np.zeros(0), Placed(margins, sites))
    assert -0.9 <= found.centre <= -0.7
    assert 0 < found.spread < 0.2


def test_sites_that_look_like_the_topic_are_no_null() -> None:
    own = Placed(np.array([0.5, 0.6, 0.4, 0.5]), ["home.test"] * 4)
    others = Placed(np.linspace(-0.9, -0.7, 10), [f"{number}.test" for number in range(10)])
    alike = Placed(np.full(60, 0.45), ["home.test"] * 30 + ["like.test"] * 30)
    bare, with_alike = (null_of(own, others, np.zeros(0), met) for met in (NONE, alike))
    assert with_alike == bare
    mixed = Placed(np.concatenate([np.full(20, -0.5), np.full(10, 0.45)]), ["home.test"] * 30)
    assert null_of(own, others, np.zeros(0), mixed).centre > bare.centre


def test_pages_of_other_sites_outweigh_siblings_that_nobody_taught() -> None:
    own = Placed(np.array([0.5, 0.6]), ["home.test"] * 2)
    siblings = Placed(np.linspace(-0.5, -0.3, 60), [f"sibling{number}.test" for number in range(60)])
    elsewhere = Placed(np.linspace(-0.9, -0.7, 60), [f"other{number}.test" for number in range(60)])
    found = null_of(own, siblings, np.zeros(0), elsewhere, topics=4)
    assert found.centre < -0.7
    # Where nothing else is known, siblings are all there is.
    assert null_of(own, siblings, np.zeros(0), NONE, topics=4).centre == pytest.approx(-0.4, abs=0.01)


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=9))
def test_spreads_of_siblings_are_drawn_together_in_their_order(spreads: list[float]) -> None:
    found = [null.spread for null in pooled([Null(0.0, spread) for spread in spreads])]
    assert max(found) <= max(spreads) * (1 + 1e-9)
    assert min(found) >= min(spreads) * (1 - 1e-9)
    assert max(found) / min(found) <= max(spreads) / min(spreads) * (1 + 1e-9)
    # Spreads that differ by rounding only may become equal.
    in_order = [found[place] for place in np.argsort(spreads, kind="stable")]
    assert in_order == sorted(found)


def test_a_single_topic_keeps_its_spread() -> None:
    assert pooled([Null(0.0, 0.3)])[0].spread == pytest.approx(0.3)
    assert pooled([]) == []


def test_where_nothing_is_known_the_null_is_guessed_between_general_language_and_the_topic() -> None:
    found = null_of(Placed(np.array([0.4]), ["a"]), NONE, np.full(9, -0.6), NONE)
    assert -0.6 < found.centre < 0.4
    assert found.spread > 0
    assert null_of(NONE, NONE, np.zeros(0), NONE).spread > 0
    assert null_of(Placed(np.array([np.nan]), ["a"]), NONE, np.array([np.nan]), NONE).spread > 0


def test_a_crawl_for_one_topic_meets_much_of_it_and_the_null_allows_for_that() -> None:
    rng = np.random.default_rng(1)
    elsewhere = Placed(rng.normal(-0.8, 0.1, 60), [f"{number}.test" for number in range(60)])
    ours = Placed(rng.normal(-0.3, 0.1, 40), [f"{number}.mail.test" for number in range(40)])
    both = Placed(np.concatenate([elsewhere.margins, ours.margins]), [*elsewhere.sites, *ours.sites])
    own = Placed(np.full(4, 0.5), list("abcd"))
    without, alone, among = (
        null_of(own, NONE, np.zeros(0), met, topics) for met, topics in ((elsewhere, 8), (both, 1), (both, 8))
    )
    assert alone.centre + alone.spread < among.centre
    assert alone.centre == pytest.approx(without.centre, abs=0.06)
    assert alone.spread == pytest.approx(without.spread, abs=0.06)


def test_the_border_is_nearer_on_sites_about_the_topic_and_farther_on_others() -> None:
    rng = np.random.default_rng(3)
    sites = [f"{number}.test" for number in range(20) for _ in range(12)]
    ours = np.repeat(np.arange(20) < 5, 12)
    distances = np.column_stack([rng.normal(np.where(ours, 6.0, 0.0)), rng.normal(0.0, 1.0, 240)])
    found = site_borders(distances, sites, np.full((240, 2), np.nan))
    nearer = {site: found.evidence.added(np.zeros(2), site).tolist() for site in ("0.test", "9.test", "new.test")}
    assert nearer["0.test"][0] > 0 > nearer["9.test"][0]
    assert nearer["new.test"] == [0.0, 0.0]
    assert abs(nearer["0.test"][1] - nearer["9.test"][1]) < 0.2
    # A page without a word of the topic is not of it, whatever its site.
    assert found.usual[0] - nearer["0.test"][0] > 1.0


def test_a_mixed_site_asks_for_more_words_than_a_pure_one() -> None:
    rng = np.random.default_rng(4)
    sites = [f"{number}.test" for number in range(20) for _ in range(12)]
    pure = np.repeat(np.arange(20) < 5, 12)
    mixed = np.tile(np.arange(12) % 2 == 0, 20) & np.repeat(np.arange(20) < 10, 12)
    own = [np.where(ours, 6.0, 0.5) + rng.normal(0.0, 1.0, 240) for ours in (pure, mixed)]
    found = [site_borders(one[:, None], sites, np.full((240, 1), np.nan)) for one in own]
    on_pure, on_mixed = (one.usual[0] - one.evidence.sites["0.test"][0] for one in found)
    assert on_pure < on_mixed


def test_few_sites_say_nothing() -> None:
    found = site_borders(np.zeros((9, 2)), ["one.test"] * 9, np.full((9, 2), np.nan))
    assert found == SiteBorders([STRICT, STRICT], SiteEvidence())


def test_pages_that_were_met_keep_a_topic_from_taking_everything() -> None:
    boats = [(one, "Boats") for one in site("boats", "boat", "manual", pages=4)]
    met = [one for number in range(12) for one in site(f"other{number}", f"thing{number}", "manual")]
    bare, taught = HierarchicalClassifier().fit(boats), HierarchicalClassifier().fit(boats, met=met)
    strange = site("strange", "strange", "manual")
    assert not any(taught.classify(one).topic for one in strange)
    own = [page("http://boats.test/new", "boat", "manual", seed=9), page("http://sails.test/new", "boat", seed=9)]
    assert [taught.classify(one).topic for one in own] == ["Boats", "Boats"]
    confidence = {name: max(c.classify(one).confidence for one in strange) for name, c in (("b", bare), ("t", taught))}
    assert confidence["t"] < confidence["b"]


def test_a_page_is_explained_by_its_words_and_its_site() -> None:
    boats = [(one, "Boats") for one in [*site("boats", "boat", pages=2), *site("yachts", "boat", pages=2)]]
    met = [one for number in range(8) for one in site(f"other{number}", f"thing{number}")]
    met += site("harbour", "boat", "ship")
    classifier = HierarchicalClassifier().fit(boats, met=met)
    thin = page("http://harbour.test/thin", "ship", seed=1)
    judged = classifier.classify(thin)
    sites = [(word, weight) for word, weight in judged.evidence if word == "site harbour.test"]
    assert len(sites) == 1
    assert sites[0][1] > 0
    family = classifier.families_[""]
    words = family.evidence(family.known(thin.terms), 0, 10_000)
    total = sum(weight for _, weight in words) + sites[0][1]
    assert total - judged.border == pytest.approx(judged.confidence, abs=1e-3)
    unknown = classifier.classify(replace(thin, url="http://unknown.test/thin"))
    assert unknown.confidence < judged.confidence
    assert not any(word.startswith("site ") for word, _ in unknown.evidence)


def test_a_site_full_of_the_topic_does_not_carry_a_page_without_its_words() -> None:
    boats = [(one, "Boats") for one in site("boats", "boat", pages=4)]
    met = [one for number in range(8) for one in site(f"other{number}", f"thing{number}")]
    met += site("harbour", "boat")
    classifier = HierarchicalClassifier().fit(boats, met=met)
    bare = page("http://harbour.test/contact", "address", seed=1)
    assert classifier.classify(bare).topic is None
    assert classifier.classify(page("http://harbour.test/new", "boat", seed=9)).topic == "Boats"


def test_models_with_sites_survive_their_file() -> None:
    boats = [(one, "Boats") for one in site("boats", "boat", pages=4)]
    met = [one for number in range(8) for one in site(f"other{number}", f"thing{number}")]
    classifier = HierarchicalClassifier().fit(boats, met=met)
    again = HierarchicalClassifier.from_bytes(classifier.to_bytes())
    assert again.families_[""].site_evidence == classifier.families_[""].site_evidence
    assert [again.classify(one) for one in met] == [classifier.classify(one) for one in met]


def test_a_null_is_made_of_pages_in_the_languages_of_the_topic() -> None:
    """Two German topics, and a crawl that met English pages and German ones about other things."""

    def german(one: ParsedPage) -> ParsedPage:
        return replace(one, terms={f"de-{word}": count for word, count in one.terms.items()}, language="de")

    boats = [(german(one), "boats") for one in site("boats", "boat", pages=4)]
    cars = [(one, "cars") for one in site("cars", "car", pages=4)]
    english = [one for number in range(12) for one in site(f"en{number}", f"en{number}", pages=5)]
    others = [german(one) for number in range(6) for one in site(f"de{number}", f"other{number}", pages=5)]
    fitted = HierarchicalClassifier().fit([*boats, *cars], met=[*english, *others])
    unseen = [german(one) for number in range(6) for one in site(f"new{number}", f"more{number}", pages=2)]
    assert not [one.url for one in unseen if fitted.classify(one).topic]
    assert all(fitted.classify(german(one)).topic == "boats" for one in site("harbour", "boat", pages=4))
