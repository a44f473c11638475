"""What every store must keep of whole sites."""

from thresher.site_types import SiteChanges, SiteEnd, SitePageRow, SiteRow, SiteState, SiteVerdict
from thresher.store.protocol import Store
from thresher.store.records import Batch

A = SiteRow(site="a.test", home="http://a.test/", pages=1)
B = SiteRow(site="b.test", home="http://b.test/", topic="boats", posterior=0.9, pages=2, texts=2, found=7)
PAGE = SitePageRow(site="a.test", number=1, url="http://a.test/", confidences=(0.25, 0.75), posterior=0.25)


def decided(row: SiteRow, state: SiteState, topic: str, posterior: float) -> SiteRow:
    return SiteRow(
        site=row.site,
        home=row.home,
        topic=topic,
        posterior=posterior,
        pages=3,
        texts=2,
        state=state,
        end=SiteEnd.SURE,
        found=9,
    )


class SitesContract:
    def test_sites_are_written_with_their_batch_and_over_what_was_known(self, store: Store, crawl: int) -> None:
        store.commit(Batch(crawl=crawl, at=1.0, sites=SiteChanges([A, B], [PAGE])))
        assert store.sites.of_crawl(crawl) == [A, B]
        later = decided(A, SiteState.RELEVANT, "boats", 0.95)
        more = SitePageRow(site="a.test", number=2, url="http://a.test/2", posterior=0.95)
        store.commit(Batch(crawl=crawl, at=2.0, sites=SiteChanges([later], [more])))
        assert store.sites.get(crawl, "a.test") == later
        assert store.sites.pages(crawl, "a.test") == [PAGE, more]
        assert store.sites.get(crawl, "c.test") is None
        assert store.sites.get(crawl + 1, "a.test") is None
        assert store.sites.pages(crawl, "c.test") == []

    def test_lists_have_the_most_probable_first(self, store: Store, crawl: int) -> None:
        rows = [
            decided(A, SiteState.RELEVANT, "boats", 0.8),
            decided(B, SiteState.RELEVANT, "boats", 0.9),
            SiteRow(site="c.test", home="http://c.test/", topic="cars", posterior=0.85, state=SiteState.RELEVANT),
            SiteRow(site="d.test", home="http://d.test/", topic="cars", posterior=0.1, state=SiteState.IRRELEVANT),
        ]
        store.commit(Batch(crawl=crawl, at=1.0, sites=SiteChanges(rows)))
        found = [SiteState.RELEVANT]
        assert [row.site for row in store.sites.listed(crawl, found)] == ["b.test", "c.test", "a.test"]
        assert [row.site for row in store.sites.listed(crawl, found, limit=1, offset=1)] == ["c.test"]
        assert [row.site for row in store.sites.listed(crawl, found, "boats")] == ["b.test", "a.test"]
        assert store.sites.count(crawl, found) == 3
        assert store.sites.count(crawl, list(SiteState), "cars") == 2

    def test_the_last_word_of_a_person_counts(self, store: Store) -> None:
        store.sites.say(SiteVerdict(site="b.test", topic="boats", accepted=True, home="http://b.test/", at=1.0))
        store.sites.say(SiteVerdict(site="a.test", topic="boats", accepted=True, at=2.0))
        last = SiteVerdict(site="b.test", topic="boats", accepted=False, home="http://b.test/", at=3.0)
        store.sites.say(last)
        assert [said.site for said in store.sites.verdicts()] == ["a.test", "b.test"]
        assert store.sites.verdicts()[1] == last
        store.sites.unsay("b.test")
        store.sites.unsay("nobody.test")
        assert [said.site for said in store.sites.verdicts()] == ["a.test"]
