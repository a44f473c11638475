"""Browsing sessions: their distances, their files, and what is learnt from them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import InputError
from thresher.sessions.path_model import PathModel, PathTerms
from thresher.sessions.session import UNREACHED, Session, VisitedPage, joined, session_of
from thresher.sessions.session_file import read_sessions, write_sessions

WORDS = {"boats": "boat sail mast sea", "ports": "port quay crane ship", "towns": "town street house shop"}


def visited(number: int, kind: str) -> VisitedPage:
    words = WORDS[kind].split()
    terms = {word: 1 + (number + place) % 3 for place, word in enumerate(words)}
    return VisitedPage(f"http://{kind}.test/{number}", terms)


def voyages(number: int = 6) -> list[Session]:
    """Return sessions that lead from a town over a port to a boat."""
    return [
        Session([visited(n, "towns"), visited(n, "ports"), visited(n, "boats")], [(0, 1), (1, 2)], [2])
        for n in range(number)
    ]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.sets(st.integers(0, 7), max_size=3))
def test_a_distance_is_one_more_than_the_least_of_those_linked_to(
    links: list[tuple[int, int]], useful: set[int]
) -> None:
    pages = [VisitedPage(f"http://a.test/{n}") for n in range(8)]
    found = Session(pages, links, sorted(useful)).distances()
    for place in range(8):
        after = [found[target] for source, target in links if source == place and found[target] != UNREACHED]
        if place in useful:
            assert found[place] == 0
        else:
            assert found[place] == (min(after) + 1 if after else UNREACHED)


def test_sessions_are_joined_by_the_addresses_of_their_pages() -> None:
    one = session_of(
        [VisitedPage("http://a.test/"), VisitedPage("http://b.test/"), VisitedPage("http://a.test/")],
        [("http://a.test/", "http://b.test/"), ("http://a.test/", "http://a.test/")],
        ["http://b.test/", "http://nobody.test/"],
    )
    other = Session([VisitedPage("http://b.test/"), VisitedPage("http://c.test/")], [(0, 1)], [])
    both = joined([one, other])
    assert [page.url for page in both.pages] == ["http://a.test/", "http://b.test/", "http://c.test/"]
    assert both.links == [(0, 1), (1, 2)]
    assert both.useful == [1]


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    assert write_sessions(path, voyages()) == 6
    assert read_sessions(path) == voyages()


def test_texts_of_a_file_are_stemmed(tmp_path: Path) -> None:
    path = tmp_path / "sessions.jsonl"
    path.write_text('{"pages": [{"url": "HTTP://A.test", "text": "The boats sail and the boat sails"}]}\n\n')
    ((page,),) = (session.pages for session in read_sessions(path))
    assert page == VisitedPage("http://a.test/", {"boat": 2, "sail": 2})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "Line 1"),
        ("[]", "not a session"),
        ('{"pages": [{"url": "ftp://a.test/"}]}', "valid address"),
        ('{"pages": [{"url": "http://a.test/", "terms": {"boat": 0}}]}', "counts"),
        ('{"pages": [{"url": "http://a.test/", "terms": {"boat": 1000001}}]}', "counts"),
        ('{"pages": [], "note": ' + "[" * 1200 + "]" * 1200 + "}", "not a session"),
        ('{"pages": [{"url": "http://a.test/"}], "links": [[0, 1]]}', "does not have"),
        ('{"pages": [{"url": "http://a.test/"}], "useful": [-1]}', "does not have"),
        ('{"pages": "\\ud800"}', "not a session"),
    ],
)
def test_a_damaged_file_is_refused_by_its_line(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "sessions.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=said):
        read_sessions(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_sessions(tmp_path / "none.jsonl")


@pytest.mark.parametrize(("dimensions", "seen"), [(10, "clusters"), (0, "clusters"), (10, "words")])
def test_the_way_is_learnt(dimensions: int, seen: str) -> None:
    model = PathModel(states=4, dimensions=dimensions, neighbours=3, seen=seen).fit(joined(voyages()))
    kinds = [visited(99, kind).terms for kind in ("towns", "ports", "boats")]
    assert model.cluster(kinds[2]) == 0
    assert len({model.cluster(terms) for terms in kinds}) == 3
    assert [int(model.observe(terms)[:3].argmax()) for terms in kinds] == [2, 1, 0]
    hmm, (town, port) = model.hmm_, map(model.observe, kinds[:2])
    at_port = hmm.predict(hmm.step(hmm.begin(town), port))
    at_town = hmm.predict(hmm.begin(town))
    assert at_port[0] > 0.7 > at_town[0]
    assert at_town[1] > 0.6
    assert model.nearness(visited(99, "boats").terms) > 0.9 > model.nearness(visited(99, "towns").terms)


def test_unknown_words_and_sessions_without_use() -> None:
    model = PathModel().fit(joined(voyages()))
    assert 0 <= model.cluster({"ocean": 1}) < model.clusters_
    assert all(share > 0 for share in model.observe({"ocean": 1}))
    assert model.observe({}) == pytest.approx([model.observe({})[0]] * 3 + [0.25])
    assert model.nearness({}) == 0.0
    with pytest.raises(ValueError, match="without useful"):
        PathModel().fit(Session([visited(1, "towns")]))
    with pytest.raises(ValueError, match="states"):
        PathModel(states=1)
    with pytest.raises(ValueError, match="seen"):
        PathModel(seen="pictures")
    only = PathModel().fit(Session([visited(1, "boats")], [], [0]))
    assert only.cluster(visited(2, "boats").terms) == 0


def test_stems_are_cut_and_weighed_as_the_study_does() -> None:
    terms = PathTerms().fit([{"a" * 30: 2, "boat": 1}, {"boat": 1}])
    assert set(terms.columns_) == {"a" * 20, "boat"}
    row = terms.transform([{"a" * 25: 1, "boat": 1}]).toarray()[0]
    assert row[terms.columns_["a" * 20]] == pytest.approx(2 * row[terms.columns_["boat"]])
