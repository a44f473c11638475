"""Portals for the tests of the web pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal.made import Made


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    portal = Made(tmp_path / "Tea portal")
    yield portal
    portal.close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    settings = """
[portal]
title = "Portal<script>alert(1)</script>"
about = "About \\"><img src=x onerror=alert(2)>"
keeper = "Keeper<svg onload=alert(3)>"
"""
    portal = Made(tmp_path_factory.mktemp("hostile") / "portal", hostile=True, settings=settings)
    yield portal
    portal.close()
