"""Managing settings: each with its meaning, its default and the source of its value."""

import difflib
import tomllib
from typing import Annotated, Any

from fastapi import Form, Query
from msgspec import Struct
from starlette.responses import Response

from thresher.config.load import defaults, flat, load
from thresher.errors import SettingsError
from thresher.portal.changes import change_settings
from thresher.portal.doors import Doors
from thresher.portal.setting_words import meanings_in
from thresher.portal.settings_file import toml_value, with_setting
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work_faults import PortalMessage, rule_of
from thresher.portals import editing_settings
from thresher.store.portal_records import Role

doors = Doors()

_FIRST = ("portal", "network", "crawl", "manners")
_FREE = ("strategy",)


class SettingField(Struct, frozen=True):
    """A setting as the page shows it; strings are shown as they are, other values in TOML syntax.

    `language` is the language of the meaning.
    """

    key: str
    meaning: str
    language: str
    value: str
    default: str
    own: bool
    kind: str


@doors.page("/manage/settings", needs=Role.ADMIN)
def manage_settings(
    view: Seen, find: Annotated[str, Query(max_length=200)] = "", done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0
) -> Response:
    """Show all settings, or those that contain a text."""
    return _page(view, find=find, done=done)


@doors.form("/manage/settings", needs=Role.ADMIN)
def change_setting(
    view: Seen,
    key: Annotated[str, Form(max_length=200)] = "",
    value: Annotated[str, Form(max_length=10_000)] = "",
    reset: Annotated[bool, Form()] = False,
    was: Annotated[str, Form(max_length=10_001)] = "",
) -> Response:
    """Change a setting, or reset it to its default; an invalid value is shown again and nothing changes.

    `was` is the value that the form showed, after an equals sign. If somebody else has changed it since, the new value
    is shown first.
    """
    key = key.strip()
    known = flat(defaults())
    if key not in known and not key.startswith("strategy."):
        close = difflib.get_close_matches(key, known, 1, 0.5)
        return _page(view, 400, fault="manage.no_setting", key=key, value=value, close=close[0] if close else "")
    try:
        wanted = None if reset else _read(value, known.get(key))
        if not reset:
            load(view.library.portal, [f"{key}={_written(wanted)}"])
        with editing_settings(view.library.portal) as text:
            now = next((one.value for one in _shown(view) if one.key == key), None)
            if was and now is not None and _same_lines(was[1:]) != _same_lines(now):
                return _page(view, 409, fault="manage.meanwhile", key=key, value=value, now=now)
            number = change_settings(view, key, text, with_setting(text, key, wanted))
    except SettingsError as error:
        return _page(
            view, 400, fault="manage.bad_value", key=key, value=value, why=error.sentence, fits=rule_of(error.fault)
        )
    return view.go(f"/manage/settings?done={number}#{key}")


def _page(
    view: RequestContext,
    status: int = 200,
    *,
    find: str = "",
    done: int = 0,
    fault: str = "",
    key: str = "",
    value: str = "",
    why: str = "",
    close: str = "",
    now: str = "",
    fits: PortalMessage | None = None,
) -> Response:
    sections: dict[str, list[SettingField]] = {}
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
        now=now,
        fits=fits,
        last=view.library.store.deeds.get(done) if done else None,
    )


def _shown(view: RequestContext) -> list[SettingField]:
    loaded, usual = load(view.library.portal), flat(defaults())
    english, own = meanings_in("en"), meanings_in(view.language)
    values = flat(loaded.settings.model_dump(mode="json"))
    return [
        SettingField(
            key=key,
            meaning=own.get(key) or english.get(key, ""),
            language=view.language if key in own else "en",
            value=_told(values.get(key)),
            default=_told(default),
            own=loaded.sources.get(key, "default") != "default",
            kind="bool" if isinstance(default, bool) else "number" if isinstance(default, int | float) else "text",
        )
        for key, default in usual.items()
        if key not in _FREE
    ]


def _place(key: str) -> int:
    """Return the sort position of a setting's section; those most often needed come first."""
    section = key.partition(".")[0]
    return _FIRST.index(section) if section in _FIRST else len(_FIRST)


def _read(value: str, default: Any) -> Any:
    """Parse a value as TOML; for a string setting, return the text itself."""
    text = value.strip()
    try:
        read = tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return text if isinstance(default, str) and not isinstance(read, str) else read


def _same_lines(text: str) -> str:
    """Return a text with normalised line endings, as browsers change them."""
    return "\n".join(text.splitlines())


def _told(value: Any) -> str:
    return value if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    return "" if value is None else toml_value(value)
