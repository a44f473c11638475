"""Pages about the portal: how it works, its crawler, help, keys, and its data for programs."""

from starlette.responses import Response

from thresher.portal.doors import Doors
from thresher.portal.view import Seen
from thresher.web.user_agent import TOKEN, user_agent

doors = Doors()


@doors.page("/about")
def about(view: Seen) -> Response:
    """Tell how the portal works."""
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
    """Tell how to search and browse."""
    return view.page("help.html")


@doors.page("/keys")
def keys(view: Seen) -> Response:
    """Show the keys, and let them be switched off."""
    return view.page("keys.html")


@doors.page("/api")
def api(view: Seen) -> Response:
    """Show what programs can get."""
    return view.page("api.html", base=str(view.request.base_url).rstrip("/"))
