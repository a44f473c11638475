"""The crawl graph: which pages, where they stand, and its other shapes."""

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.made import Made
from tests.portal.test_browser import CHROMIUM, playwright, served
from thresher.portal.assets import assets
from thresher.portal.crawl_graph import crawl_graph, gexf_lines, narrowed
from thresher.portal.graph_layout import laid_out
from thresher.portal.ids import page_name
from thresher.store.portal_records import Role

GEXF = {"g": "http://gexf.net/1.3"}


def test_the_graph_holds_the_best_linked_pages_and_the_links_between_them(made: Made) -> None:
    graph = crawl_graph(made.app.state.library, 500)
    titles = {node.title for node in graph.nodes}
    assert {"Round pots", "Tea houses", "Sailing", "Rowing", "Quiet"} <= titles
    assert "Secret" not in titles
    index = {node.title: place for place, node in enumerate(graph.nodes)}
    assert (index["Round pots"], index["Tea houses"]) in graph.edges
    assert (index["Tea houses"], index["Round pots"]) in graph.edges
    pots = graph.nodes[index["Round pots"]]
    assert (pots.branch, pots.size, pots.marked) == ("Tea", 12.0, True)
    assert graph.branches()[0][0] in ("Boats", "Tea")
    assert len(crawl_graph(made.app.state.library, 1).nodes) == 1


def test_the_picture_is_the_same_tomorrow_and_new_pages_find_their_place(made: Made) -> None:
    first = crawl_graph(made.app.state.library, 2)
    again = crawl_graph(made.app.state.library, 500)
    places = {node.id: (node.x, node.y) for node in again.nodes}
    for node in first.nodes:
        assert places[node.id] == (node.x, node.y)
    assert crawl_graph(made.app.state.library, 500) == again


def test_what_is_seen_is_what_is_saved(made: Made) -> None:
    graph = crawl_graph(made.app.state.library, 500)
    boats = narrowed(graph, {"Boats"}, 0.6, False)
    assert {node.title for node in boats.nodes} == {"Sailing", "Quiet"}
    assert narrowed(graph, set(), 0.0, True).nodes
    file = ElementTree.fromstring("".join(gexf_lines(graph)))
    assert len(file.findall(".//g:node", GEXF)) == len(graph.nodes)
    assert len(file.findall(".//g:edge", GEXF)) == len(graph.edges)
    reviewer = made.signed_in(Role.REVIEWER)
    answer = reviewer.get("/graph.gexf?branch=Boats&sure=0.6")
    assert len(ElementTree.fromstring(answer.text).findall(".//g:node", GEXF)) == 2
    assert len(reviewer.get("/graph.json").json()["nodes"]) == len(graph.nodes)


def test_a_hostile_graph_is_a_file_all_the_same(hostile: Made) -> None:
    text = hostile.signed_in(Role.REVIEWER).get("/graph.gexf").text
    assert ElementTree.fromstring(text).tag.endswith("gexf")


def test_the_graph_as_a_list_and_what_is_told_of_a_page(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    text = reviewer.get("/graph?as=list").text
    assert "All 5 pages of the portal, most cited first." in text
    assert "<script" not in text.partition("<main")[2]
    panel = reviewer.get(f"/graph/page/{page_name(made.rows[0].url_id)}").text
    assert "Round pots" in panel
    assert panel.count("data-step=") == 3
    assert reviewer.get(f"/graph/page/{page_name(made.rows[5].url_id)}").status_code == 404
    assert made.signed_in(Role.READER).get("/graph").status_code == 403


def test_without_its_scripts_the_graph_is_a_list(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.portal.routes.graph.assets", dict)
    text = made.signed_in(Role.REVIEWER).get("/graph").text
    assert 'id="canvas"' not in text
    assert "Tea houses" in text


@given(
    st.lists(st.integers(0, 4), max_size=60),
    st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=80),
)
def test_every_page_has_a_place_of_its_own(branches: list[int], edges: list[tuple[int, int]]) -> None:
    links = [(a, b) for a, b in edges if a < len(branches) and b < len(branches)]
    places = laid_out(branches, links, {0: (3.0, 4.0)} if branches else {})
    assert places.shape == (len(branches), 2)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(6), axis=0)) == len(branches)
    if branches:
        assert places[0].tolist() == [3.0, 4.0]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or "sigma.min.js" not in assets(), reason="Chromium or sigma is not there")
def test_the_picture_is_drawn_and_a_page_can_be_selected(made: Made) -> None:
    session = made.signed_in(Role.REVIEWER).cookies["thresher_session"]
    flags = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with served(made) as base, playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=flags)
        window = browser.new_context()
        window.add_cookies([{"name": "thresher_session", "value": session, "url": base}])
        page: Any = window.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(base + "/graph")
        page.wait_for_selector("#graph[data-ready]")
        page.fill("#seek-field", "round pots")
        page.press("#seek-field", "Enter")
        page.wait_for_selector("#selected h2:has-text('Round pots')")
        with page.expect_download() as saved:
            page.click("#png")
        assert saved.value.suggested_filename == "graph.png"
        page.uncheck("#filters [value=Boats]")
        assert "branch=Tea" in page.get_attribute("#gexf", "href")
        browser.close()
    assert wrong == []
