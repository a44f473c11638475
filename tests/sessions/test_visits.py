"""How visits become sessions."""

from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.sessions.visits import Visit, walks


def visit(id_: int, page: str, at: float, source: int = 0, kind: str = "") -> Visit:
    return Visit(
        id=id_,
        url=f"http://{page}.test/",
        at=at,
        source=source,
        followed=kind == "link",
        redirected=kind == "redirect",
        again=kind == "reload",
    )


def told(visits: list[Visit], pause: float = 100.0) -> list[tuple[str, list[tuple[int, int]]]]:
    """Return the pages of each session by their letters, and its links."""
    return [("".join(one.url[7] for one in walk.visits), walk.links) for walk in walks(visits, pause)]


def test_a_pause_ends_a_session_and_a_page_is_in_it_once() -> None:
    visits = [visit(1, "a", 0.0), visit(2, "b", 50.0, 1, "link"), visit(3, "a", 150.0), visit(4, "c", 251.0)]
    assert told(visits) == [("ab", [(0, 1)]), ("c", [])]
    assert told(visits, 49.0) == [("a", []), ("ab", [(0, 1)]), ("a", []), ("c", [])]


def test_only_links_that_were_followed_count() -> None:
    visits = [visit(1, "a", 0.0), visit(2, "b", 1.0, 1), visit(3, "a", 2.0, 2, "link"), visit(4, "a", 3.0, 3, "link")]
    assert told(visits) == [("ab", [(1, 0)])]


def test_a_link_leads_to_where_a_redirect_ended() -> None:
    visits = [visit(1, "a", 0.0), visit(2, "b", 1.0, 1, "link"), visit(3, "c", 1.0, 2, "redirect")]
    assert told([*visits, visit(4, "d", 1.0, 3, "redirect")]) == [("ad", [(0, 1)])]
    # The way here was typed, and what came before is not known.
    assert told([visit(7, "c", 1.0, 6, "redirect")]) == [("c", [])]


def test_redirects_in_a_ring_end() -> None:
    ring = [visit(1, "a", 0.0, 2, "redirect"), visit(2, "b", 0.0, 1, "redirect"), visit(3, "c", 1.0, 3, "redirect")]
    assert told(ring) == []


def test_a_page_that_stayed_open_belongs_to_the_link_followed_from_it() -> None:
    visits = [visit(1, "a", 0.0), visit(2, "b", 1.0), visit(3, "c", 5000.0, 1, "link")]
    assert told(visits) == [("ab", []), ("ac", [(0, 1)])]


def test_a_link_may_be_followed_from_a_page_that_was_reloaded() -> None:
    visits = [visit(1, "a", 0.0), visit(2, "a", 90.0, 1, "reload"), visit(3, "b", 95.0, 2, "link")]
    assert told(visits) == [("ab", [(0, 1)])]
    # Reloading alone is no visit.
    assert told([visits[0], visit(2, "a", 500.0, 1, "reload")]) == [("a", [])]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcde"), st.floats(0, 1e4), st.integers(0, 12), st.sampled_from(["", "link", "redirect"])
        ),
        max_size=12,
    )
)
def test_any_history_becomes_sessions(made: list[tuple[str, float, int, str]]) -> None:
    visits = [visit(number, *values) for number, values in enumerate(made, 1)]
    shown = {one.url for walk in walks(visits) for one in walk.visits}
    assert shown <= {one.url for one in visits}
    if not any(one.redirected for one in visits):
        assert shown == {one.url for one in visits}
    for walk in walks(visits):
        assert len({one.url for one in walk.visits}) == len(walk.visits)
        assert all(source != target and max(source, target) < len(walk.visits) for source, target in walk.links)
