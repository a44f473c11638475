"""Search results, as a page and as data."""

import math
from collections.abc import Sequence
from typing import Annotated

import anyio.to_thread
import msgspec
from fastapi import Depends, Query
from markupsafe import Markup
from starlette.responses import Response

from thresher.errors import ThresherError
from thresher.portal.doors import Doors, Refused
from thresher.portal.finding import MIX, PARTS, SORTS, Choice, Finding, SearchParameters, as_data
from thresher.portal.fragments import facet_choice, facet_label
from thresher.portal.result_hits import result_hit
from thresher.portal.twins import TYPES, data, twin
from thresher.portal.understood import left_out, understood
from thresher.portal.view import RequestContext, Seen
from thresher.search.rankings import DEFAULT
from thresher.search.results import Result
from thresher.search.sureness import LEVELS
from thresher.store.portal_records import ListedPage

doors = Doors()

Text = Annotated[str, Query(max_length=2000)]
Values = Annotated[list[Annotated[str, Query(max_length=1000)]], Query(max_length=50)]
Weight = Annotated[float, Query(ge=0, le=100, allow_inf_nan=False)]


async def asked(
    q: Text = "",
    topic: Values = [],  # noqa: B006 - FastAPI copies defaults
    site: Values = [],  # noqa: B006
    type: Values = [],  # noqa: B006
    lang: Values = [],  # noqa: B006
    sure: Values = [],  # noqa: B006
    found: Annotated[str, Query(max_length=20)] = "",
    sort: Annotated[str, Query(max_length=20)] = "best",
    w_text: Weight = 0,
    w_confidence: Weight = 0,
    w_authority: Weight = 0,
    w_hub: Weight = 0,
    w_pagerank: Weight = 0,
    w_recency: Weight = 0,
    page: Annotated[int, Query(ge=1, le=500)] = 1,
    unfold: bool = False,
) -> SearchParameters:
    """Return the parameters of a results page; an unknown order becomes the default."""
    weights = dict(zip(PARTS, (w_text, w_confidence, w_authority, w_hub, w_pagerank, w_recency), strict=True))
    return SearchParameters(
        q=q.strip(),
        topic=tuple(filter(None, topic)),
        site=tuple(filter(None, site)),
        type=tuple(filter(None, type)),
        lang=tuple(filter(None, lang)),
        sure=tuple(level for level in sure if level in LEVELS),
        found=found,
        sort=sort if sort in SORTS or sort == MIX else "best",
        mix=weights,
        page=page,
        unfold=unfold,
    )


Question = Annotated[SearchParameters, Depends(asked)]


@doors.page("/search")
async def search(view: Seen, question: Question) -> Response:
    """Show the results of a search, with facets and an explanation of each score."""
    if not view.library.is_warm:
        # The index may still be in the making, or unusable.
        return await anyio.to_thread.run_sync(
            lambda: view.page("search.html", asked=question, rest=_results(view, question))
        )
    if view.settings.portal.clicks:
        # The results need the form token, whose cookie is set first.
        view.token  # noqa: B018
    return view.page_in_two("search.html", lambda: _late_results(view, question), asked=question)


def _late_results(view: RequestContext, question: SearchParameters) -> Markup:
    """Return the results for a page that has begun, or why there are none."""
    try:
        return _results(view, question)
    except Refused as error:
        said = Markup('<section class="card empty"><h1>{}</h1><p>{}</p></section>')
        return said.format(view.say(error.what), view.say(error.then))


def _results(view: RequestContext, question: SearchParameters) -> Markup:
    finding = _find(view, question)
    results = finding.found
    mix = question.mix if any(question.mix.values()) else {name: DEFAULT.get(name, 0) * 100 for name in PARTS}
    text = view.rendered(
        "search_results.html",
        asked=question,
        finding=finding,
        results=results,
        told=understood(view.messages, results.understood, results.total, exact=results.exact),
        left_out=left_out(view.messages, results.understood.left_out),
        facets=finding.facets() if results.total or within_filters(question) else [],
        hit=lambda result: result_hit(view, result, finding.parts(result)),
        choices=lambda name, values: _choices(view, name, values),
        label=lambda name, value: facet_label(view.messages, name, value),
        mix=mix,
        sorts=(*SORTS, MIX),
    )
    return Markup(text)  # noqa: S704 - the template escapes every text


@doors.page("/search.{kind}")
def search_twin(view: Seen, kind: str, question: Question) -> Response:
    """Return the results of a search as data."""
    if kind not in TYPES:
        raise Refused(404, "error.missing", "error.missing_then")
    results = _find(view, question).found
    title = f"{question.q or view.say('search.label').striptags()} - {view.library.title}"
    if kind == "json":
        return data(kind, msgspec.json.encode(as_data(results)), title)
    return twin(view, kind, [_listed(result) for result in results.results], title, {})


def within_filters(question: SearchParameters) -> bool:
    """Return whether filters narrow a search, so they can be removed if nothing is found."""
    named = (question.topic, question.site, question.type, question.lang, question.sure, question.found)
    return any(named)


def _find(view: RequestContext, question: SearchParameters) -> Finding:
    try:
        return Finding(view.library, question, view.user.name if view.user else "")
    except ThresherError as error:
        raise Refused(503, "error.index", "error.index_then") from error


def _choices(view: RequestContext, facet: str, choices: Sequence[Choice]) -> Markup:
    return Markup().join(
        facet_choice(
            view.language, facet, one.value, one.name, one.count, chosen=one.chosen, colour=one.colour, depth=one.depth
        )
        for one in choices
    )


def _listed(result: Result) -> ListedPage:
    return ListedPage(
        id=result.id,
        url=result.url,
        host=result.site,
        title=result.title,
        topic=result.topic or "",
        confidence=math.nan if result.confidence is None else result.confidence,
        probability=math.nan if result.probability is None else result.probability,
        found=result.found,
        changed=result.changed or result.found,
    )
