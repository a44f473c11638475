"""Pages as list entries in HTML, cached; all texts are escaped here."""

from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from thresher.portal.fragments import escaped, topic_link, where
from thresher.portal.ids import page_name
from thresher.portal.messages import messages_in
from thresher.portal.templating import badge
from thresher.portal.wording import Wording
from thresher.store.portal_records import LinkNumbers, ListedPage

_LENGTH: Final = 300
_LEEWAY: Final = 20
_CUT: Final = " …"


@lru_cache(maxsize=5000)
def list_entry(
    language: str, page: ListedPage, links: LinkNumbers | None, topic: str, colour: int, *, new: bool
) -> Markup:
    """Return a page as a list entry; `topic` is the short name of its topic."""
    say, name = messages_in(language).say, page_name(page.id)
    topic_and_sure = f"{topic_link(page.topic, topic, colour)}{badge(language, page.probability)}"
    tag = f'<span class="tag acc">{say("list.new")}</span>\n' if new else ""
    similar = urlencode({"q": f"similar:{page.url}"})
    return Markup(  # noqa: S704 - every text in it has been escaped
        f'<article class="hit">{where(page.url, page.host)}\n'
        f'<h3><a href="/d/{name}"><bdi>{escaped(page.title or page.url)}</bdi></a></h3>\n'
        f'{_preview(page)}<div class="meta">{topic_and_sure}\n'
        f"{tag}<span>{_facts(language, page, links)}</span>\n"
        f'<span class="acts"><a href="/d/{name}/copy" data-key="c">{say("list.copy")}</a>'
        f'<a href="/search?{escaped(similar)}" data-key="s">{say("list.similar")}</a>'
        f'<a href="/d/{name}#why" data-key="w">{say("list.why")}</a></span></div></article>\n'
    )


def _preview(page: ListedPage) -> str:
    if not page.preview:
        return ""
    language = f' lang="{escaped(page.language)}"' if page.language else ""
    return f'<p dir="auto"{language}>{escaped(_shortened(page.preview))}</p>\n'


def _facts(language: str, page: ListedPage, links: LinkNumbers | None) -> str:
    messages = messages_in(language)
    wording = Wording(messages, 0.0)
    cited = [messages.say("list.cited", n=links.cited)] if links and links.cited else []
    kind = [escaped(wording.kind(page.mime))] if page.mime != "text/html" else []
    return " · ".join([*cited, *kind, escaped(wording.day(page.changed))])


def _shortened(text: str) -> str:
    """Cut a long text at a space; an ellipsis in the text at that place is not repeated.

    >>> _shortened("green tea " * 40)[-12:], _shortened("x" * 290 + " tea. … " + "green " * 20)[-7:]
    (' tea green …', ' tea. …')
    """
    if len(text) <= _LENGTH + _LEEWAY:
        return text
    return text[: _LENGTH - len(_CUT)].rsplit(" ", 1)[0].removesuffix(_CUT) + _CUT
