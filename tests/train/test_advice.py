"""Warnings about topics."""

from tests.train.made import page
from thresher.train.advice import advice

OTHERS = [page(f"news{n} sport{n} common") for n in range(10)]
BOATS = [page(f"boat sail wind{n} common") for n in range(6)]
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


def test_twins_are_told_of_each_other_and_only_among_siblings() -> None:
    ships = [page(f"boat sail mast{n} common") for n in range(6)]
    told = advice({"Boats": BOATS, "Ships": ships, "Cakes": CAKES}, OTHERS)
    assert "'Ships'" in told["Boats"][0]
    assert "'Boats'" in told["Ships"][0]
    assert "Cakes" not in told
    assert advice({"Boats": [*BOATS, *CAKES], "Boats/Cakes": CAKES, "Ships": CAKES[:0]}, OTHERS).keys() == {"Ships"}


def test_two_identical_topics_are_twins() -> None:
    assert advice({"A": BOATS, "B": BOATS}, OTHERS).keys() == {"A", "B"}
