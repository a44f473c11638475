"""The comparison with other crawlers: the web they share, the server, and the tiers of our engine."""

import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from thresher.bench.fixed_model import TOPIC, FixedLinear
from thresher.bench.loopback import loopback
from thresher.bench.prerendered import Prerendered, address_of
from thresher.bench.stages import measure_stages
from thresher.bench.tiers import TIERS, measure_tiers
from thresher.errors import InputError
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.types import ParsedPage

SMALL = WebParameters(pages=300, hosts=30, seed=2, profile="clean")


def body_of(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    return body


def test_every_link_of_the_web_leads_to_an_answer_of_it() -> None:
    web = Prerendered(Web(SMALL), 8099)
    assert len(web.urls) == 300
    for url in web.urls:
        place = urlsplit(url)
        assert place.port == 8099
        target = place.path + (f"?{place.query}" if place.query else "")
        body = body_of(web.answers[place.hostname or ""][target.encode()])
        assert b".test" not in body
        for address in re.findall(rb"//(127\.[0-9.]+):8099", body):
            assert address.decode() in web.answers


def test_hosts_have_robots_files_that_close_no_page() -> None:
    web = Prerendered(Web(SMALL), 8099)
    for answers in web.answers.values():
        closed = re.findall(rb"User-agent: \*\n((?:[^\n]+\n)+)", body_of(answers[b"/robots.txt"]))[0]
        paths = [line.partition(b": ")[2] for line in closed.splitlines() if line.startswith(b"Disallow")]
        assert paths
        assert not any(target.startswith(path) for target in answers for path in paths)


def test_addresses_are_on_loopback_and_never_shared() -> None:
    addresses = [address_of(number) for number in range(70_000)]
    assert len(set(addresses)) == len(addresses)
    assert all(re.fullmatch(r"127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}", address) for address in addresses[::997])


def test_server_answers_requests_in_pieces_and_in_rows_and_counts_them() -> None:
    with loopback(SMALL) as web:
        place = urlsplit(web.start_pages[0])
        with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
            for piece in (b"GET /robots.t", b"xt HTTP/1.1\r\nHost: x\r\n\r", b"\nGET /nowhere HTTP/1.1\r\n\r\n"):
                connection.sendall(piece)
            received = b""
            while received.count(b"HTTP/1.1 ") < 2 or b"Length: 0\r\n\r\n" not in received:
                received += connection.recv(1 << 16)
        assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"404"]
        seen = web.seen()
        assert (seen.requests, seen.robots) == (2, 1)
        assert web.seen().requests == 0


@pytest.mark.slow
def test_all_tiers_fetch_the_same_number_of_pages() -> None:
    figures = measure_tiers(pages=120, repeats=1, hosts=20, workers=0)
    assert [row.crawler for row in figures.rows] == [f"thresher ({tier})" for tier in TIERS]
    for row in figures.rows:
        assert row.pages == 120
        assert 120 < row.requests <= 120 + 20 + 64
        assert min(row.pages_per_second, row.cpu_ms_per_page, row.memory_mb) > 0
    assert figures.ratios == []


def test_a_missing_environment_is_told_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no") as error:
        measure_tiers(pages=100, rivals=tmp_path / "python")
    assert "make bench-rivals" in error.value.remedy


def test_all_stages_are_measured() -> None:
    rows = measure_stages(pages=100, runs=1)
    assert len({row.stage for row in rows}) == len(rows) == 13
    assert all(row.cpu_ms_per_page > 0 for row in rows)


def test_fixed_model_depends_on_the_words_alone() -> None:
    page = ParsedPage(url="http://a.test/", title="", words=[], links=[], terms={"boat": 3, "sail": 1})
    judgement = FixedLinear().classify(page)
    assert judgement == FixedLinear().classify(page)
    assert (judgement.topic == TOPIC) is (judgement.probability > 0.5)
    assert FixedLinear().relevance([page.terms]) == [judgement.probability]


def test_workers_do_not_load_the_network_or_the_settings() -> None:
    code = "import sys, thresher.analysers, thresher.reading.worker; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"aiohttp", "pydantic", "sklearn", "typer"} & set(loaded)
