"""Traps: an endless calendar, paths that grow with every click, and session ids that make each address new."""

import re
from random import Random
from typing import Final
from zlib import crc32

from thresher.simweb.addresses import CALENDAR, FIRST_MONTH, GROWING
from thresher.simweb.anchors import page_anchors
from thresher.simweb.graph import LinkPosition
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.layouts import choose_style, lay_out
from thresher.simweb.prose import chatter
from thresher.simweb.render import navigation, search_form
from thresher.simweb.web import Web
from thresher.simweb.wording import WORDING

_MONTH: Final = re.compile(rf"{CALENDAR}(\d{{1,9}})/(0[1-9]|1[0-2])")
_GROWN: Final = re.compile(rf"{GROWING}(?:(?:older|newer|all)/)*")
_SESSION: Final = re.compile(r"[?&]sid=[0-9a-f]+$")


def trap_entry(host: SimulatedHost) -> str | None:
    """Return the path at which a crawler enters the trap of a host, or None if the host has none."""
    return {"calendar": FIRST_MONTH, "growing": GROWING, "session": "/"}.get(host.trap)


def split_session(target: str) -> tuple[str, str]:
    """Return a target without its session id, and the id.

    >>> split_session("/view?item=3&sid=0a1b")
    ('/view?item=3', '0a1b')
    """
    found = _SESSION.search(target)
    return (target, "") if found is None else (target[: found.start()], found[0][5:])


def next_session(web: Web, target: str, session: str) -> str:
    """Return the session id in the links of a page: a new one for every page and every old id."""
    return f"{crc32(f'{web.parameters.seed} {target} {session}'.encode()):08x}"


def trap_page(web: Web, host: SimulatedHost, target: str) -> bytes | None:
    """Return the page of a trap at a target, or None if the host's trap has no such page."""
    ways = _ways(host, target)
    if ways is None:
        return None
    # A trap is endless and only its entry is planned, so all its pages have the entry's navigation.
    entry = web.page(f"http://{host.name}{trap_entry(host)}")
    if entry is None:
        return None
    rng = Random(crc32(f"{web.parameters.seed} {host.name}{target}".encode()))
    style = choose_style(rng)
    said = chatter(web, host.language, 60, rng)
    links = " ".join(f"<a href={style.quote}{way}{style.quote}>{text}</a>" for way, text in ways)
    html = lay_out(
        host.layout,
        language=host.language,
        meta=f'<meta http-equiv="Content-Type" content="text/html; charset={host.charset}">',
        title=f"{host.title} {target.strip('/').replace('/', ' ')}",
        heading=host.title,
        brand=host.title,
        navigation=navigation(page_anchors(web, entry, rng)[LinkPosition.NAVIGATION], style),
        search=search_form(host, style),
        main=f"<p>{said}{style.p_end}<p>{links}{style.p_end}",
        footer=WORDING[host.language].boilerplate[0].replace("{}", host.title),
        end=style.end,
    )
    return html.encode(host.charset, "xmlcharrefreplace")


def _ways(host: SimulatedHost, target: str) -> list[tuple[str, str]] | None:
    """Return (address, text) of the links that lead deeper into a trap, or None if the target is not in it."""
    if host.trap == "calendar" and (found := _MONTH.fullmatch(target)):
        month = int(found[1]) * 12 + int(found[2]) - 1
        steps = ((1, "&gt;"), (-1, "&lt;"), (12, "&gt;&gt;"))
        return [(_month(month + step), text) for step, text in steps if month + step >= 12]
    if host.trap == "growing" and _GROWN.fullmatch(target):
        return [(f"{way}/", way) for way in ("older", "newer", "all")]
    return None


def _month(number: int) -> str:
    return f"{CALENDAR}{number // 12}/{number % 12 + 1:02}"
