"""Names and sentences of clusters: words of the subject, not those of menus, tables and templates."""

from random import Random

import numpy as np
from msgspec.structs import replace

from tests.organise.made import SUBJECTS, fill, page
from thresher.organise.cluster_labels import label_of, telling_stems
from thresher.organise.splitting import SplitOptions, split_topic
from thresher.organise.topic_pages import Rows, rows_of, site_counts
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.web.urls import host_of, site_of, url_id

MENUS = ("Kettleworth gazette cookies imprint.", "Oldhaven portal wallpaper shop.", "Brimfield members calendar login.")


def on_site(subject: str, number: int, site: int, text: str = "") -> DocumentRow:
    """Return a page about a subject under the menu of a site."""
    made = page(subject, number, "Pastimes", text=text)
    url = f"http://site{site}.test/{subject}/{number}"
    told = f"{MENUS[site]} {made.text}"
    terms = dict(count_stems(words(told), "en"))
    return replace(made, url=url, url_id=url_id(url), host=host_of(url), text=told, terms=terms, digest=url.encode())


def test_pages_are_grouped_by_subject_and_not_by_the_menus_of_their_sites() -> None:
    store = MemoryStore()
    pages = [on_site(subject, number, number % 3) for subject in SUBJECTS for number in range(24)]
    fill(store, pages)
    split = split_topic(store, "Pastimes", SplitOptions(into=3))
    subjects = [{one.url.split("/")[3] for one in cluster.core} for cluster in split.clusters]
    assert sorted(map(len, subjects)) == [1, 1, 1]
    menus = {word.lower() for menu in MENUS for word in words(menu)}
    for cluster in split.clusters:
        assert not menus & {word.lower() for word in cluster.label.words}
        assert len(cluster.label.words) == 8


def test_words_of_one_site_are_left_out_only_if_there_are_others() -> None:
    two = [on_site("chess", number, number % 2) for number in range(20)]
    one = [on_site("chess", number, 0) for number in range(20)]
    assert "gazett" not in rows_of([p.terms for p in two], [site_of(p.url) for p in two]).terms
    assert "gazett" in rows_of([p.terms for p in two]).terms
    assert "gazett" in rows_of([p.terms for p in one], [site_of(p.url) for p in one]).terms
    assert "pawn" in rows_of([p.terms for p in two], [site_of(p.url) for p in two]).terms


def test_words_that_pages_repeat_come_before_those_they_have_once() -> None:
    rng = Random(1)
    rows = []
    for number in range(20):
        subject = list(SUBJECTS)[number % 2]
        own = rng.sample(SUBJECTS[subject], 4)
        text = " ".join([*own * 3, "Datasheet" if number % 2 else "Postcard", "1984 v9 x."])
        rows.append(page(subject, number, "Pastimes", text=f"{text}."))
    labels = np.array([number % 2 for number in range(20)])
    found = telling_stems(rows_of([one.terms for one in rows]), labels, 2, ["a.test"] * 20)
    for stems, table in zip(found, ("postcard", "datasheet"), strict=True):
        assert table in stems
        assert next(iter(stems)) != table
        assert not {"1984", "v9", "x"} & stems.keys()


def test_words_are_shown_as_written_within_sentences_and_compounds() -> None:
    store = MemoryStore()
    texts = ["Twenty-foot boats race. Regattas in Cowes.", "Regattas wait for twenty-foot boats in Cowes."]
    pages = [page("sailing", number, "Pastimes", text=text) for number, text in enumerate(texts)]
    fill(store, pages)
    telling = {"regatta": 3.0, "twenti": 2.0, "cow": 1.0, "unseen": 0.5}
    assert label_of(store, [one.url_id for one in pages], telling).words == ["regattas", "twenty", "Cowes"]


def test_sentences_of_a_template_come_last() -> None:
    store = MemoryStore()
    shared = "Sails and masts and boats and anchors for everybody."
    pages = [page("sailing", n, "Pastimes", text=f"{shared} The keel {n}th boat has is new.") for n in range(4)]
    pages.append(page("sailing", 4, "Pastimes", text="Anchors hold boats in strong winds."))
    fill(store, pages)
    telling = {"sail": 1.0, "mast": 1.0, "boat": 1.0, "anchor": 1.0}
    assert label_of(store, [one.url_id for one in pages], telling).sentences == [
        "Anchors hold boats in strong winds.",
        shared,
    ]


def test_a_page_without_words_and_a_cluster_without_stems_have_no_label() -> None:
    store = MemoryStore()
    blank = page("sailing", 0, "Pastimes", text=" ")
    fill(store, [blank])
    assert label_of(store, [blank.url_id], {}).words == []
    rows = Rows([], rows_of([{"boat": 1}, {"sail": 1}]).weights[:, :0])
    assert telling_stems(rows, np.array([0, 1]), 2, ["a", "b"]) == [{}, {}]
    assert site_counts(rows.weights, ["a", "b"]).shape == (2, 0)
