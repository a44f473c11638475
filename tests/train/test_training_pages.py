"""Training pages at hand: through redirects and duplicates, or with the reason why not."""

import pytest
from msgspec.structs import replace

from tests.train.made import page, row
from thresher.config.load import load
from thresher.documents.analyse import Reader
from thresher.errors import InputError
from thresher.reasons import Reason
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DuplicateKind, DuplicateRow, VisitRow
from thresher.store.records import Batch
from thresher.store.url_records import UrlRow, UrlState
from thresher.train.labelled_urls import LabelledUrl
from thresher.train.training_pages import TrainingPages, UnusedPage, gather, left_out
from thresher.types import Candidate
from thresher.web.urls import host_of, url_id

A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def visit(url: str, outcome: str, to: str | None = None, reason: Reason | None = None) -> VisitRow:
    return VisitRow(url_id=url_id(url), url=url, at=1.0, outcome=outcome, to=to, reason=reason)


def gathered(batch: Batch, *wanted: LabelledUrl) -> TrainingPages:
    store = MemoryStore()
    store.crawls.start("train", "breadth-first", {}, 0.0)
    store.commit(batch)
    return gather(store, wanted, Reader("en"), load().settings)


def test_redirects_and_duplicates_lead_to_their_pages() -> None:
    batch = Batch(
        crawl=1,
        at=1.0,
        visits=[visit(A, "redirected", B), visit(B, "redirected", C), visit(D, "fetched", reason=Reason.DUPLICATE)],
        documents=[row(C, "boat sail")],
        duplicates=[
            DuplicateRow(url_id=url_id(D), url=D, original=url_id(C), original_url=C, kind=DuplicateKind.DIGEST)
        ],
    )
    found = gathered(batch, LabelledUrl(A, "Boats"), LabelledUrl(D, "Ships"), LabelledUrl(D, "Boats"))
    assert [(page.url, label) for page, label in found.examples] == [(C, "Boats"), (C, "Ships")]
    assert found.unused == [UnusedPage(D, "Boats", Reason.DUPLICATE, f"same text as {A}")]


def test_an_archive_teaches_by_the_documents_in_it() -> None:
    members = [replace(row(f"{B}all.zip!/{name}", f"boat {name}"), archive=f"{B}all.zip") for name in ("one", "two")]
    empty = replace(row(f"{B}all.zip!/none", ""), archive=f"{B}all.zip")
    batch = Batch(
        crawl=1,
        at=1.0,
        visits=[visit(A, "redirected", f"{B}all.zip"), visit(f"{B}all.zip", "fetched")],
        documents=[*members, empty],
    )
    found = gathered(batch, LabelledUrl(A, "Boats"))
    assert sorted(page.url for page, _ in found.examples) == [f"{B}all.zip!/one", f"{B}all.zip!/two"]
    assert found.unused == [UnusedPage(A, "Boats", Reason.NO_TEXT)]


def test_redirects_in_a_circle_lead_nowhere() -> None:
    batch = Batch(crawl=1, at=1.0, visits=[visit(A, "redirected", B), visit(B, "redirected", A)])
    assert gathered(batch, LabelledUrl(A, "Boats")).unused == [UnusedPage(A, "Boats", Reason.BAD_REDIRECT)]


def test_every_page_that_failed_is_named_with_its_reason() -> None:
    refused = UrlRow(
        id=url_id(B),
        host=host_of(B),
        candidate=Candidate(url=B, priority=()),
        order=1,
        state=UrlState.REFUSED,
        reason=Reason.ROBOTS_DISALLOWED,
    )
    batch = Batch(
        crawl=1,
        at=1.0,
        urls=[refused],
        visits=[visit(A, "failed", reason=Reason.NOT_FOUND), visit(D, "redirected", B)],
        documents=[row(C, "")],
    )
    found = gathered(
        batch, LabelledUrl(A, "Boats"), LabelledUrl(B, None), LabelledUrl(C, "Boats/OTHERS"), LabelledUrl(D, "Boats")
    )
    assert found.examples == []
    assert found.unused == [
        UnusedPage(A, "Boats", Reason.NOT_FOUND),
        UnusedPage(B, "OTHERS", Reason.ROBOTS_DISALLOWED),
        UnusedPage(C, "Boats/OTHERS", Reason.NO_TEXT),
        UnusedPage(D, "Boats", Reason.ROBOTS_DISALLOWED, f"at {B}"),
    ]


def test_a_topic_without_pages_is_named_with_what_became_of_them() -> None:
    left = [UnusedPage(A, "Boats/Sails", Reason.NOT_FOUND)]
    with pytest.raises(InputError, match=r"'Boats/Sails' has no usable.*a\.test/: not-found.*Tea") as caught:
        left_out("my-portal", {"Boats": [], "Boats/Sails": [], "Tea": []}, left)
    assert "thresher topics my-portal add" in caught.value.remedy
    assert left_out("my-portal", {"Boats": [page("boat")], "Boats/Sails": [page("boat")]}, left) == []


def test_topics_that_nothing_can_teach_are_left_out_beside_others() -> None:
    left = [UnusedPage(A, "Boats/Sails", Reason.NOT_FOUND)]
    told = left_out("my-portal", {"Boats": [], "Boats/Sails": [], "Tea": [], "Cake": [page("cake")]}, left)
    assert told == [
        "The topic 'Boats/Sails' is skipped: none of its pages can be used (http://a.test/: not-found).",
        "The topic 'Tea' is skipped: none of its pages can be used.",
    ]


def test_pages_at_private_addresses_ask_for_the_setting_that_allows_them() -> None:
    left = [UnusedPage("http://10.0.0.7/a", "Tea", Reason.ADDRESS_FORBIDDEN), UnusedPage(A, "Tea", Reason.NOT_FOUND)]
    with pytest.raises(InputError, match=r"private addresses.*10\.0\.0\.7/a: address-forbidden") as caught:
        left_out("my-portal", {"Tea": []}, left)
    assert '[network] allow = ["10.0.0.7"]' in caught.value.remedy
    assert "delete" not in caught.value.remedy
    note, _ = left_out("my-portal", {"Tea": [], "Cake": [page("cake")]}, left)
    assert '[network] allow = ["10.0.0.7"]' in note


def test_what_may_not_be_kept_teaches_all_the_same() -> None:
    store = MemoryStore()
    store.crawls.start("train", "breadth-first", {}, 0.0)
    visits = [visit(A, "redirected", B), visit(B, "fetched", reason=Reason.NOINDEX)]
    store.commit(Batch(crawl=1, at=1.0, visits=visits))
    wanted = [LabelledUrl(A, "Boats")]
    assert gather(store, wanted, Reader("en"), load().settings).examples == []
    found = gather(store, wanted, Reader("en"), load().settings, [row(B, "boat sail")])
    assert [(page.url, label) for page, label in found.examples] == [(B, "Boats")]
    assert store.documents.document(url_id(B)) is None
