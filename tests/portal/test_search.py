"""The results page: what was understood, facets with exact counts, orders, reasons, and help where nothing is found."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from starlette.types import Message, Scope

from tests.portal.made import Made, token_for
from tests.portal.test_pages import listed
from thresher.portal.doors import Refused
from thresher.portal.finding import PARTS, rounded_to
from thresher.portal.form_tokens import VISITOR
from thresher.portal.ids import page_name
from thresher.portal.library import Library
from thresher.portal.messages import messages_in
from thresher.portal.routes import search
from thresher.portal.story import evidence
from thresher.store.portal_records import Role
from thresher.types import Judgement


def names(made: Made, *places: int) -> list[str]:
    return [page_name(made.rows[place].url_id) for place in places]


def test_results_say_what_was_understood_and_mark_the_words(made: Made) -> None:
    text = made.client.get("/search?q=pot").text
    assert "<b>1 page</b> with <b>pot</b>" in text
    assert listed(text) == names(made, 0)
    assert "<mark>" in text
    german = made.client.get("/search?q=pot -forum", headers={"accept-language": "de"}).text
    assert "<b>1 Seite</b> mit <b>pot</b>, ohne <b>forum</b>." in german


def test_an_empty_search_lists_the_portal(made: Made) -> None:
    assert set(listed(made.client.get("/search?unfold=true").text)) == set(names(made, 0, 1, 2, 3, 6))


def test_facets_count_exactly_and_never_lead_nowhere(made: Made) -> None:
    text = made.client.get("/search").text
    for value, count in re.findall(r'name="topic" value="([^"]+)".*?class="n num">(\d+)<', text, re.DOTALL):
        answer = made.client.get("/search.json", params={"topic": value, "unfold": "true"}).json()
        assert answer["total"] == int(count) > 0
    chosen = made.client.get("/search?topic=Boats").text
    assert 'value="Tea"' in chosen
    assert re.search(r'value="Boats" checked', chosen)
    assert made.client.get("/search.json?topic=Boats&topic=Tea").json()["total"] == 5
    assert made.client.get("/search.json?topic=Boats&type=pdf").json()["total"] == 1


def test_the_parts_of_a_score_add_up(made: Made) -> None:
    answer = made.client.get("/search.json?q=pot").json()
    for result in answer["results"]:
        assert sum(result["parts"].values()) == pytest.approx(result["score"])
    assert "Total" in made.client.get("/search?q=pot").text


def test_orders_and_mixtures_are_in_the_address(made: Made) -> None:
    sure = listed(made.client.get("/search?sort=sure&unfold=true").text)
    assert sure[0] == names(made, 0)[0]
    mixed = listed(made.client.get("/search?sort=mix&w_hub=100&unfold=true").text)
    assert mixed[0] == names(made, 1)[0]
    assert made.client.get("/search?sort=mix&w_hub=1000").status_code == 400
    assert made.client.get("/search?sort=nonsense").status_code == 200


def test_nothing_found_names_the_guilty_word_and_offers_the_rest(made: Made) -> None:
    answer = made.client.get("/search?q=pot oreganoo")
    assert answer.status_code == 200
    assert "Nothing was found" in answer.text
    assert "No page contains <b>oreganoo</b>" in answer.text
    assert "Search without it" in answer.text


def test_what_is_left_out_of_a_query_is_said(made: Made) -> None:
    text = made.client.get("/search?q=pot conf:>abc").text
    assert "<code>conf:&gt;abc</code> was ignored: not a number." in text


@pytest.mark.parametrize("query", ["", "q=pot", "topic=Boats&sort=newest", "q=tea&site=b.test"])
def test_every_twin_of_a_search_holds_what_the_screen_shows(made: Made, query: str) -> None:
    urls = {page_name(row.url_id): row.url for row in made.rows}
    wanted = [urls[name] for name in listed(made.client.get(f"/search?{query}").text)]
    assert wanted
    assert [found["url"] for found in made.client.get(f"/search.json?{query}").json()["results"]] == wanted
    lines = made.client.get(f"/search.csv?{query}").text.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == wanted
    assert made.client.get(f"/search.html?{query}").text.count("<DT><A ") == len(wanted)
    assert made.client.get(f"/search.bib?{query}").text.count("@misc") == len(wanted)


def test_similar_pages_come_as_a_part_of_their_own(made: Made) -> None:
    (name,) = names(made, 0)
    assert f'data-load="/d/{name}/similar"' in made.client.get(f"/d/{name}").text
    answer = made.client.get(f"/d/{name}/similar")
    assert answer.status_code == 200
    assert "<html" not in answer.text


def test_clicks_are_kept_only_where_the_portal_is_set_to(made: Made, tmp_path: Path) -> None:
    name = page_name(made.rows[1].url_id)
    browser = made.browser()
    sent = {"q": "tea", "page": name, "place": "1", "token": token_for(browser)}
    assert browser.post("/click", data=sent).status_code == 404
    assert "data-clicks" not in browser.get("/search?q=tea").text
    curious = Made(tmp_path / "curious", settings="[portal]\nclicks = true\n")
    try:
        reader = curious.signed_in(Role.READER, "maria")
        assert "data-clicks" in reader.get("/search?q=tea").text
        sent = {"q": "tea ", "page": name, "place": "2", "token": token_for(reader)}
        assert reader.post("/click", data=sent).status_code == 204
        assert reader.post("/click", data={**sent, "seconds": "31"}).status_code == 204
        assert reader.post("/click", data={**sent, "page": "../x"}).status_code == 404
        (row,) = curious.store.clicks.all()
        assert (row.query, row.page, row.place, row.seconds) == ("tea", curious.rows[1].url_id, 2, 31.0)
        assert row.reader == "maria"
        assert reader.get("/search?q=tea&page=2").status_code == 200
    finally:
        curious.close()


def test_a_single_branch_is_opened_among_the_filters(made: Made) -> None:
    text = made.client.get("/search?q=topic:Tea").text
    assert 'name="topic" value="Tea/Green"' in text
    assert 'name="topic" value="Tea/Green"' not in made.client.get("/search").text


@given(
    st.dictionaries(st.sampled_from(PARTS), st.floats(-2, 2), min_size=1),
    st.lists(st.floats(-3, 3), max_size=8),
    st.floats(-3, 3),
    st.floats(-3, 3),
)
def test_what_is_shown_adds_up(parts: dict[str, float], weights: list[float], confidence: float, border: float) -> None:
    score = round(sum(parts.values()), 3)
    shown = rounded_to(parts, score)
    assert round(sum(shown.values()), 3) == score
    assert all(abs(shown[name] - parts[name]) <= 0.0011 * len(parts) for name in parts)
    words = tuple((f"word{place}", weight) for place, weight in enumerate(weights))
    told = evidence(Judgement(topic="tea", confidence=confidence, probability=0.9, evidence=words, border=border))
    assert told.total is not None
    assert told.rest is not None
    assert told.total == pytest.approx(round(confidence, 2) + round(border, 2))
    assert sum(round(bar.weight, 2) for bar in [*told.bars, told.rest]) == pytest.approx(told.total)


def test_a_page_of_results_begins_before_the_search(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = made.client.get("/search?q=pot").text
    library: Library = made.app.state.library
    library._warm.set()
    happened: list[str] = []
    found = search._results

    def slow(*arguments: Any) -> Markup:
        happened.append("searched")
        return found(*arguments)

    async def told(message: Message) -> None:
        if text := message.get("body", b"").decode():
            happened.append(text)

    monkeypatch.setattr(search, "_results", slow)
    asyncio.run(made.app(_scope("/search", b"q=pot"), _never, told))
    begin, searched, *rest = happened
    assert searched == "searched"
    assert "<title>pot" in begin
    assert '<main id="main">' in begin
    assert listed(begin) == []
    assert _without_tokens(begin + "".join(rest)) == _without_tokens(plain)


def test_a_page_that_has_begun_says_why_there_are_no_results(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    library: Library = made.app.state.library
    library._warm.set()

    def refuse(*_: Any) -> Markup:
        raise Refused(503, "error.index", "error.index_then")

    monkeypatch.setattr(search, "_results", refuse)
    answer = made.client.get("/search?q=pot")
    assert str(messages_in("en").say("error.index")) in answer.text
    assert answer.text.rstrip().endswith("</html>")


def test_a_reader_whose_clicks_count_gets_the_cookie_before_the_results(tmp_path: Path) -> None:
    made = Made(tmp_path / "p", settings="[portal]\nclicks = true\n")
    made.app.state.library._warm.set()
    answer = made.client.get("/search?q=pot")
    assert 'data-clicks="' in answer.text
    assert VISITOR in answer.cookies
    made.close()


def _scope(path: str, query: bytes) -> Scope:
    return {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(b"host", b"127.0.0.1:8080")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8080),
    }


async def _never() -> Message:
    await asyncio.sleep(60)
    raise TimeoutError


def _without_tokens(text: str) -> str:
    return re.sub(r'(name="token" value|data-clicks)="[^"]*"', "", text)
