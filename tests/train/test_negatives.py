"""What topics are told from: pages met earlier, drawn evenly, and how it is shown."""

from msgspec.structs import replace

from tests.train.made import page, row
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow
from thresher.store.records import Batch, CrawlKind
from thresher.train.met_pages import met_pages
from thresher.train.negatives import negatives

BOATS = [page("boat sail wind", "http://boats.test/1"), page("boat sail sea", "http://boats.test/2")]


def store_of(*rows: DocumentRow) -> MemoryStore:
    store = MemoryStore()
    store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, 0.0)
    store.commit(Batch(crawl=1, at=1.0, documents=list(rows)))
    return store


def test_sites_give_pages_in_turn() -> None:
    rows = [row(f"http://large.test/{n}", f"news{n}") for n in range(30)]
    rows += [row(f"http://small{n}.test/", f"note{n}") for n in range(3)]
    found = met_pages(store_of(*rows), {"http://large.test/0"}, most=8)
    assert len(found) == 8
    assert sum(one.url.startswith("http://small") for one in found) == 3
    assert "http://large.test/0" not in {one.url for one in found}
    assert found == met_pages(store_of(*reversed(rows)), {"http://large.test/0"}, most=8)
    assert len(met_pages(store_of(*rows), ())) == 33


def test_pages_that_must_not_serve_do_not() -> None:
    rows = [
        row("http://a.test/", ""),
        replace(row("http://c.test/", "noted"), opt_outs=("x",)),
        row("http://d.test/", "tax form"),
        row("http://e.test/", "tax form"),
    ]
    found = met_pages(store_of(*rows), ())
    assert len(found) == 1
    assert found[0].terms == {"tax": 1, "form": 1}


def test_every_source_is_counted_and_shown() -> None:
    tea = [page("tea leaf kettle", "http://tea.test/1")]
    other = page("tax form", "http://tax.test/")
    examples = [*((one, "Boats") for one in BOATS), (tea[0], "Tea"), (other, None)]
    met = [page("boat sail mast", "http://met.test/1"), page("news paper", "http://met.test/2")]
    classifier = HierarchicalClassifier().fit(examples, met=met)
    found = negatives(examples, {"Boats": BOATS, "Tea": tea}, met, classifier)
    assert found.counts() == {"others": 1, "siblings": 1, "met": 2, "background": 200}
    samples = found.samples()
    assert samples["others"] == ["http://tax.test/"]
    assert samples["siblings"] == ["http://tea.test/1"]
    assert samples["met"] == ["http://met.test/2", "http://met.test/1"]
    assert samples["background"] == ["en"]
