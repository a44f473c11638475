"""Webs of coined words never change: every figure of the bench was measured on them."""

import hashlib

import pytest

from thresher.simweb.answers import answer
from thresher.simweb.manifest import digest
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

BESIDES = ("/robots.txt", "/sitemap.xml", "/feed.xml", "/calendar/2024/05", "/browse/older/", "/no-such-page")
MIXED = WebParameters(pages=300, hosts=20, seed=9, documents=0.2, generation=2)
FOREIGN = WebParameters(pages=200, hosts=12, seed=3, depth=1, breadth=4, languages=("de", "fr"), profile="finite")


@pytest.mark.parametrize(
    ("parameters", "plan", "answers"),
    [
        (
            MIXED,
            "488b0b8d81f79405bd366122e6feacd4",
            "26328f390de67043b32ab0c4c3a486bbe11b1aca9fbc8f0e6e7c712143065487",
        ),
        (
            FOREIGN,
            "19bac91d2d4789c602f7365e632792d5",
            "22f2223d2125c0e004d168d25cb0f57f19a2a97f2e315cf58c66a4b2ded5d9e7",
        ),
    ],
)
def test_every_answer_is_the_same_byte_for_byte(parameters: WebParameters, plan: str, answers: str) -> None:
    web = Web(parameters)
    state = hashlib.sha256()
    targets = [(url.split("/")[2], "/" + url.split("/", 3)[3]) for url in web.urls]
    for host, target in targets + [(host.name, path) for host in web.hosts for path in BESIDES]:
        told = answer(web, "GET", host, target, 5.0)
        assert told is not None
        state.update(repr((host, target, told.status, told.headers)).encode() + told.body)
    assert digest(web) == plan
    assert state.hexdigest() == answers
