"""Finds the profiles of the browsers on this machine."""

import configparser
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

FIREFOX: Final = "firefox"

PLACES: Final = "places.sqlite"
HISTORY: Final = "History"
BOOKMARKS: Final = "Bookmarks"

_LARGEST: Final = 16 << 20
"""Maximum size of a profile list, in bytes."""

_Folders = dict[str, tuple[str, ...]]

_LINUX: Final[_Folders] = {
    FIREFOX: (
        ".mozilla/firefox",
        ".config/mozilla/firefox",
        "snap/firefox/common/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/.mozilla/firefox",
    ),
    "librewolf": (".librewolf", ".var/app/io.gitlab.librewolf-community/.librewolf"),
    "chrome": (".config/google-chrome", ".var/app/com.google.Chrome/config/google-chrome"),
    "chromium": (
        ".config/chromium",
        "snap/chromium/common/chromium",
        ".var/app/org.chromium.Chromium/config/chromium",
    ),
    "edge": (".config/microsoft-edge", ".var/app/com.microsoft.Edge/config/microsoft-edge"),
    "brave": (
        ".config/BraveSoftware/Brave-Browser",
        ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
    ),
    "vivaldi": (".config/vivaldi",),
}
_MACOS: Final[_Folders] = {
    FIREFOX: ("Library/Application Support/Firefox",),
    "librewolf": ("Library/Application Support/librewolf",),
    "chrome": ("Library/Application Support/Google/Chrome",),
    "chromium": ("Library/Application Support/Chromium",),
    "edge": ("Library/Application Support/Microsoft Edge",),
    "brave": ("Library/Application Support/BraveSoftware/Brave-Browser",),
    "vivaldi": ("Library/Application Support/Vivaldi",),
}
_WINDOWS: Final[_Folders] = {
    FIREFOX: ("AppData/Roaming/Mozilla/Firefox",),
    "librewolf": ("AppData/Roaming/librewolf",),
    "chrome": ("AppData/Local/Google/Chrome/User Data",),
    "chromium": ("AppData/Local/Chromium/User Data",),
    "edge": ("AppData/Local/Microsoft/Edge/User Data",),
    "brave": ("AppData/Local/BraveSoftware/Brave-Browser/User Data",),
    "vivaldi": ("AppData/Local/Vivaldi/User Data",),
}
_PLATFORMS: Final = {"linux": _LINUX, "darwin": _MACOS, "win32": _WINDOWS}

BROWSERS: Final = tuple(_LINUX)
"""The supported browsers."""

_MOVED: Final = {"AppData/Roaming": "APPDATA", "AppData/Local": "LOCALAPPDATA", ".config": "XDG_CONFIG_HOME"}
"""Folders that environment variables can relocate."""


class Profile(Struct, frozen=True):
    """A browser profile: its name, its history database, and its bookmark file, None if it is the same file."""

    browser: str
    name: str
    history: Path
    bookmarks: Path | None = None


def profiles(
    home: Path | None = None, platform: str = sys.platform, environment: Mapping[str, str] | None = None
) -> list[Profile]:
    """Return the profiles of all browsers that have a history, in the order of `BROWSERS`."""
    home = home or Path.home()
    environment = os.environ if environment is None else environment
    found: list[Profile] = []
    for browser, folders in _PLATFORMS.get(platform, _LINUX).items():
        for folder in folders:
            place = _placed(home, folder, environment)
            found += _of_mozilla(browser, place) if browser in (FIREFOX, "librewolf") else _of_chrome(browser, place)
    return found


def _placed(home: Path, folder: str, environment: Mapping[str, str]) -> Path:
    for start, variable in _MOVED.items():
        if folder.startswith(f"{start}/") and environment.get(variable):
            return Path(environment[variable], folder[len(start) + 1 :])
    return home / folder


def _of_mozilla(browser: str, folder: Path) -> Iterator[Profile]:
    """Yield the profiles listed in `profiles.ini`, and unlisted ones in the same folder."""
    named: dict[Path, str] = {}
    ini = configparser.RawConfigParser(strict=False)
    try:
        ini.read_string(_text(folder / "profiles.ini"))
    except configparser.Error:
        ini.clear()
    for section in ini.sections():
        told = dict(ini.items(section))
        if section.startswith("Profile") and told.get("path"):
            # Joining leaves absolute paths unchanged.
            place = folder / told["path"]
            named[place] = told.get("name") or place.name
    for parent in (folder, folder / "Profiles"):
        for file in _found(parent, PLACES):
            named.setdefault(file.parent, file.parent.name)
    for place, name in named.items():
        if (place / PLACES).is_file():
            yield Profile(browser, name, place / PLACES)


def _of_chrome(browser: str, folder: Path) -> Iterator[Profile]:
    """Yield the profiles with a history, by the names the user gave them."""
    try:
        known = json.loads(_text(folder / "Local State"))["profile"]["info_cache"]
    except (ValueError, KeyError, TypeError, RecursionError):
        known = {}
    for file in _found(folder, HISTORY):
        place = file.parent
        info = known.get(place.name) if isinstance(known, dict) else None
        name = info.get("name") if isinstance(info, dict) else None
        yield Profile(browser, name if isinstance(name, str) and name else place.name, file, place / BOOKMARKS)


def _found(folder: Path, name: str) -> list[Path]:
    """Return the files with a name one level below a folder, in order."""
    try:
        return sorted(file for file in folder.glob(f"*/{name}") if file.is_file())
    except OSError:
        return []


def _text(path: Path) -> str:
    """Return the text of a small file; empty if there is none."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
