"""Renders a planned page as HTML, on every request and always the same."""

from random import Random
from typing import Final

from thresher.simweb.ageing import news, original_of
from thresher.simweb.anchors import Anchor, page_anchors
from thresher.simweb.graph import LinkPosition
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.layouts import Style, choose_style, lay_out
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.prose import Part, Prose, page_title, write_prose
from thresher.simweb.site_lists import FEED, publishes
from thresher.simweb.text import randomness
from thresher.simweb.web import Web
from thresher.simweb.wording import WORDING

_META_ROBOTS: Final = ((Flag.NOINDEX, "noindex"), (Flag.NOFOLLOW, "nofollow"))


def render(web: Web, page: int, session: str = "", version: int = 0) -> bytes:
    """Return the HTML of a page that answers with 200, in the encoding of its host.

    `session` is the id that a host with session ids adds to its links, and `version` counts the changes of the page. A
    mirror's page equals its original, byte for byte.
    """
    page = original_of(web, page)
    original = int(web.pages.original[page])
    rng = randomness(web, original if original >= 0 else page)
    host = web.hosts[int(web.pages.host[page])]
    prose = write_prose(web, page, rng)
    anchors = page_anchors(web, page, rng, session)
    style = choose_style(rng)
    title = title_of(web, page, host)
    main = _opening(web, page, host) + _main(prose, anchors, style, host, rng)
    if version:
        main += f"<p>{news(web, page, version)}{style.p_end}"
    html = lay_out(
        host.layout,
        language=host.language,
        meta=_meta(web, page, host, prose, rng),
        title=title if host.layout % 2 else f"{title} - {host.brand}",
        heading=title,
        brand=host.title,
        navigation=navigation(anchors[LinkPosition.NAVIGATION], style),
        search=search_form(host, style),
        main=main,
        footer=_footer(anchors[LinkPosition.FOOTER], style, host),
        end=style.end,
    )
    return html.encode(host.charset, "xmlcharrefreplace")


def write_link(anchor: Anchor, style: Style) -> str:
    """Return the HTML of a link."""
    href = anchor.href.replace("&", "&amp;") if "&" in anchor.href else anchor.href
    rel = " rel=nofollow" if anchor.nofollow else ""
    return f"<a href={style.quote}{href}{style.quote}{rel}>{anchor.text}</a>"


def navigation(anchors: list[Anchor], style: Style) -> str:
    """Return the links in the navigation of a page."""
    links = [write_link(anchor, style) for anchor in anchors]
    return f"<div class={style.quote}nav{style.quote}>{' | '.join(links)}</div>"


def search_form(host: SimulatedHost, style: Style) -> str:
    """Return a search form, which a crawler should not submit."""
    label = WORDING[host.language].search
    q = style.quote
    return (
        f"<form action={q}/search{q} method={q}get{q}><label>{label} <input name={q}q{q} size={q}12{q}></label>"
        f"<input type={q}submit{q} value={q}{label}{q}></form>"
    )


def title_of(web: Web, page: int, host: SimulatedHost) -> str:
    """Return the title of a page."""
    theme = int(web.pages.theme[page])
    wording = WORDING[host.language]
    if page == host.first:
        return wording.welcome.format(host.title)
    title = web.pages.title[page].tolist()
    if web.pages.kind_of(page) in (PageKind.WELCOME, PageKind.HUB):
        return f"{host.title}: {wording.more} {title[0] % 40 + 1}"
    if web.vocabulary.english is not None:
        return page_title(web, web.vocabulary.english, page).text
    table = web.vocabulary.tables[theme] if theme >= 0 else web.vocabulary.base[host.language]
    return " ".join([table[place] for place in title]).capitalize()


def _meta(web: Web, page: int, host: SimulatedHost, prose: Prose, rng: Random) -> str:
    meta = ""
    if host.charset_in_meta:
        meta += f'<meta http-equiv="Content-Type" content="text/html; charset={host.charset}">'
    if names := [name for flag, name in _META_ROBOTS if web.pages.flagged(page, flag)]:
        meta += f'<meta name="robots" content="{",".join(names)}">'
    if page == host.first and publishes(host):
        meta += f'<link rel="alternate" type="application/rss+xml" href="http://{host.name}{FEED}">'
    if rng.random() < 0.5:
        meta += f'<meta name="description" content="{prose.lead()}">'
    return meta


def _opening(web: Web, page: int, host: SimulatedHost) -> str:
    if web.pages.kind_of(page) not in (PageKind.WELCOME, PageKind.HUB):
        return ""
    greeting = WORDING[host.language].greeting
    first = page % len(greeting)
    return f"<p>{greeting[first]} {greeting[first - 1]}</p>"


def _main(prose: Prose, anchors: list[list[Anchor]], style: Style, host: SimulatedHost, rng: Random) -> str:
    """Return paragraphs with links in their sentences, then a list and a table of links."""
    said = prose.sentences(rng)
    waiting = anchors[LinkPosition.TEXT]
    parts: list[str] = []
    for number, sentence in enumerate(said):
        if number % 5 == 0:
            parts.append(f"{style.p_end if number else ''}\n<p>")
        share = -(-len(waiting) // (len(said) - number))
        parts += [_html(part, style) for part in prose.woven(sentence, waiting[:share])]
        waiting = waiting[share:]
    parts.append(style.p_end)
    if style.broken:
        parts.append(f"<b><i>{prose.emphasis()}</b></i>")
    parts.append(_list(anchors[LinkPosition.LIST], prose, style, host))
    parts.append(_table(anchors[LinkPosition.TABLE], prose, style))
    return "".join(parts)


def _html(part: Part, style: Style) -> str:
    return part if isinstance(part, str) else write_link(part, style)


def _list(anchors: list[Anchor], prose: Prose, style: Style, host: SimulatedHost) -> str:
    if not anchors:
        return ""
    items = [
        f"<li>{write_link(anchor, style)}{prose.list_note(number)}{style.li_end}\n"
        for number, anchor in enumerate(anchors)
    ]
    return f"<h3>{WORDING[host.language].links}</h3><ul>\n{''.join(items)}</ul>"


def _table(anchors: list[Anchor], prose: Prose, style: Style) -> str:
    if not anchors:
        return ""
    rows = [
        f"<tr><td>{number + 1}{style.cell_end}<td>{write_link(anchor, style)}{style.cell_end}"
        f"<td>{prose.table_note(number)}{style.cell_end}</tr>\n"
        for number, anchor in enumerate(anchors)
    ]
    return f"<table border={style.quote}1{style.quote}>\n{''.join(rows)}</table>"


def _footer(anchors: list[Anchor], style: Style, host: SimulatedHost) -> str:
    boilerplate = WORDING[host.language].boilerplate
    first = host.first % len(boilerplate)
    said = [text.replace("{}", host.title) for text in (boilerplate[first], boilerplate[first - 1])]
    links = [write_link(anchor, style) for anchor in anchors]
    return f"{' '.join(said)} {' &middot; '.join(links)}"
