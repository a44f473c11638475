"""Analysers for worker processes that misbehave on request."""

import os
import time

from tests.crawl.scripted import LineReader
from tests.strategies.able import FewOfEachSite
from thresher.reading.analysis import PageAnalyser
from thresher.reading.worker import WORN_OUT
from thresher.types import Failed, Fetched, ParsedPage


class MoodyReader(LineReader):
    """Reads ordinary pages; others make it hang, die, print or keep much memory."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        if fetched.url.endswith("/hang"):
            time.sleep(600)
        if fetched.url.endswith("/keep"):
            self.kept.append(b"x" * WORN_OUT)
        if fetched.url.endswith("/die"):
            os._exit(3)
        if fetched.url.endswith("/print"):
            print("something that is no frame")
            return super().read(Fetched(url=fetched.url, status=200, headers=[], body=b"", raw=b"", mime="", at=0.0))
        return super().read(fetched)


def moody(recipe: bytes) -> PageAnalyser:
    """Make a moody analyser; the recipe must have arrived."""
    assert recipe == b'"recipe"'
    return PageAnalyser(MoodyReader(), FewOfEachSite())
