"""Duplicates: which pages are found to say the same, which one stays, and undoing it."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cli.shapes import check_shape
from tests.organise.made import fill, page, portal
from thresher.cli.main import call
from thresher.organise.duplicate_groups import find_duplicates
from thresher.store.memory import MemoryStore
from thresher.store.organise_records import DUPLICATES
from thresher.store.page_records import DocumentRow, PageScores
from thresher.text.shingles import resemblance, shingles, sketch
from thresher.web.urls import host_of, url_id

LETTERS = "abcdefghijklmnop"


def prose(seed: str, length: int = 80) -> list[str]:
    rng = Random(seed)
    return ["".join(rng.choices(LETTERS, k=5)) for _ in range(length)]


def at(url: str, text: list[str], confidence: float = 1.0) -> DocumentRow:
    made = page("chess", 1, "chess", confidence, text=" ".join(text))
    return replace(made, url_id=url_id(url), url=url, host=host_of(url))


def changed(text: list[str], number: int) -> list[str]:
    """Return a text with some words at its end replaced."""
    return [*text[: len(text) - number], *prose("other", number)]


PAGES = [
    at("http://a.test/1", prose("one"), 0.5),
    at("http://b.test/1", changed(prose("one"), 4), 2.0),
    at("http://c.test/1", prose("one"), 1.0),
    at("http://a.test/2", prose("two")),
    at("http://a.test/3", changed(prose("two"), 50)),
    at("http://a.test/4", ["Not", "found"]),
    at("http://b.test/4", ["Not", "found"]),
]


def test_pages_that_say_nearly_the_same_are_one_group_and_authority_chooses() -> None:
    store = MemoryStore()
    fill(store, PAGES)
    (group,) = find_duplicates(store).groups
    assert group.best.url == "http://b.test/1"
    assert group.authority is None
    assert {other.page.url for other in group.others} == {"http://a.test/1", "http://c.test/1"}
    assert all(0.8 <= other.similarity < 1.0 for other in group.others)
    store.scores.keep([PageScores(PAGES[0].url_id, 0.0, 0.7, 0.1), PageScores(PAGES[1].url_id, 0.0, 0.2, 0.9)])
    (group,) = find_duplicates(store).groups
    assert (group.best.url, group.authority) == ("http://a.test/1", 0.7)
    (strict,) = find_duplicates(store, 1.0).groups
    assert [other.page.url for other in strict.others] == ["http://c.test/1"]


def test_pages_whose_shingles_were_dropped_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    fill(store, PAGES)
    expected = find_duplicates(store)
    monkeypatch.setattr("thresher.organise.duplicate_groups._HELD", 1)
    assert find_duplicates(store) == expected


def test_a_site_that_repeats_another_is_a_mirror() -> None:
    store = MemoryStore()
    pages = [
        at(f"http://{host}.test/{n}", prose(str(n)), 2.0 - place) for n in range(4) for place, host in enumerate("ab")
    ]
    fill(store, [*pages, at("http://b.test/own", prose("own"))])
    (mirror,) = find_duplicates(store).mirrors
    assert (mirror.host, mirror.of, mirror.pages) == ("b.test", "a.test", 4)


def test_of_two_mirrors_one_stays_as_a_whole_whatever_the_authority_of_single_pages() -> None:
    store = MemoryStore()
    pages = [at(f"http://{host}.test/{n}", prose(str(n))) for n in range(6) for host in "ab"]
    fill(store, [*pages, at("http://c.test/0", prose("0"))])
    # Half of the pages have more authority on one site, the other half on the other, which has more in all.
    store.scores.keep(
        [
            PageScores(row.url_id, 0.0, 0.5 if (row.host == "a.test") == (n < 6) else 0.4, 0.1)
            for n, row in enumerate(pages)
        ]
    )
    store.scores.keep(
        [PageScores(pages[-1].url_id, 0.0, 0.9, 0.1), PageScores(url_id("http://c.test/0"), 0.0, 0.95, 0.1)]
    )
    found = find_duplicates(store)
    assert [(mirror.host, mirror.of, mirror.pages) for mirror in found.mirrors] == [("a.test", "b.test", 6)]
    # A third site with one of the pages is no mirror; there, authority chooses.
    assert sorted(group.best.url for group in found.groups) == [
        *(f"http://b.test/{n}" for n in range(1, 6)),
        "http://c.test/0",
    ]


@given(st.integers(0, 79), st.integers(0, 5))
@settings(max_examples=25)
def test_sketches_agree_about_as_often_as_texts_resemble(number: int, seed: int) -> None:
    text = prose(str(seed))
    one, other = shingles(text), shingles(changed(text, number))
    agree = float((sketch(one) == sketch(other)).mean())
    assert abs(agree - resemblance(one, other)) < 0.3
    assert resemblance(one, other) == resemblance(other, one)


def test_the_command_shows_applies_and_undoes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "p"
    with portal(folder, PAGES, ("chess",)):
        pass
    assert call(["dedupe", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "2 pages of 7 repeat others" in shown
    assert "http://a.test/1" in shown
    assert call(["dedupe", str(folder), "--apply", "--json"]) == 0
    body = msgspec.json.decode(capsys.readouterr().out)
    check_shape(["dedupe"], body)
    assert (body["kept"], body["moved"], body["applied"]) == (5, 2, True)
    assert body["groups"][0]["best"]["url"] == "http://b.test/1"
    assert call(["pages", str(folder), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"] == 5
    assert call(["search", str(folder), f"topic:{DUPLICATES}", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"] >= 1
    assert call(["dedupe", str(folder), "--undo", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["moved"] == 2
    assert call(["pages", str(folder), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["total"] == 7
    assert call(["dedupe", str(folder), "--undo"]) != 0
    assert "no dedupe to undo" in capsys.readouterr().err
