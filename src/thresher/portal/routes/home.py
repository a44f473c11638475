"""The home page, the topic tree, and what every page needs: assets, preferences, OpenSearch, health."""

from typing import Annotated
from xml.sax.saxutils import escape

from fastapi import Query
from starlette.responses import JSONResponse, Response

from thresher.portal.assets import asset_at
from thresher.portal.doors import Doors, Refused
from thresher.portal.form_tokens import local_path
from thresher.portal.messages import LANGUAGES
from thresher.portal.view import KEYS, LANGUAGE, THEME, THEMES, Seen

doors = Doors()

_SHOWN = 4
_YEAR = 365 * 86_400


@doors.page("/")
def home(view: Seen) -> Response:
    """Show the topics, what is new, and good places to start."""
    library = view.library
    told = library.overview()
    if not told.pages:
        return view.page("start.html", topics=told.top, crawl=library.crawl())
    return view.page(
        "home.html",
        told=told,
        new=library.newest(_SHOWN),
        samples=library.samples(),
        starts=library.starting_points()[:_SHOWN],
        crawl=library.crawl(),
    )


@doors.page("/topics")
def topics(view: Seen) -> Response:
    """Show the whole topic tree with counts."""
    return view.page("topics.html", told=view.library.overview())


@doors.page("/look", open=True)
def look(
    view: Seen,
    back: Annotated[str, Query(max_length=2000)] = "/",
    language: Annotated[str, Query(max_length=20)] = "",
    theme: Annotated[str, Query(max_length=20)] = "",
    keys: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Store a reader's language, theme or key preference in a cookie, and go back."""
    response = view.go(local_path(back))
    if language in LANGUAGES:
        view.set_cookie(response, LANGUAGE, language, _YEAR)
    if theme in THEMES:
        view.set_cookie(response, THEME, theme, _YEAR)
    if keys in ("on", "off"):
        view.set_cookie(response, KEYS, keys, _YEAR)
    return response


@doors.page("/static/{name}", open=True)
def static(name: str) -> Response:
    """Return a style sheet or script."""
    found = asset_at(f"/static/{name}")
    if found is None:
        raise Refused(404, "error.missing", "error.missing_then")
    return Response(found.body, media_type=found.mime, headers={"cache-control": "public, max-age=31536000, immutable"})


@doors.page("/healthz", open=True)
def health() -> Response:
    """Confirm that the portal is up."""
    return JSONResponse({"status": "ok"})


@doors.page("/opensearch.xml")
def opensearch(view: Seen) -> Response:
    """Describe the search so browsers can add the portal to their search engines."""
    base = str(view.request.base_url)
    title = escape(view.library.title)
    body = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        f"<ShortName>{title[:16]}</ShortName>\n"
        f"<LongName>{title[:48]}</LongName>\n"
        f"<Description>{escape(view.say('search.describe', title=view.library.title).striptags())}</Description>\n"
        "<InputEncoding>UTF-8</InputEncoding>\n"
        f'<Url type="text/html" template="{escape(base)}search?q={{searchTerms}}"/>\n'
        f'<Url type="application/atom+xml" template="{escape(base)}search.atom?q={{searchTerms}}"/>\n'
        "</OpenSearchDescription>\n"
    )
    return Response(body, media_type="application/opensearchdescription+xml")
