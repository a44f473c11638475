"""Pages about the portal: how it works, its crawler, help, keyboard shortcuts, and data for programs."""

from typing import Annotated, Final

from fastapi import Form
from starlette.responses import Response

from thresher.portal.doors import Doors
from thresher.portal.own_keys import USUAL, cookie_of, fault_of
from thresher.portal.view import OWN_KEYS, Seen
from thresher.web.user_agent import TOKEN, user_agent

doors = Doors()

Key = Annotated[str, Form(max_length=20)]
_YEAR: Final = 365 * 86_400


@doors.page("/about")
def about(view: Seen) -> Response:
    """Explain how the portal works."""
    library = view.library
    models = library.store.models.all()
    return view.page(
        "about.html", told=library.overview(), crawl=library.crawl(), trained=models[-1].at if models else None
    )


@doors.page("/crawler")
def crawler(view: Seen) -> Response:
    """Tell webmasters who visits them, and how to keep the crawler out."""
    settings = view.library.settings
    return view.page(
        "crawler.html",
        agent=user_agent(settings.network.contact),
        token=TOKEN,
        contact=settings.network.contact,
        manners=settings.manners,
    )


@doors.page("/help")
def help_page(view: Seen) -> Response:
    """Explain how to search and browse."""
    return view.page("help.html")


@doors.page("/keys")
def keys(view: Seen) -> Response:
    """Show the keys and the form for changing them or turning them off."""
    return view.page("keys.html", keys=view.keys, fault=None)


@doors.form("/keys")
def change_keys(
    view: Seen,
    key_search: Key = "",
    key_help: Key = "",
    key_go: Key = "",
    key_down: Key = "",
    key_up: Key = "",
    key_open: Key = "",
    key_copy: Key = "",
    key_similar: Key = "",
    key_why: Key = "",
    key_next: Key = "",
    key_previous: Key = "",
    usual: Annotated[bool, Form()] = False,
) -> Response:
    """Store a reader's own keys in a cookie, or restore the defaults."""
    typed = (
        *(key_search, key_help, key_go, key_down, key_up, key_open),
        *(key_copy, key_similar, key_why, key_next, key_previous),
    )
    chosen = USUAL if usual else {action: key.strip() for action, key in zip(USUAL, typed, strict=True)}
    fault = fault_of(chosen)
    if fault is not None:
        return view.page("keys.html", 400, keys=chosen, fault=fault)
    response = view.go("/keys")
    cookie = cookie_of(chosen)
    view.set_cookie(response, OWN_KEYS, cookie, _YEAR if cookie else 0)
    return response


@doors.page("/api")
def api(view: Seen) -> Response:
    """Show the data that programs can request."""
    return view.page("api.html", base=str(view.request.base_url).rstrip("/"))
