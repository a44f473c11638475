"""Random queries by the hundred thousand: none is an error, and none takes long."""

import random
import time
from pathlib import Path

import pytest

from tests.search.portals import page, portal_of
from thresher.search.searcher import Searcher

PIECES = (
    *(
        "(",
        ")",
        '"',
        "-",
        " ",
        "OR",
        "AND",
        "NOT",
        "*",
        "%",
        ":",
        ">",
        "<",
        "=",
        "|",
        "\\",
        "/",
        "'",
        "\x00",
        "\n",
        ".",
    ),
    *("boats", "red", "sea", "the", "東京", "ß", "é", "\ud800", "\U0001f600", "a" * 300, "0", "9" * 40),
    *("site:", "topic:", "conf:>", "found:<", "changed:", "state:", "linksto:", "linkedfrom:", "similar:", "model:"),
    *("intitle:", "inurl:", "filetype:", "lang:", "exact:", "http://a.test/1", "a.test", "any", "none", "2026-11"),
)
SLOWEST = 3.0
"""Seconds of processor time that a query may take."""


def queries(number: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(PIECES, k=rng.randint(0, 24))) for _ in range(number)]


@pytest.mark.parametrize("number", [300, pytest.param(5_000, marks=pytest.mark.slow)])
def test_no_random_query_is_an_error_or_slow(tmp_path: Path, number: int) -> None:
    words = ["red", "boats", "sea", "the", "wide", "東京", "sail", "wind"]
    rng = random.Random(1)
    pages = [
        page(
            f"http://{rng.choice('abc')}.test/{place}",
            " ".join(rng.choices(words, k=3)),
            " ".join(rng.choices(words, k=40)),
            links=[(f"http://a.test/{rng.randint(0, 199)}", "red boats")],
            topic=rng.choice(["Boats", "Boats/Red", None]),
        )
        for place in range(200)
    ]
    with Searcher(portal_of(tmp_path, *pages), fresh=1e9) as searcher:
        for query in queries(number, seed=number):
            started = time.process_time()
            answer = searcher.search(query)
            assert time.process_time() - started < SLOWEST, query
            assert answer.total >= len(answer.results)
