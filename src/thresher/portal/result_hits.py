"""Search results as HTML.

A page shows twenty results with thirty values each. As a template they would take longer than the search itself. All
texts are escaped here.
"""

from collections.abc import Sequence
from functools import cache
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec import Struct

from thresher.portal.finding import ScorePart, marked
from thresher.portal.fragments import escaped, score_part, where
from thresher.portal.ids import page_name
from thresher.portal.messages import messages_in
from thresher.portal.view import RequestContext
from thresher.search.results import Result
from thresher.store.page_records import ReviewState


def result_hit(view: RequestContext, result: Result, parts: Sequence[ScorePart]) -> Markup:
    """Return a search result as a list entry; `parts` are those of its score."""
    words, wording, name = _words(view.language), view.wording, page_name(result.id)
    kind = f"{escaped(wording.kind(result.mime))} · " if result.mime else ""
    similar = urlencode({"q": f"similar:{result.url}"})
    return _markup(
        f'<article class="hit">{where(result.url, result.site)}\n'
        f'<h3><a href="/d/{name}"><bdi>{escaped(result.title or result.url)}</bdi></a></h3>\n'
        f'{_snippet(result)}<div class="meta">{view.topic_link(result.topic) if result.topic else ""}'
        f"{view.badge(result.probability)}{_state(view, result)}\n"
        f"<span>{kind}{escaped(wording.size(result.size))} · {escaped(wording.day(result.found))}</span>\n"
        f'<span class="acts"><a href="/d/{name}/copy" data-key="c">{words.copy}</a>'
        f'<a href="/search?{escaped(similar)}" data-key="s">{words.similar}</a></span>\n'
        f'<details class="fold"><summary data-key="w">{words.why}</summary><div class="why"><table><tbody>'
        f"{''.join(score_part(view.language, part.name, part.value, part.weight, part.points) for part in parts)}"
        f'<tr class="sum"><td>{words.together}</td><td></td><td></td>'
        f'<td class="num">{escaped(wording.number(result.score, 3))}</td></tr></tbody></table>'
        f'<p class="tiny muted gap-s">{words.out_of_place} '
        f'<a href="/feedback?page={name}">{words.tell}</a></p></div></details></div>\n'
        f"{_folded(view, result)}</article>"
    )


class _Words(Struct, frozen=True):
    """The messages that every result has."""

    copy: str
    similar: str
    why: str
    together: str
    out_of_place: str
    tell: str


@cache
def _words(language: str) -> _Words:
    say = messages_in(language).say
    keys = ("list.copy", "list.similar", "list.why", "part.together", "search.out_of_place", "search.tell")
    return _Words(*(str(say(key)) for key in keys))


def _snippet(result: Result) -> str:
    if not result.snippet.text:
        return ""
    language = f' lang="{escaped(result.language)}"' if result.language else ""
    return f'<p dir="auto"{language}>{marked(result.snippet)}</p>\n'


def _state(view: RequestContext, result: Result) -> str:
    if result.state != ReviewState.UNREVIEWED:
        return f'<span class="tag good">{view.say(f"state.{result.state}")}</span>'
    return f'<span class="tag acc">{view.say("list.new")}</span>' if view.is_new(result.found) else ""


def _folded(view: RequestContext, result: Result) -> str:
    """Return the links to the pages that were folded into a result."""
    links: list[str] = []
    if result.more:
        address = escaped(view.with_query(site=result.site, page=None))
        links.append(f'<a href="{address}">{view.say("search.more", n=result.more, site=result.site)}</a>')
    if result.repeats:
        address = escaped(view.with_query(unfold="true", page=None))
        links.append(f'<a href="{address}">{view.say("search.repeats", n=result.repeats)}</a>')
    return f'<p class="more muted">{" ".join(links)}</p>\n' if links else ""


def _markup(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - every text in it has been escaped
