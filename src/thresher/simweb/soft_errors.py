"""Soft errors: the page that some hosts show for every wrong address, with a success status."""

from random import Random
from zlib import crc32

from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.layouts import choose_style, lay_out
from thresher.simweb.prose import chatter
from thresher.simweb.render import search_form
from thresher.simweb.web import Web
from thresher.simweb.wording import WORDING


def soft_error(web: Web, host: SimulatedHost, target: str) -> bytes:
    """Return a host's error page; only the requested address in it varies."""
    rng = Random(crc32(f"{web.parameters.seed} {host.name} missing".encode()))
    style = choose_style(rng)
    said = chatter(web, host.language, 80, rng)
    wrong = target[:40].translate(str.maketrans("/?&<>.-_=", "         "))
    html = lay_out(
        host.layout,
        language=host.language,
        meta=f'<meta http-equiv="Content-Type" content="text/html; charset={host.charset}">',
        title=f"404 - {host.title}",
        heading="404",
        brand=host.title,
        navigation=f"<a href={style.quote}/{style.quote}>{host.brand}</a>",
        search=search_form(host, style),
        main=f"<p>404: {wrong}{style.p_end}<p>{said}{style.p_end}",
        footer=WORDING[host.language].boilerplate[0].replace("{}", host.title),
        end=style.end,
    )
    return html.encode(host.charset, "xmlcharrefreplace")
