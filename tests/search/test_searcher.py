"""What a person types finds what they mean."""

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.search.portals import MODEL, add, judged, page, portal_of
from thresher.errors import InputError
from thresher.search import current_state
from thresher.search.parsed import Why
from thresher.search.searcher import Searcher
from thresher.store.page_records import DuplicateKind, DuplicateRow
from thresher.store.records import Batch
from thresher.store.repository import open_store
from thresher.types import Judgement
from thresher.web.urls import url_id

SOLAR, THIN, WIND, HUT, DEUTSCH, TOKYO, REJECTED = (
    "http://sun.test/solar",
    "http://sun.test/thin-film",
    "http://www.wind.test/mills",
    "http://hut.test/a.pdf",
    "http://haus.test/",
    "http://jp.test/",
    "http://junk.test/",
)
PAGES = [
    page(
        SOLAR,
        "Solar cells",
        "Solar cells turn light into current. The panels of a house have sixty cells.",
        topic="Energy/Solar",
        judgement=judged("Energy/Solar", 2.0),
        links=[(THIN, "thin film cells"), (WIND, "windmills")],
        at=1_750_000_000.0,
        preview="Light becomes current.",
        last_modified="Mon, 01 Jan 2024 00:00:00 GMT",
    ),
    page(
        THIN, "Thin film", "A film of cadmium is thin and takes light.", topic="Energy/Solar", links=[(SOLAR, "back")]
    ),
    page(WIND, "Windmills", "A mill turns in the wind. Mills are loud.", topic="Energy/Wind"),
    page(HUT, "Hats", "A hat of straw keeps the light away.", topic="Clothes", mime="application/pdf"),
    page(DEUTSCH, "Häuser", "Die Häuser haben Dächer aus Stroh.", topic="Clothes", language="de"),
    page(TOKYO, "東京都", "東京都の天気は晴れです。", topic="Clothes", language="ja"),
    page(REJECTED, "Casino", "Win light money in a solar casino.", topic=None),
]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = portal_of(tmp_path_factory.mktemp("portal"), *PAGES)
    with Searcher(folder, fresh=3600.0) as searcher:
        yield searcher


def found(searcher: Searcher, query: str) -> list[str]:
    return sorted(result.url for result in searcher.search(query, number=100).results)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("cell", [SOLAR, THIN]),
        ("solar cells", [SOLAR]),
        ("exact:cell", []),
        ("exact:cells", [SOLAR]),
        ("light -cells", [HUT]),
        ("light -exact:cells", [HUT, THIN]),
        ('"light into current"', [SOLAR]),
        ('"current into light"', []),
        ("mill*", [WIND]),
        ("wi*", [WIND]),
        ("straw OR wind", [HUT, WIND]),
        ("light (straw OR cadmium)", [HUT, THIN]),
        ("light -(straw OR cadmium)", [SOLAR]),
        ("haus", [DEUTSCH]),
        ("die Häuser", [DEUTSCH]),
        ("東京", [TOKYO]),
        ("東京都", [TOKYO]),
        ("京都市", []),
        ("site:sun.test", [SOLAR, THIN]),
        ("site:wind.test", [WIND]),
        ("site:www.wind.test", [WIND]),
        ("-site:sun.test light", [HUT]),
        ("intitle:film", [THIN]),
        ("intitle:cells", [SOLAR]),
        ('intitle:"solar cells"', [SOLAR]),
        ("inurl:thin", [THIN]),
        (THIN, [THIN]),
        ("filetype:pdf", [HUT]),
        ("lang:de", [DEUTSCH]),
        ("lang:de-AT", [DEUTSCH]),
        ("topic:Energy", [SOLAR, THIN, WIND]),
        ("topic:energy/solar", [SOLAR, THIN]),
        ("topic:solar light", [SOLAR, THIN]),
        ("-topic:Energy light", [HUT]),
        ("topic:none", [REJECTED]),
        ("light topic:any", [HUT, REJECTED, SOLAR, THIN]),
        ("conf:>1.5", [SOLAR]),
        ("light conf:<1.5", [HUT, THIN]),
        ("found:>2025-01-01", [SOLAR]),
        ("found:2025", [SOLAR]),
        ("light found:<2025", [HUT, THIN]),
        ("changed:2024-01-01", [SOLAR]),
        ("state:unreviewed light", [HUT, SOLAR, THIN]),
        ("state:right", []),
        (f"linksto:{THIN}", [SOLAR]),
        (f"linkedfrom:{SOLAR}", [THIN, WIND]),
        (f"-linkedfrom:{SOLAR} light", [HUT, SOLAR]),
        (f"similar:{SOLAR} film", [THIN]),
        (f"model:{MODEL[:4]} wind", [WIND]),
        ("model:ffff", []),
        ("site:hut.test OR wind", [HUT, WIND]),
        ("(site:hut.test light) OR (wind topic:energy)", [HUT, WIND]),
        ("-(site:hut.test OR wind) light", [SOLAR, THIN]),
        ("windmills", [WIND]),
    ],
)
def test_queries(searcher: Searcher, query: str, expected: list[str]) -> None:
    assert found(searcher, query) == sorted(expected)


def test_words_that_say_nothing_are_not_asked_of_pages_that_have_the_others(searcher: Searcher) -> None:
    assert found(searcher, "the cadmium") == [THIN]
    assert THIN in found(searcher, "of a")


def test_the_empty_query_lists_the_accepted_pages_best_first(searcher: Searcher) -> None:
    answer = searcher.search("")
    assert answer.total == len(PAGES) - 1
    assert answer.results[0].url == SOLAR
    assert REJECTED not in [result.url for result in answer.results]


def test_a_portal_that_has_accepted_nothing_is_searched_as_a_whole(tmp_path: Path) -> None:
    portal_of(tmp_path, page(SOLAR, "Solar", judgement=None), page(REJECTED, "Solar", topic=None))
    with Searcher(tmp_path) as searcher:
        assert found(searcher, "solar") == sorted([SOLAR, REJECTED])


def test_the_parts_of_a_score_add_up(searcher: Searcher) -> None:
    answer = searcher.search("light", rank="text=1,confidence=0.5,recency=0.25")
    for result in answer.results:
        assert result.parts.keys() == {"text", "confidence", "recency"}
        assert sum(result.parts.values()) == pytest.approx(result.score, abs=1e-5)
    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert searcher.search("light", rank="confidence").results[0].url == SOLAR


def test_pages_are_found_by_how_sure_their_topic_is(tmp_path: Path) -> None:
    shares = {"http://a.test/1": 0.97, "http://a.test/2": 0.9, "http://a.test/3": 0.3}
    rows = [
        page(url, "Solar", judgement=Judgement(topic="Energy", confidence=1.0, probability=share))
        for url, share in shares.items()
    ]
    portal_of(tmp_path, *rows, page("http://a.test/4", "Solar", judgement=None))
    one, two, three = shares
    with Searcher(tmp_path) as searcher:
        assert found(searcher, "solar sure:>0.8") == [one, two]
        assert found(searcher, "solar sure:90%") == [one, two]
        assert found(searcher, "solar -sure:very") == [two, three]
        assert found(searcher, "sure:very OR sure:doubtful") == [one, three]
        answer = searcher.search("solar sure:lots", facets=True)
        assert [part.why for part in answer.understood.left_out] == [Why.NOT_A_NUMBER]
        assert [(level.value, level.count) for level in answer.facets["sure"]] == [
            ("very", 1),
            ("sure", 1),
            ("doubtful", 1),
        ]


def test_a_ranking_that_is_none_is_refused_with_the_nearest_name(searcher: Searcher) -> None:
    with pytest.raises(InputError, match="There is no ranking 'authorty'"):
        searcher.search("light", rank="authorty=1")
    with pytest.raises(InputError, match="not a number"):
        searcher.search("light", rank="text=lots")


def test_what_the_portal_does_not_have_is_left_out_of_the_query(searcher: Searcher) -> None:
    answer = searcher.search("light topic:Nowhere similar:http://no.test/ linkedfrom:http://no.test/")
    assert [part.why for part in answer.understood.left_out] == [Why.UNKNOWN_TOPIC, Why.UNKNOWN_PAGE, Why.UNKNOWN_PAGE]
    assert answer.total == 3


def test_forms_of_one_word_are_suggested_once(searcher: Searcher) -> None:
    assert [tuple(other) for other in searcher.search("miills").did_you_mean] == [("mills", 1)]


def test_typing_errors_are_told_with_what_each_word_would_find(searcher: Searcher) -> None:
    answer = searcher.search("solra cells")
    assert (answer.total, answer.missing) == (0, ("solra",))
    assert tuple(answer.did_you_mean[0]) == ("solar cells", 1)
    assert answer.without is not None
    assert tuple(answer.without) == ("cells", 2)
    assert searcher.search("solar cells").did_you_mean == ()


def test_words_that_are_never_together_are_told_apart(searcher: Searcher) -> None:
    answer = searcher.search("cadmium straw cells")
    assert (answer.total, answer.missing) == (0, ())
    assert answer.without is not None
    assert tuple(answer.without) == ("cadmium cells", 1)


def test_the_word_that_costs_most_is_left_out(tmp_path: Path) -> None:
    words = ["red", "boats", "sea", "wind", "keel"]
    rng = random.Random(3)
    texts = [" ".join(rng.sample(words, rng.randint(1, 3))) for _ in range(60)]
    portal = portal_of(tmp_path / "p", *(page(f"http://a.test/{n}", "", text) for n, text in enumerate(texts)))
    with Searcher(portal) as found:
        for length in (4, 5):
            for query in itertools.combinations(words, length):
                fewer = [found.search(" ".join(word for word in query if word != left)).total for left in query]
                answer = found.search(" ".join(query))
                assert (answer.total, answer.without.total if answer.without else 0) == (0, max(fewer))


def test_rejected_pages_are_offered_where_no_accepted_one_matches(searcher: Searcher) -> None:
    assert [tuple(other) for other in searcher.search("casino").did_you_mean] == [("casino topic:any", 1)]


def test_results_come_with_all_that_is_known(searcher: Searcher) -> None:
    (result,) = searcher.search("current").results
    assert (result.title, result.site, result.topic, result.confidence) == (
        "Solar cells",
        "sun.test",
        "Energy/Solar",
        2.0,
    )
    assert (result.language, result.mime, result.state, result.changed) == (
        "en",
        "text/html",
        "unreviewed",
        1704067200.0,
    )
    marked = [result.snippet.text[start:end] for start, end in result.snippet.marked]
    assert marked == ["current"]
    assert searcher.search("site:sun.test topic:solar conf:>1.5").results[0].snippet.text == "Light becomes current."


def test_facets_count_all_results(searcher: Searcher) -> None:
    facets = {
        name: {value.value: value.count for value in values}
        for name, values in searcher.search("light topic:any", number=1, facets=True).facets.items()
    }
    assert facets == {
        "topic": {"Energy": 2, "Energy/Solar": 2, "Clothes": 1},
        "site": {"sun.test": 2, "hut.test": 1, "junk.test": 1},
        "type": {"html": 3, "pdf": 1},
        "language": {"en": 4},
        "year": {"2023": 3, "2025": 1},
        "state": {"unreviewed": 4},
        "model": {MODEL: 4},
        "sure": {"sure": 4},
    }


def test_a_search_can_be_narrowed(searcher: Searcher) -> None:
    answer = searcher.search("cells", within=["light", "site:sun.test"])
    assert sorted(result.url for result in answer.results) == sorted([SOLAR, THIN])
    assert found(searcher, "straw") == [HUT]
    assert searcher.search("straw", within="cells").total == 0


def test_similar_pages_and_neighbours(searcher: Searcher) -> None:
    similar = [result.url for result in searcher.similar(SOLAR).results]
    assert THIN in similar
    assert SOLAR not in similar
    around = searcher.neighbours(THIN)
    assert [(one.url, one.anchor, one.stored, one.topic) for one in around.linking_here] == [
        (SOLAR, "thin film cells", True, "Energy/Solar")
    ]
    assert [one.url for one in around.linked_from_here] == [SOLAR]
    for ask in (searcher.similar, searcher.neighbours):
        with pytest.raises(InputError, match="has no page"):
            ask("http://no.test/")


def test_paging_gives_every_page_once_in_the_same_order(tmp_path: Path) -> None:
    portal_of(tmp_path, *(page(f"http://a{number % 7}.test/{number}", "boats", "red boats") for number in range(60)))
    with Searcher(tmp_path) as searcher:
        whole = [result.url for result in searcher.search("boats", number=100, fold=False).results]
        pages = [searcher.search("boats", number=7, page=number, fold=False) for number in range(1, 11)]
        assert [result.url for answer in pages for result in answer.results] == whole
        assert [answer.last for answer in pages] == [False] * 8 + [True] * 2
        assert len(set(whole)) == 60


def test_few_sites_share_the_first_page_and_every_result_is_on_one_page(tmp_path: Path) -> None:
    sizes = {"big": 30, "middle": 9, "small": 3}
    urls = [f"http://{site}.test/{number}" for site, size in sizes.items() for number in range(size)]
    with Searcher(
        portal_of(tmp_path, *(page(url, "boats", f"red boats {n}") for n, url in enumerate(urls)))
    ) as searcher:
        answers = [searcher.search("boats", number=10, page=number) for number in range(1, 6)]
        first = Counter(result.site for result in answers[0].results)
        assert first.total() == 10
        assert max(first.values()) <= 5
        assert sorted(result.url for answer in answers for result in answer.results) == sorted(urls)
        assert [answer.last for answer in answers] == [False] * 4 + [True]


def test_sites_and_near_duplicates_are_folded(tmp_path: Path) -> None:
    copy, original = "http://copy.test/", "http://big.test/0"
    pages = [page(f"http://big.test/{number}", "boats", "red boats") for number in range(9)]
    others = [page(f"http://small{number}.test/", "sea", "a sea of boats") for number in range(9)]
    store = open_store(tmp_path, create=True)
    crawl = store.crawls.start("crawl", "s", {}, at=0.0).id
    near = DuplicateRow(
        url_id=url_id(copy), url=copy, original=url_id(original), original_url=original, kind=DuplicateKind.NEAR
    )
    store.commit(
        Batch(crawl=crawl, at=1.0, documents=[*pages, *others, page(copy, "boats", "red boats")], duplicates=[near])
    )
    store.close()
    with Searcher(tmp_path) as searcher:
        answer = searcher.search("boats")
        assert sum(result.site == "big.test" for result in answer.results) == 2
        # Of copy and original the one with the smaller id is shown.
        assert sum(result.more for result in answer.results) in (6, 7)
        assert sum(result.repeats for result in answer.results) == 1
        assert answer.total == 19
        assert len(searcher.search("boats", fold=False, number=50).results) == 19
        # There is nobody to make room for.
        assert len(searcher.search("boats site:big.test", number=9).results) == 9


def test_a_page_that_wants_no_snippet_has_none(tmp_path: Path) -> None:
    pages = [
        page("http://a.test/", "boats", "red boats sail", robots=("nosnippet",)),
        page("http://b.test/", "boats", "red boats sail far away", robots=("max-snippet:9",)),
    ]
    with Searcher(portal_of(tmp_path, *pages)) as searcher:
        snippets = {result.url: result.snippet.text for result in searcher.search("boats").results}
    assert snippets["http://a.test/"] == ""
    assert 0 < len(snippets["http://b.test/"]) <= 9


HOSTILE = [
    "'; DROP TABLE documents; --",
    'site:"\' OR 1=1"',
    "conf:>1e999",
    "\x00\x1b[31m",
    "topic:../../etc",
    "exact:.*",
]
PIECES = [
    "(",
    ")",
    '"',
    "-",
    "OR ",
    " ",
    "light",
    "*",
    "topic:",
    "conf:>",
    "site:",
    "東京",
    "\x00",
    "linksto:",
    "similar:",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=60) | st.lists(st.sampled_from([*PIECES, *HOSTILE]), max_size=20).map("".join))
def test_no_query_is_an_error(searcher: Searcher, query: str) -> None:
    answer = searcher.search(query, facets=True)
    assert answer.total >= len(answer.results)
    for result in answer.results:
        assert all(0 <= start < end <= len(result.snippet.text) for start, end in result.snippet.marked)


def test_a_server_searches_what_was_there_while_the_index_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(current_state.time, "monotonic", lambda: now[0])
    portal_of(tmp_path, page(SOLAR, "Solar"))
    store = open_store(tmp_path)
    with Searcher(tmp_path, fresh=2.0, wait=False) as searcher:
        assert found(searcher, "solar") == [SOLAR]
        add(store, page(THIN, "Solar"))
        now[0] = 3.0
        assert found(searcher, "solar") == [SOLAR]
        with searcher._state._lock:
            pass
        assert found(searcher, "solar") == sorted([SOLAR, THIN])
        add(store, page(WIND, "Solar"))
        now[0] = 3600.0
        assert found(searcher, "solar") == sorted([SOLAR, THIN, WIND])
    store.close()


def test_a_state_is_kept_until_something_changes_and_then_prepared_like_the_last(tmp_path: Path) -> None:
    portal_of(tmp_path, page(SOLAR, "Solar"))
    with closing(open_store(tmp_path)) as store, Searcher(tmp_path, fresh=0.0) as searcher:
        searcher.search("solar", facets=True)
        before = searcher._state.snapshot()
        assert searcher._state.snapshot() is before
        add(store, page(THIN, "Solar"))
        after = searcher._state.snapshot()
        assert after is not before
        assert "_combinations" in after.facets.__dict__
        assert after.parts._sums.keys() == before.parts._sums.keys()
        assert searcher.search("solar", facets=True).total == 2


def test_a_server_leaves_indexing_to_a_crawl_as_long_as_that_does_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr(current_state.time, "time", lambda: now[0])
    portal_of(tmp_path, page(SOLAR, "Solar"))
    with (
        closing(open_store(tmp_path)) as store,
        Searcher(tmp_path, fresh=0.0, wait=False) as server,
        Searcher(tmp_path, fresh=0.0) as crawl,
    ):
        assert found(server, "solar") == [SOLAR]
        add(store, page(THIN, "Solar"))
        assert found(server, "solar") == sorted([SOLAR, THIN]), "nobody else has written to the index"
        add(store, page(WIND, "Solar"))
        assert found(crawl, "solar") == sorted([SOLAR, THIN, WIND])
        (written,) = tmp_path.glob("index/text-*/meta.json")
        os.utime(written, (now[0], now[0]))
        add(store, page(HUT, "Solar"))
        assert found(server, "solar") == sorted([SOLAR, THIN, WIND])
        now[0] += current_state.LEFT_TO_OTHERS + 1.0
        assert found(server, "solar") == sorted([SOLAR, THIN, WIND, HUT]), "the crawl has ended"
