"""Managing sites: the list from the last run, the details of one, review with one key, and finding more."""

from typing import Annotated, Final
from urllib.parse import urlencode

import msgspec
from fastapi import Form, Query
from starlette.responses import Response

from thresher.exports.site_files import site_lines, site_object
from thresher.portal.changes import noted
from thresher.portal.doors import Doors, Refused
from thresher.portal.routes.crawl import live_of, times_of
from thresher.portal.routes.work import bench_of
from thresher.portal.twins import data
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.runs.site_explanation import SiteExplanation, explain_site
from thresher.runs.site_verdicts import sites_of
from thresher.runs.sites import bookmarked_sites
from thresher.site_types import SiteRow, SiteState, SiteVerdict
from thresher.store.crawl_history import newest_of
from thresher.store.decisions import DeedRow
from thresher.store.portal_records import Role
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.work_records import WorkKind, WorkRow

doors = Doors()

ON_PAGE: Final = 50
LEARN: Final = ("learn",)
TOLD: Final = (SiteState.RELEVANT, SiteState.IRRELEVANT)
"""States in which a site can be accepted or rejected."""

Topic = Annotated[str, Query(max_length=2000)]
Site = Annotated[str, Query(max_length=500)]
Done = Annotated[int, Query(ge=0, lt=1 << 62)]
Field = Annotated[str, Form(max_length=2000)]


@doors.page("/manage/sites", needs=Role.REVIEWER)
def manage_sites(
    view: Seen,
    topic: Topic = "",
    state: Annotated[str, Query(max_length=20)] = SiteState.RELEVANT,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    done: Done = 0,
) -> Response:
    """Show the sites of the last run, filtered by topic and state."""
    return _list(view, topic, state, page, done)


@doors.page("/manage/sites.{kind}", needs=Role.REVIEWER)
def sites_data(
    view: Seen, kind: str, topic: Topic = "", state: Annotated[str, Query(max_length=20)] = SiteState.RELEVANT
) -> Response:
    """Return the listed sites as data, with the pages that were read as evidence."""
    crawl = newest_of(view.library.store, CrawlKind.SITES)
    rows = _rows(view, crawl, topic, state)
    if kind == "json":
        return data(
            kind, msgspec.json.encode({"sites": [site_object(row) for row in rows], "total": len(rows)}), "sites"
        )
    if kind not in ("csv", "html"):
        raise Refused(404, "error.missing", "error.missing_then")
    pages = view.library.store.sites.pages
    found = [(row, pages(crawl.id, row.site)) for row in rows] if crawl else []
    return data(kind, "".join(site_lines(f".{kind}", found)), "sites")


@doors.page("/manage/sites/show", needs=Role.REVIEWER)
def show_site(view: Seen, site: Site = "", done: Done = 0) -> Response:
    """Show the pages read from a site, and its probability after each page."""
    return view.page("manage_site.html", here="sites", told=_story(view, site), review=False, last=_deed(view, done))


@doors.page("/manage/sites/review", needs=Role.REVIEWER)
def review_sites(view: Seen, topic: Topic = "", after: Site = "", site: Site = "", done: Done = 0) -> Response:
    """Show the next site to review, least certain first: the one `after` a skipped site, or a given `site`."""
    waiting = _undecided(view, topic)
    names = [row.site for row in waiting]
    place = names.index(site) if site in names else names.index(after) + 1 if after in names else 0
    following = waiting[place:] or waiting
    told = _story(view, following[0].site) if following else None
    return view.page(
        "manage_site.html",
        here="sites",
        told=told,
        review=True,
        topic=topic,
        left=len(waiting),
        last=_deed(view, done),
    )


@doors.form("/manage/sites/decide", needs=Role.REVIEWER)
def decide_site(
    view: Seen,
    site: Field = "",
    accepted: Annotated[bool, Form()] = False,
    topic: Field = "",
    review: Annotated[bool, Form()] = False,
) -> Response:
    """Accept or reject a site; other sites follow after the topics are retrained."""
    store, crawl = view.library.store, newest_of(view.library.store, CrawlKind.SITES)
    row = store.sites.get(crawl.id, site) if crawl else None
    if row is None or not row.topic:
        raise Refused(404, "sites.unknown", "sites.unknown_then")
    before = next((said for said in store.sites.verdicts() if said.site == site), None)
    after = SiteVerdict(site=site, topic=row.topic, accepted=accepted, home=row.home, at=view.library.clock())
    store.sites.say(after)
    number = noted(view, "site", site, before, after)
    if review:
        return view.go("/manage/sites/review?" + urlencode({"topic": topic, "after": site, "done": number}))
    return view.go("/manage/sites/show?" + urlencode({"site": site, "done": number}))


@doors.form("/manage/sites/run", needs=Role.ADMIN)
def run_sites(
    view: Seen,
    want: Annotated[int, Form(ge=0, le=1_000_000)] = 500,
    pages: Annotated[int, Form(ge=0, le=10_000_000)] = 20_000,
    fresh: Annotated[bool, Form()] = False,
) -> Response:
    """Look for sites, as background work."""
    numbers = ("--want", str(want), "--pages", str(pages))
    return _start(view, ("run", *numbers, *(["--fresh"] if fresh else [])))


@doors.form("/manage/sites/learn", needs=Role.ADMIN)
def learn_from_sites(view: Seen) -> Response:
    """Learn from the accepted and rejected sites and judge all sites again, as background work."""
    return _start(view, LEARN)


def _start(view: RequestContext, arguments: tuple[str, ...]) -> Response:
    name = view.user.name if view.user else ""
    found = bench_of(view).start(
        WorkRow(kind=WorkKind.SITES, asked=view.library.clock(), user=name, arguments=arguments)
    )
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return _list(view, "", SiteState.RELEVANT, 1, 0, 409, in_the_way=found)
    return view.go("/crawl" if arguments[0] == "run" else "/manage/sites")


def _list(
    view: RequestContext,
    topic: str,
    state: str,
    page: int,
    done: int,
    status: int = 200,
    in_the_way: InTheWay | None = None,
) -> Response:
    store = view.library.store
    crawl = newest_of(store, CrawlKind.SITES)
    rows = _rows(view, crawl, topic, state)
    last = max(1, -(-len(rows) // ON_PAGE))
    number = min(page, last)
    verdicts = {said.site: said for said in store.sites.verdicts()}
    running = bench_of(view).running(view.library.clock())
    return view.page(
        "manage_sites.html",
        status,
        here="sites",
        crawl=crawl,
        rows=rows[(number - 1) * ON_PAGE : number * ON_PAGE],
        total=len(rows),
        number=number,
        pages=last,
        topic=topic,
        topics=sorted({row.topic for row in store.sites.of_crawl(crawl.id) if row.topic}) if crawl else [],
        state=state,
        states=[found.value for found in SiteState],
        verdicts=verdicts,
        since=sum(said.at > _learnt(view, crawl) for said in verdicts.values()),
        left=len(_undecided(view, topic)),
        work=next((row for row in running if row.kind is WorkKind.SITES), None),
        in_the_way=in_the_way,
        times=times_of(view),
        last=_deed(view, done),
    )


def _learnt(view: RequestContext, crawl: CrawlRow | None) -> float:
    """Return when the judged sites were last learned from, 0 for never."""
    works = view.library.store.works.newest(100)
    done = [row.asked for row in works if row.kind is WorkKind.SITES and row.arguments == LEARN and row.code == 0]
    return max([*done, crawl.started if crawl else 0.0])


def _rows(view: RequestContext, crawl: CrawlRow | None, topic: str, state: str) -> list[SiteRow]:
    """Return the sites of a run with people's verdicts applied, most probable first; "all" includes all states."""
    if crawl is None:
        return []
    states = [SiteState(state)] if state in list(SiteState) else list(SiteState)
    own = bookmarked_sites(view.library.topics(), view.library.settings)
    return sites_of(view.library.store, crawl, states, topic or None, own)


def _undecided(view: RequestContext, topic: str) -> list[SiteRow]:
    """Return the sites that no person has judged, those closest to even odds first."""
    crawl = newest_of(view.library.store, CrawlKind.SITES)
    said = {verdict.site for verdict in view.library.store.sites.verdicts()}
    rows = sites_of(view.library.store, crawl, TOLD, topic or None) if crawl else []
    open_ = [row for row in rows if row.site not in said and row.topic]
    return sorted(open_, key=lambda row: (abs(row.posterior - 0.5), row.site))


def _story(view: RequestContext, site: str) -> SiteExplanation:
    store, crawl = view.library.store, newest_of(view.library.store, CrawlKind.SITES)
    told = explain_site(store, crawl, site) if crawl else None
    if told is None:
        raise Refused(404, "sites.unknown", "sites.unknown_then")
    return told


def _deed(view: RequestContext, number: int) -> DeedRow | None:
    row = view.library.store.deeds.get(number) if number else None
    return row if row is not None and row.kind == "site" else None
