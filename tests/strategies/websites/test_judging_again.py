"""Sites that are judged again after a person said something of another one."""

from msgspec.structs import replace

from tests.strategies.websites.handmade import BOATS, TAXES, examples
from thresher.plugins import make_strategy
from thresher.site_types import SiteEnd, SitePageRow, SiteRow, SiteState
from thresher.strategies.websites.strategy import Websites

ROW = SiteRow(site="a.test", home="http://a.test/", state=SiteState.RELEVANT, end=SiteEnd.NO_PAGES, pages=2, texts=2)
BOAT_PAGE = SitePageRow(site="a.test", number=1, url="http://a.test/", confidences=(0.95, 0.05))
BOAT_TERMS = dict.fromkeys(BOATS, 2)


def fitted() -> Websites:
    made = make_strategy("websites")
    assert isinstance(made, Websites)
    return made.fit(examples())


def test_pages_that_were_not_stored_keep_what_they_said() -> None:
    new, told = fitted().judged_again(ROW, [(BOAT_PAGE, {}), (replace(BOAT_PAGE, url="http://a.test/b"), {})])
    assert (new.state, new.topic, new.texts) == (SiteState.RELEVANT, "boats", 2)
    assert [page.confidences for page in told] == [(0.95, 0.05), (0.95, 0.05)]
    other = replace(BOAT_PAGE, confidences=(0.1, 0.2, 0.7))
    assert fitted().judged_again(ROW, [(other, {})])[0].texts == 0


def test_pages_of_another_site_say_nothing() -> None:
    away = SitePageRow(site="a.test", number=2, url="http://elsewhere.test/")
    new, told = fitted().judged_again(ROW, [(BOAT_PAGE, BOAT_TERMS), (away, dict.fromkeys(TAXES, 2))])
    assert (new.state, new.pages, new.texts) == (SiteState.RELEVANT, 2, 1)
    assert told[1].confidences == ()


def test_a_host_that_was_recognised_as_shared_later_keeps_its_pages() -> None:
    strategy = fitted()
    strategy.recall([SiteRow(site="a.test/f", home="http://a.test/f/", state=SiteState.IRRELEVANT)], {})
    page = replace(BOAT_PAGE, url="http://a.test/g/x.html")
    assert strategy.judged_again(ROW, [(page, BOAT_TERMS)])[0].texts == 1
