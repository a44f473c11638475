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
from thresher.train.gathered import Gathered, Left, gather, require_pages
from thresher.train.lessons import Lesson
from thresher.types import Candidate
from thresher.web.urls import host_of, url_id

A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def visit(url: str, outcome: str, to: str | None = None, reason: Reason | None = None) -> VisitRow:
    return VisitRow(url_id=url_id(url), url=url, at=1.0, outcome=outcome, to=to, reason=reason)


def gathered(batch: Batch, *lessons: Lesson) -> Gathered:
    store = MemoryStore()
    store.crawls.start("train", "breadth-first", {}, 0.0)
    store.commit(batch)
    return gather(store, lessons, Reader("en"), load().settings)


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
    found = gathered(batch, Lesson(A, "Boats"), Lesson(D, "Ships"), Lesson(D, "Boats"))
    assert [(page.url, label) for page, label in found.examples] == [(C, "Boats"), (C, "Ships")]
    assert found.left == [Left(D, "Boats", Reason.DUPLICATE, f"same text as {A}")]


def test_an_archive_teaches_by_the_documents_in_it() -> None:
    members = [replace(row(f"{B}all.zip!/{name}", f"boat {name}"), archive=f"{B}all.zip") for name in ("one", "two")]
    empty = replace(row(f"{B}all.zip!/none", ""), archive=f"{B}all.zip")
    batch = Batch(
        crawl=1,
        at=1.0,
        visits=[visit(A, "redirected", f"{B}all.zip"), visit(f"{B}all.zip", "fetched")],
        documents=[*members, empty],
    )
    found = gathered(batch, Lesson(A, "Boats"))
    assert sorted(page.url for page, _ in found.examples) == [f"{B}all.zip!/one", f"{B}all.zip!/two"]
    assert found.left == [Left(A, "Boats", Reason.NO_TEXT)]


def test_redirects_in_a_circle_lead_nowhere() -> None:
    batch = Batch(crawl=1, at=1.0, visits=[visit(A, "redirected", B), visit(B, "redirected", A)])
    assert gathered(batch, Lesson(A, "Boats")).left == [Left(A, "Boats", Reason.BAD_REDIRECT)]


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
    found = gathered(batch, Lesson(A, "Boats"), Lesson(B, None), Lesson(C, "Boats/OTHERS"), Lesson(D, "Boats"))
    assert found.examples == []
    assert found.left == [
        Left(A, "Boats", Reason.NOT_FOUND),
        Left(B, "OTHERS", Reason.ROBOTS_DISALLOWED),
        Left(C, "Boats/OTHERS", Reason.NO_TEXT),
        Left(D, "Boats", Reason.ROBOTS_DISALLOWED, f"at {B}"),
    ]


def test_a_topic_without_pages_is_named_with_what_became_of_them() -> None:
    left = [Left(A, "Boats/Sails", Reason.NOT_FOUND)]
    with pytest.raises(InputError, match=r"'Boats/Sails' is left without.*a\.test/: not-found.*Tea") as caught:
        require_pages("my-portal", {"Boats": [], "Boats/Sails": [], "Tea": [], "Cake": [page("cake")]}, left)
    assert "thresher topics my-portal add" in caught.value.remedy
    require_pages("my-portal", {"Boats": [page("boat")], "Boats/Sails": [page("boat")]}, left)
