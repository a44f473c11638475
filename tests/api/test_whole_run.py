"""From bookmarks to a portal that can be searched, in Python."""

from collections.abc import Callable
from pathlib import Path

import pytest

from thresher import Portal, Progress
from thresher.bench.crash import served
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

PARAMETERS = WebParameters(pages=600, hosts=15, seed=4, profile="clean")


def bookmarks(web: Web, file: Path) -> Path:
    tree = Taxonomy()
    for topic in [name for name in web.topics() if "/" in name][:3]:
        pages = tuple(TrainingPage(url) for url in web.examples(topic, 4, exact=True))
        tree = put(tree, parsed(topic), Topic(name="", pages=pages))
    file.write_text(to_bookmarks(tree))
    return file


def stop_after(pages: int) -> Callable[[Progress], None]:
    """Return what stops a run as Ctrl-C does, once a crawl has so many pages."""

    def tell(progress: Progress) -> None:
        if progress.pages >= pages:
            raise KeyboardInterrupt

    return tell


def test_bookmarks_become_a_portal_with_pages_that_can_be_searched_and_explained(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with served(tmp_path / "web", PARAMETERS) as web:
        given = {"network.map": {"*.test": f"127.0.0.1:{web.port}"}, "manners.delay": 0, "engine.workers": 0}
        file = bookmarks(Web(PARAMETERS), tmp_path / "bookmarks.html")
        with Portal.create(tmp_path / "p", bookmarks=file, contact="you@example.org") as portal:
            trained = portal.train(settings=given)
            assert len(trained.topics) >= 3
            assert repr(trained).startswith(f"<trained {len(trained.topics)} topics on 12 pages")
            assert trained._repr_html_().count("<tr>") == len(trained.topics) + 1
            with pytest.raises(KeyboardInterrupt) as stopped:
                portal.run(pages=120, settings=given, progress=stop_after(20))
            assert 0 < stopped.value.report.pages < 120
            report = portal.run(pages=120, settings=given, progress=seen.append)
            assert (report.done, report.pages) == (True, 120)
            assert seen
            best = portal.pages()[:1][0]
            assert best.text
            assert portal.classifier() is not None
            told = portal.explain(best.url)
            assert told.document is not None
            assert told.document.judgement is not None
            assert told.document.judgement.topic == best.topic
            found = portal.search(best.title.split()[0], number=5)
            assert found.total >= 1
            again = portal.run(pages=120, settings=given)
            assert (again.pages, again.stopped_because) == (120, "pages")
