"""Managing settings: each with its meaning, its default and where its value comes from."""

import difflib
import tomllib
from typing import Annotated, Any

import tomli_w
from fastapi import Form, Query
from msgspec import Struct
from starlette.responses import Response

from thresher.config.describe import descriptions
from thresher.config.load import FILE, defaults, flat, load
from thresher.errors import SettingsError
from thresher.portal.changes import change_settings
from thresher.portal.doors import Doors
from thresher.portal.settings_file import with_setting
from thresher.portal.view import Seen, View
from thresher.store.portal_records import Role

doors = Doors()

_FIRST = ("portal", "network", "crawl", "manners")
_FREE = ("strategy", "network.map", "network.types")


class Shown(Struct, frozen=True):
    """A setting as the page shows it; texts stand as they are, other values as TOML writes them."""

    key: str
    meaning: str
    value: str
    default: str
    own: bool
    kind: str


@doors.page("/manage/settings", needs=Role.ADMIN)
def manage_settings(
    view: Seen, find: Annotated[str, Query(max_length=200)] = "", done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0
) -> Response:
    """Show the settings, all or those that have a text."""
    return _page(view, find=find, done=done)


@doors.form("/manage/settings", needs=Role.ADMIN)
def change_setting(
    view: Seen,
    key: Annotated[str, Form(max_length=200)] = "",
    value: Annotated[str, Form(max_length=10_000)] = "",
    reset: Annotated[bool, Form()] = False,
) -> Response:
    """Change a setting, or bring it back to its default; what does not fit is shown and nothing is changed."""
    key = key.strip()
    file = view.library.portal / FILE
    text = file.read_text("utf-8") if file.exists() else ""
    known = flat(defaults())
    if key not in known and not key.startswith("strategy."):
        close = difflib.get_close_matches(key, known, 1, 0.5)
        return _page(view, 400, fault="manage.no_setting", key=key, value=value, close=close[0] if close else "")
    try:
        wanted = None if reset else _read(value, known.get(key))
        if not reset:
            load(view.library.portal, [f"{key}={_written(wanted)}"])
        number = change_settings(view, key, with_setting(text, key, wanted))
    except SettingsError as error:
        return _page(view, 400, fault="manage.bad_value", key=key, value=value, why=error.sentence)
    return view.go(f"/manage/settings?done={number}#{key}")


def _page(
    view: View,
    status: int = 200,
    *,
    find: str = "",
    done: int = 0,
    fault: str = "",
    key: str = "",
    value: str = "",
    why: str = "",
    close: str = "",
) -> Response:
    sections: dict[str, list[Shown]] = {}
    for one in sorted(_shown(view), key=lambda one: _place(one.key)):
        if find.lower() in f"{one.key} {one.meaning}".lower():
            sections.setdefault(one.key.partition(".")[0], []).append(one)
    return view.page(
        "manage_settings.html",
        status,
        here="settings",
        sections=sections,
        find=find,
        fault=fault,
        key=key,
        value=value,
        why=why,
        close=close,
        last=view.library.store.deeds.get(done) if done else None,
    )


def _shown(view: View) -> list[Shown]:
    loaded, usual, meanings = load(view.library.portal), flat(defaults()), descriptions()
    values = flat(loaded.settings.model_dump(mode="json"))
    return [
        Shown(
            key=key,
            meaning=meanings.get(key, ""),
            value=_told(values.get(key)),
            default=_told(default),
            own=loaded.sources.get(key, "default") != "default",
            kind="bool" if isinstance(default, bool) else "number" if isinstance(default, int | float) else "text",
        )
        for key, default in usual.items()
        if key not in _FREE
    ]


def _place(key: str) -> int:
    """Return where the section of a setting stands: those that keepers look for come first."""
    section = key.partition(".")[0]
    return _FIRST.index(section) if section in _FIRST else len(_FIRST)


def _read(value: str, default: Any) -> Any:
    """Return a value as TOML would read it; for a setting that is a text, the text itself."""
    text = value.strip()
    try:
        read = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return text if isinstance(default, str) and not isinstance(read, str) else read


def _told(value: Any) -> str:
    return value if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    if value is None:
        return ""
    return tomli_w.dumps({"value": value}).partition("=")[2].strip()
