"""Following: what of a page's links leads on, and that a strategy is shown nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.reading.features import unpacked
from thresher.reading.following import following
from thresher.types import Candidate, Fetched, Link, ParsedPage
from thresher.web.sitemaps import FEED

ARCHIVE = "http://a.test/x.zip"
PAGE = Link("http://a.test/page", "page", 0, 1)
SHY = Link("http://a.test/shy", "shy", 1, 1, rel=("ugc", "nofollow"))
NEWS = Link("http://a.test/feed", "", 0, 0, rel=("alternate",), tag=FEED)
SHY_NEWS = Link("http://a.test/feed2", "", 0, 0, rel=("nofollow",), tag=FEED)
NEXT_DOOR = Link(f"{ARCHIVE}!/other.html", "other", 2, 1)
LINKS = [PAGE, SHY, NEWS, SHY_NEWS, NEXT_DOOR]


def page(
    links: list[Link] = LINKS, robots: tuple[str, ...] = (), archive: str | None = None, url: str = "http://a.test/"
) -> ParsedPage:
    return ParsedPage(url=url, title="", words=["a", "b"], links=links, robots=robots, archive=archive)


@pytest.mark.parametrize(
    ("robots", "obey", "archive", "followed", "lists", "refused"),
    [
        ((), True, None, [PAGE, NEXT_DOOR], [NEWS], [SHY, SHY_NEWS]),
        ((), False, None, [PAGE, SHY, NEXT_DOOR], [NEWS, SHY_NEWS], []),
        ((), True, ARCHIVE, [PAGE], [NEWS], [SHY, SHY_NEWS]),
        (("nofollow",), True, None, [], [], LINKS),
        (("nofollow",), True, ARCHIVE, [], [], LINKS[:-1]),
        (("nofollow",), False, None, [PAGE, SHY, NEXT_DOOR], [NEWS, SHY_NEWS], []),
        (("noindex",), True, None, [PAGE, NEXT_DOOR], [NEWS], [SHY, SHY_NEWS]),
    ],
)
def test_links_are_parted(
    robots: tuple[str, ...],
    obey: bool,
    archive: str | None,
    followed: list[Link],
    lists: list[Link],
    refused: list[Link],
) -> None:
    parted = following(page(robots=robots, archive=archive), obey_nofollow=obey)
    assert [LINKS[place] for place in parted.followed] == followed
    assert [LINKS[place] for place in parted.lists] == lists
    assert [LINKS[place] for place in parted.refused] == refused


@pytest.mark.parametrize("rel", ["ugc", "sponsored", "noopener"])
def test_other_relations_refuse_nothing(rel: str) -> None:
    assert following(page([Link("http://b.test/", "b", 0, 1, rel=(rel,))])).followed == [0]


@given(st.lists(st.sampled_from(LINKS), max_size=12), st.booleans(), st.booleans(), st.booleans())
def test_every_link_is_in_one_part(links: list[Link], shy: bool, obey: bool, inside: bool) -> None:
    robots = ("nofollow",) if shy else ()
    parted = following(page(links, robots, ARCHIVE if inside else None), obey_nofollow=obey)
    placed = sorted(parted.followed + parted.lists + parted.refused)
    assert placed == [place for place, link in enumerate(links) if not (inside and link == NEXT_DOOR)]
    assert parted.followed == sorted(parted.followed)
    plain = {place for place, link in enumerate(links) if link == PAGE}
    assert plain <= set(parted.refused if shy and obey else parted.followed)


class Anchors:
    """Reads the anchors of the links it is shown."""

    def read(self, page: ParsedPage, judgement: Any) -> Any:
        return [link.position for link in page.links]

    def rank(self, reading: Any, view: Any) -> list[Candidate]:
        return []


class OnePage:
    def read(self, fetched: Fetched) -> ParsedPage:
        return page(url=fetched.url)


def test_a_strategy_is_shown_only_what_is_followed() -> None:
    fetched = Fetched(url="http://a.test/", status=200, headers=[], body=b"", raw=b"", mime="text/html", at=0.0)
    for source in (fetched, page()):
        found = PageAnalyser(OnePage(), Anchors()).run(source)
        assert isinstance(found, Analysis)
        assert [link.url for link in found.links] == [link.url for link in LINKS]
        assert (found.followed, found.lists, found.refused) == ([0, 4], [2], [1, 3])
        assert unpacked(Anchors(), found.features) == [0, 2]
