"""Following: what of a page's links leads on, and that a strategy is shown nothing else."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.reading.following import following
from thresher.types import Candidate, Fetched, Link, Page, Reading
from thresher.web.sitemaps import FEED

ARCHIVE = "http://a.test/x.zip"
PAGE = Link("http://a.test/page", "page", 0, 1)
SHY = Link("http://a.test/shy", "shy", 1, 1, rel=("ugc", "nofollow"))
NEWS = Link("http://a.test/feed", "", 0, 0, rel=("alternate",), tag=FEED)
SHY_NEWS = Link("http://a.test/feed2", "", 0, 0, rel=("nofollow",), tag=FEED)
NEXT_DOOR = Link(f"{ARCHIVE}!/other.html", "other", 2, 1)
LINKS = [PAGE, SHY, NEWS, SHY_NEWS, NEXT_DOOR]


@pytest.mark.parametrize(
    ("robots", "obey", "archive", "followed", "refused"),
    [
        ((), True, "", [PAGE, NEXT_DOOR], [SHY, SHY_NEWS]),
        ((), False, "", [PAGE, SHY, NEXT_DOOR], []),
        ((), True, ARCHIVE, [PAGE], [SHY, SHY_NEWS]),
        (("nofollow",), True, "", [], LINKS),
        (("nofollow",), True, ARCHIVE, [], LINKS[:-1]),
        (("nofollow",), False, "", [PAGE, SHY, NEXT_DOOR], []),
        (("noindex",), True, "", [PAGE, NEXT_DOOR], [SHY, SHY_NEWS]),
    ],
)
def test_links_are_parted(
    robots: tuple[str, ...], obey: bool, archive: str, followed: list[Link], refused: list[Link]
) -> None:
    parted = following(LINKS, robots, obey=obey, archive=archive)
    assert [LINKS[place] for place in parted.followed] == followed
    assert [LINKS[place] for place in parted.refused] == refused


@given(st.lists(st.sampled_from(LINKS), max_size=12), st.booleans(), st.booleans(), st.booleans())
@settings(deadline=None)
def test_no_link_is_both_followed_and_refused(links: list[Link], shy: bool, obey: bool, inside: bool) -> None:
    parted = following(links, ["nofollow"] if shy else [], obey=obey, archive=ARCHIVE if inside else "")
    assert not set(parted.followed) & set(parted.refused)
    assert parted.followed == sorted(parted.followed)
    plain = {place for place, link in enumerate(links) if link == PAGE}
    assert plain <= set(parted.refused if shy and obey else parted.followed)


class Anchors:
    """Reads the anchors of the links it is shown."""

    def read(self, page: Page, judgement: Any) -> Any:
        return [(float(link.position),) for link in page.links]

    def rank(self, reading: Reading, view: Any) -> list[Candidate]:
        return []


class OnePage:
    def read(self, fetched: Fetched) -> Page:
        return Page(url=fetched.url, title="", words=["a", "b"], links=LINKS)


def test_a_strategy_is_shown_only_what_is_followed() -> None:
    fetched = Fetched(url="http://a.test/", status=200, headers=[], body=b"", raw=b"", mime="text/html", at=0.0)
    found = PageAnalyser(OnePage(), Anchors()).run(fetched)
    assert isinstance(found, Analysis)
    assert [link.url for link in found.links] == [link.url for link in LINKS]
    assert (found.followed, found.refused) == ([0, 4], [1, 3])
    assert found.rows == [(0.0,), (2.0,)]
