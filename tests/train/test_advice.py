"""Warnings about topics."""

from msgspec.structs import replace

from tests.train.made import page
from thresher.classify.acceptance import TopicWishes
from thresher.train.advice import advice

OTHERS = [page(f"news{n} sport{n} common") for n in range(10)]
BOATS = [page(f"boat sail wind{n} common") for n in range(6)]
NEWS = [page(f"paper print press{n} common") for n in range(6)]
CAKES = [page(f"cake flour oven{n} common") for n in range(6)]


def test_sound_topics_deserve_none() -> None:
    assert advice({"Boats": BOATS, "Cakes": CAKES}, OTHERS) == {}


def test_too_few_pages() -> None:
    told = advice({"Boats": BOATS[:1], "Cakes": CAKES[:2]}, OTHERS)
    assert "one training page;" in told["Boats"][0]
    assert "2 training pages;" in told["Cakes"][0]


def test_one_page_that_has_most_of_the_words() -> None:
    told = advice({"Boats": [*BOATS, page("boat " * 50, "http://long.test/")], "Cakes": CAKES}, OTHERS)
    assert list(told) == ["Boats"]
    assert "http://long.test/" in told["Boats"][0]


SHIPS = [page(f"boat sail mast{n} common") for n in range(6)]


def test_twins_are_told_of_each_other() -> None:
    told = advice({"Boats": BOATS, "Ships": SHIPS, "Cakes": CAKES}, OTHERS)
    assert "'Ships'" in told["Boats"][0]
    assert "'Boats'" in told["Ships"][0]
    assert "Cakes" not in told


def test_a_topic_is_no_twin_of_one_inside_it() -> None:
    assert advice({"Boats": [*BOATS, *CAKES], "Boats/Cakes": CAKES, "Ships": CAKES[:0]}, OTHERS).keys() == {"Ships"}
    assert advice({"Boats": BOATS, "Boats/Sails": BOATS, "Cakes": CAKES}, OTHERS) == {}


def test_twins_are_found_in_other_branches() -> None:
    sea = {"Sea": [*BOATS, *CAKES], "Sea/Boats": BOATS, "Sea/Cakes": CAKES}
    told = advice({**sea, "Fun": [*SHIPS, *NEWS], "Fun/Ships": SHIPS, "Fun/News": NEWS}, OTHERS)
    assert told.keys() == {"Sea/Boats", "Fun/Ships"}
    assert "'Fun/Ships'" in told["Sea/Boats"][0]


def test_below_twins_nothing_more_is_told() -> None:
    told = advice({"Boats": BOATS, "Fun": SHIPS, "Fun/Ships": SHIPS, "Cakes": CAKES}, OTHERS)
    assert told.keys() == {"Boats", "Fun"}
    assert [len(sentences) for sentences in told.values()] == [1, 1]


def test_many_twins_are_counted() -> None:
    many = {f"T{number}": [page(f"boat sail {number}x{n} common") for n in range(6)] for number in range(30)}
    told = advice(many, OTHERS)
    assert all(len(sentences) == 4 for sentences in told.values())
    assert told["T0"][-1] == "It is nearly the same as 26 more topics."


def test_shared_training_pages_are_told() -> None:
    both = page("boat cake", "http://both.test/")
    told = advice({"Boats": [*BOATS, both], "Sweet": [*CAKES, both], "Sweet/Cakes": [*CAKES, both]}, OTHERS)
    assert told.keys() == {"Boats", "Sweet/Cakes"}
    assert told["Boats"] == ["It shares a training page with 'Sweet/Cakes', which blurs the two: http://both.test/"]


GERMAN = [replace(page(f"segel ruder wind{n} common"), language="de") for n in range(3)]


def test_training_pages_in_a_language_the_topic_does_not_take() -> None:
    wishes = {"Boats": TopicWishes((), ("en",)), "Cakes": TopicWishes((), ("de", "en"))}
    told = advice({"Boats": [*BOATS[:5], *GERMAN], "Cakes": [*CAKES, replace(CAKES[0], language="")]}, OTHERS, wishes)
    assert told == {"Boats": ["3 of 8 training pages are in de; the topic only accepts en."]}


def test_one_page_in_another_language_than_all_others_is_named() -> None:
    told = advice({"Boats": [*BOATS, GERMAN[0]], "Cakes": CAKES}, OTHERS)
    assert told == {"Boats": [f"One training page is in de, the other 6 are in en: {GERMAN[0].url}"]}
    assert advice({"Boats": [*BOATS, *GERMAN[:2]], "Cakes": CAKES}, OTHERS) == {}


def test_the_language_of_a_query_is_not_judged() -> None:
    query = replace(GERMAN[0], url="query:Boats")
    assert advice({"Boats": [*BOATS, query], "Cakes": CAKES}, OTHERS, {"Boats": TopicWishes((), ("en",))}) == {}


def test_two_identical_topics_are_twins() -> None:
    told = advice({"A": BOATS, "B": BOATS}, OTHERS)
    assert told.keys() == {"A", "B"}
    assert "nearly the same as 'B'" in told["A"][0]
    assert "shares 6 training pages with 'B'" in told["A"][1]
