"""`thresher explain`: the story of one URL."""

from datetime import datetime
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import bold
from thresher.cli.site_story import show_site
from thresher.reasons import MEANING, NEXT_RUN, Unmet
from thresher.store.decisions import DecisionKind
from thresher.store.explain import Explanation
from thresher.store.explanation_data import explanation_data
from thresher.store.page_records import DuplicateKind, VisitRow
from thresher.store.records import CrawlKind
from thresher.store.url_records import UrlState
from thresher.text.words import words
from thresher.types import Judgement
from thresher.web.urls import INSIDE, is_member

_MOVED = 0.001
"""Smallest difference between a stored and a recomputed priority that is reported."""

_DIGITS = 3

_REPEATS = {
    DuplicateKind.DIGEST: "same text as {url}",
    DuplicateKind.NEAR: "nearly the same text as {url} ({bits} simhash bits differ)",
    DuplicateKind.CANONICAL: "its canonical URL is {url}",
}


@app.command(epilog="Example: thresher explain my-portal http://www.example.org/page.html")
def explain(
    portal: Portal,
    url: Annotated[str, typer.Argument(metavar="[URL]", help="URL to explain.")] = "",
    crawl: Annotated[int | None, typer.Option("--crawl", help="Number of the crawl; the latest by default.")] = None,
    site: Annotated[str | None, typer.Option("--site", metavar="SITE", help="Explain a whole site instead.")] = None,
    json: Json = False,
) -> None:
    """Explain how a URL was found, scored, fetched, stored and classified, or why it was not."""
    if site is not None:
        show_site(portal, site, json)
        return
    with OpenPortal.open(portal) as opened:
        story = opened.explain(url, crawl=crawl)
    if json:
        print_json(explanation_data(story))
    else:
        _print(story)


def _print(story: Explanation) -> None:
    out = console()
    out.print(bold(story.url))
    for heading, lines in (
        ("found", _found(story)),
        ("scored", _scored(story)),
        ("decided", _decided(story)),
        ("fetched", [_visited(visit) for visit in story.visits] or ["never"]),
        ("stored", _stored(story)),
        ("judged", _judged(story)),
        ("moved", _moved(story)),
        ("reviewed", _reviewed(story)),
    ):
        for number, line in enumerate(lines):
            out.print(f"  {(heading if number == 0 else ''):9}{line}")


def _found(story: Explanation) -> list[str]:
    taken = (
        []
        if story.inherited is None
        else [f"inherited from the learning crawl (#{story.inherited}), which had fetched it"]
    )
    return [*_met(story), *taken]


def _met(story: Explanation) -> list[str]:
    if story.row is None:
        seen = [f"{counted(len(story.inlinks), 'link')} to it on stored pages."] if story.inlinks else []
        return ["No crawl has seen this URL.", *seen]
    candidate = story.row.candidate
    if candidate.parent is None:
        return ["start page"]
    far = f"{counted(candidate.depth, 'hop')} from the start pages"
    if story.kind == CrawlKind.REFRESH and not candidate.hops:
        return [f"known from an earlier crawl: link on {candidate.parent}, {far}"]
    if is_member(story.url, candidate.parent):
        return [f"'{candidate.anchor[:80]}' in the archive {candidate.parent}, {far}"]
    how = "redirected from" if candidate.hops else f"link '{candidate.anchor[:80]}' on"
    lines = [f"{how} {candidate.parent}, {far}"]
    if len(story.path) > 2:
        lines.append("path: " + " → ".join(step.candidate.url for step in story.path))
    return lines


def _scored(story: Explanation) -> list[str]:
    if story.row is None:
        return ["-"]
    candidate = story.row.candidate
    priority = ", ".join(f"{value:.4g}" for value in candidate.priority) or "none"
    queue = f" in queue '{candidate.queue}'" if candidate.queue else ""
    parts = [_part(feature, value, adds) for feature, value, adds in story.account if round(adds, _DIGITS)]
    now = sum(adds for _, _, adds in story.account)
    if story.account and candidate.priority and abs(now - candidate.priority[0]) > _MOVED:
        parts.append(
            f"= {now:.4g} if scored now: the strategy has learned more since, or the link was moved up because a good "
            "hub links to it"
        )
    return [f"priority {priority} by {story.strategy}{queue}", *parts]


def _part(feature: str, value: float, adds: float) -> str:
    """Return what a feature adds to the priority, with its weight and value unless it counts in full."""
    weighed = "" if value == adds or not value else f" ({adds / value:.3g} × {value:.{_DIGITS}f})"
    return f"{adds:+.{_DIGITS}f} {feature}{weighed}"


def _decided(story: Explanation) -> list[str]:
    if story.row is None:
        verdict = {True: "allows it", False: "disallows it", None: "is not known yet"}[story.robots_allow]
        return [f"The site's robots.txt {verdict}."]
    row = story.row
    inside = is_member(story.url, row.candidate.parent)
    later = "Waiting for the next run." if row.reason in NEXT_RUN else "Waiting to be fetched."
    lines = {
        UrlState.WAITING: later,
        UrlState.DONE: "Read as part of its archive." if inside else "Fetched and read.",
        UrlState.REDIRECTED: "Fetched; it redirects elsewhere.",
        UrlState.FAILED: "Part of its archive." if inside else f"Failed after {counted(row.tries, 'try', 'tries')}.",
        UrlState.REFUSED: "Not read." if inside else "Not fetched.",
        UrlState.CUT: "Dropped from the queue.",
    }
    why = [f"{row.reason.value}: {MEANING[row.reason]}"] if row.reason else []
    if row.state is UrlState.WAITING and not row.reason:
        why += _behind(story)
    if story.host is not None and story.host.closed:
        why.append(
            f"Its host is closed: {story.host.closed.value}, {counted(story.host.failures, 'failure')} in a row."
        )
    elif story.host is not None and story.host.delay:
        why.append(f"Its host gets at most one request every {story.host.delay:g} s.")
    return [lines[row.state], *why]


def _behind(story: Explanation) -> list[str]:
    """Return why a URL is not fetched yet although its host may be free; empty if it is only waiting for its turn."""
    if story.host is not None and story.host.fetched:
        gave = f"{story.host.accepted:,} of {counted(story.host.fetched, 'page')}"
        return [f"Better pages come first. Its host has had {gave} accepted, which also counts."]
    if story.withheld:
        return [f"Better pages come first: the crawl leaves {counted(story.withheld, 'host')} idle to wait for them."]
    return []


def _visited(visit: VisitRow) -> str:
    parts = [_moment(visit.at), visit.outcome, str(visit.status or ""), visit.reason.value if visit.reason else ""]
    parts += [f"to {visit.to}" if visit.to else "", f"{visit.size:,} bytes" if visit.size else "", visit.mime]
    parts += [f"{visit.seconds:.2f} s", visit.detail]
    return " ".join(part for part in parts if part)


def _stored(story: Explanation) -> list[str]:
    document = story.document
    repeated = [_REPEATS[row.kind].format(url=row.original_url, bits=row.distance) for row in story.duplicates]
    if story.members:
        named = [story.members[0].rpartition(INSIDE)[2], *(["..."] if len(story.members) > 1 else [])]
        return [f"{counted(len(story.members), 'document')} in it: {', '.join(named)}"]
    if document is None:
        return repeated or ["no"]
    title = document.title or "(no title)"
    gone = [] if document.gone is None else [f"gone since {_moment(document.gone)}; this is the last stored copy"]
    size = f"{counted(len(words(document.text)), 'word')}, {counted(len(document.links), 'link')}"
    said = [document.preview] if document.preview else []
    asked = [f"Robots directives of the page: {', '.join(document.robots)}."] if document.robots else []
    reserved = [f"Rights reserved by the site: {', '.join(document.opt_outs)}."] if document.opt_outs else []
    about = [", ".join(f"{name} {value}" for name, value in document.about.items())] if document.about else []
    return [f"'{title[:120]}', {size}, {document.language}", *said, *about, *gone, *repeated, *asked, *reserved]


def _judged(story: Explanation) -> list[str]:
    page = story.document
    judged = page.judgement if page else None
    if page is None or judged is None:
        return []
    sums, rest = [], []
    if judged.border is not None:
        words_say = judged.confidence + judged.border
        sums = [f"word score {words_say:+.2f}, bias {-judged.border:+.2f}"]
        rest = [f"other words {words_say - sum(weight for _, weight in judged.evidence):+.2f}"]
    verdict = f"topic {' > '.join(judged.path)}" if judged.topic is not None else _rejected(judged, page.language)
    said = judged.rejection is not None and judged.rejection.rule is Unmet.BELOW_THRESHOLD
    confidence = "" if said else f"confidence {judged.confidence:.3g}, "
    by = f"{confidence}probability {judged.probability:.2f}, by model {judged.model}"
    grounds = [*(f"{word} {weight:+.2f}" for word, weight in judged.evidence), *rest]
    return ["; ".join([verdict, *sums, by]), *([f"words: {', '.join(grounds)}"] if judged.evidence else [])]


def _reviewed(story: Explanation) -> list[str]:
    row = story.decision
    if row is None:
        return []
    said = {
        DecisionKind.RIGHT: f"right in {row.topic}",
        DecisionKind.REMOVED: "removed with the page that led to it",
        DecisionKind.MOVED: f"moved from {row.shown} to {row.topic}" if row.shown else f"moved to {row.topic}",
    }
    return [f"{said.get(row.kind, 'irrelevant')}, decided by a person on {_moment(row.at)}"]


def _moved(story: Explanation) -> list[str]:
    return [f"from {move.before} to {move.after}, by a {step.kind} on {_moment(step.at)}" for step, move in story.moves]


def _rejected(judged: Judgement, language: str) -> str:
    """Return the rule by which every topic rejected a page."""
    why = judged.rejection
    if why is None:
        return "rejected by every topic"
    rule = {
        Unmet.BELOW_THRESHOLD: f"confidence {judged.confidence:.3g} is not above the threshold {why.needed:g}",
        Unmet.TOO_FEW_FEATURES: f"it has {why.found} known features, {why.needed:g} are required",
        Unmet.LANGUAGE: f"its language ({language}) is not one the topic accepts",
        Unmet.INDICATORS_MISSING: f"it has {why.found} of the topic's indicator words, {why.needed:g} are required",
        Unmet.PEERS_DISAGREE: (
            f"with the opinions of peers its confidence {judged.confidence:.3g} is not above {why.needed:g}"
        ),
    }
    return f"rejected: closest topic {why.topic}, {rule[why.rule]}"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(sep=" ", timespec="seconds")
