"""Checking this machine and a portal, as `thresher doctor` does."""

from pathlib import Path

from thresher.doctor import FAIL, OK, WARN, Check, examine

__all__ = ["FAIL", "OK", "WARN", "Check", "check"]


def check(portal: Path | None = None, *, deep: bool = False) -> list[Check]:
    """Check the installation and, if given, a portal; `deep` reads its whole archive."""
    return examine(portal, deep=deep)
