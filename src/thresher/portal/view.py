"""One request as a page sees it: the reader, language and theme, and how a template is rendered."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote, urlencode

import anyio.to_thread
import msgspec
from fastapi import Depends, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from thresher.accounts import Accounts
from thresher.config.settings import Settings
from thresher.portal.form_tokens import SESSION, VISITOR, form_token
from thresher.portal.fragments import topic_link
from thresher.portal.library import WEEK, Library
from thresher.portal.list_entries import list_entry
from thresher.portal.messages import LANGUAGES, Messages, messages_in, preferred
from thresher.portal.overview import TopicNode
from thresher.portal.own_keys import USUAL, keys_in
from thresher.portal.templating import badge, templates
from thresher.portal.wording import Sureness, Wording, sureness
from thresher.store.portal_records import LinkNumbers, ListedPage, Role, UserRow
from thresher.taxonomy.topic_tree import parsed
from thresher.tokens import new_token

THEMES: Final = ("system", "light", "dark")
LANGUAGE, THEME, KEYS, OWN_KEYS = "thresher_language", "thresher_theme", "thresher_keys", "thresher_own_keys"
"""Cookies that store a reader's preferences."""

FEED: Final = ".atom"
"""Suffix of the addresses for feed readers."""

AnyResponse = TypeVar("AnyResponse", bound=Response)

_REST: Final = Markup("<!--rest-->")
"""Where the rest of a page goes; texts in a page are escaped, so none contains it."""

_YEAR: Final = 365 * 86_400
_LONGEST_KEY: Final = 200


class RequestContext:
    """A request, and what a page needs to answer it."""

    def __init__(self, request: Request, library: Library, accounts: Accounts) -> None:
        self.request = request
        self.library = library
        self.accounts = accounts
        chosen = request.cookies.get(LANGUAGE, "")
        fallback = self.settings.portal.language
        self.language = (
            chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", ""), fallback)
        )
        self.messages: Messages = messages_in(self.language)
        self.wording = Wording(self.messages, library.clock())
        theme = request.cookies.get(THEME, "")
        self.theme = theme if theme in THEMES else "system"
        self.keys_on = request.cookies.get(KEYS) != "off"
        self.keys = keys_in(request.cookies.get(OWN_KEYS, ""))
        self.session = request.cookies.get(SESSION, "")
        self._visitor = request.cookies.get(VISITOR, "")
        self._made_visitor = ""

    @cached_property
    def user(self) -> UserRow | None:
        """The signed-in user, or the owner of the key in a feed request; None for anyone else."""
        found = self.accounts.who(self.session)
        if found is None and self.request.url.path.endswith(FEED) and self.request.method in ("GET", "HEAD"):
            return self.accounts.who_reads(self.request.query_params.get("key", "")[:_LONGEST_KEY])
        return found

    @cached_property
    def settings(self) -> Settings:
        """The settings of the portal, the same throughout the request."""
        return self.library.settings

    @cached_property
    def title(self) -> str:
        """The name of the portal, the same throughout the request."""
        return self.library.title

    @property
    def changed_keys(self) -> str:
        """A JSON map from the reader's keys to the default keys; "" if the keys are the defaults."""
        if self.keys == USUAL:
            return ""
        return msgspec.json.encode({key: USUAL[action] for action, key in self.keys.items() if key}).decode()

    def say(self, key: str, **values: Any) -> Markup:
        """Return a message in the reader's language."""
        return self.messages.say(key, **values)

    def may(self, role: Role | str) -> bool:
        """Return whether the reader has a role."""
        return self.user is not None and self.user.role.includes(Role(role))

    @property
    def lobby(self) -> bool:
        """Whether the page is about a folder of portals rather than one of them."""
        return bool(getattr(self.request.app.state, "lobby", False))

    @property
    def may_set_up(self) -> bool:
        """Whether the reader may set up the portal."""
        return self.may(Role.ADMIN)

    @property
    def may_read(self) -> bool:
        """Whether the reader may see anything of the portal."""
        return self.user is not None or not self.settings.portal.private

    @property
    def secret(self) -> str:
        """The cookie that forms are bound to: that of the session if signed in, otherwise that of the visitor."""
        return self.session if self.user is not None else self._visitor

    @property
    def token(self) -> str:
        """The form token of this page; a visitor without a cookie gets one with the response."""
        if not self.secret and not self._made_visitor:
            self._made_visitor = new_token()
        return form_token(self.secret or self._made_visitor)

    @cached_property
    def here(self) -> str:
        """The path and query of this page."""
        query = self.request.url.query
        return self._path + (f"?{query}" if query else "")

    @property
    def sender(self) -> str:
        """The network address the request came from."""
        return self.request.client.host if self.request.client else ""

    def page(self, template: str, status: int = 200, **data: Any) -> HTMLResponse:
        """Render a template and return it as a response."""
        text = self.rendered(template, **data)
        return self._with_visitor(HTMLResponse(_encoded(text), status, headers=self._headers))

    def page_in_two(self, template: str, rest: Callable[[], str], **data: Any) -> Response:
        """Send a page up to the place of `rest` in its template at once, so that a browser can begin with it.

        The rest is computed in a thread meanwhile; it can no longer change the status or set a cookie.
        """
        begin, _, end = self.rendered(template, rest=_REST, **data).partition(_REST)
        return self._with_visitor(_InTwo(_encoded(begin), rest, _encoded(end), self._headers))

    def rendered(self, template: str, **data: Any) -> str:
        """Render a template as text."""
        return templates().get_template(template).render(view=self, t=self.say, w=self.wording, **data)

    @property
    def _headers(self) -> dict[str, str]:
        return {"content-language": self.language, "vary": "Cookie, Accept-Language"}

    def _with_visitor(self, response: AnyResponse) -> AnyResponse:
        if self._made_visitor:
            self.set_cookie(response, VISITOR, self._made_visitor, _YEAR)
        return response

    def go(self, address: str) -> RedirectResponse:
        """Return a redirect to another page of the portal."""
        return RedirectResponse(address, 303)

    def set_cookie(self, response: Any, name: str, value: str, seconds: int) -> None:
        """Set a cookie that scripts cannot read and other sites cannot send; 0 seconds removes it."""
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            httponly=True,
            samesite="lax" if name == SESSION else "strict",
            secure=self.request.url.scheme == "https",
            path="/",
        )

    def offers(self, path: str) -> bool:
        """Return whether the portal has a page at a path."""
        return path in self.request.app.state.paths

    @property
    def to_review(self) -> int:
        """The number of pages waiting for review."""
        return len(self.request.app.state.review_queue.open())

    @property
    def unanswered(self) -> int:
        """The number of open items in the inbox."""
        inbox = self.library.store.inbox
        proposed = sum(row.state == "open" for row in inbox.proposals())
        return proposed + sum(row.state == "open" for row in inbox.feedback())

    def node(self, topic: str | None) -> TopicNode | None:
        """Return a topic with its figures, or None if it is not in the tree."""
        return self._nodes.get(topic) if topic else None

    @cached_property
    def _nodes(self) -> Mapping[str, TopicNode]:
        """The topics with their figures, the same throughout the request."""
        return self.library.overview().nodes

    def topic_name(self, topic: str) -> str:
        """Return the name of a topic without its ancestors."""
        return _last_name(topic)

    def topic_line(self, topic: str) -> str:
        """Return the names from the top level down to a topic.

        Written paths are not for display, as slashes in names are escaped.
        """
        return " › ".join(parsed(topic))

    def colour(self, topic: str | None) -> int:
        """Return the number of a topic's colour, 0 for none."""
        node = self.node(topic)
        return node.colour if node else 0

    def topic_link(self, topic: str) -> Markup:
        """Return the link to a topic with its colour."""
        return topic_link(topic, self.topic_name(topic), self.colour(topic))

    def sure(self, probability: float | None) -> Sureness | None:
        """Return the word for a probability, or None if there is none."""
        return None if probability is None else sureness(probability)

    def badge(self, probability: float | None) -> Markup:
        """Return the word for a probability with its five steps, or nothing if there is no probability."""
        return badge(self.language, probability)

    def entry(self, page: ListedPage, links: LinkNumbers | None) -> Markup:
        """Return a page as a list entry."""
        topic, colour = self.topic_name(page.topic), self.colour(page.topic)
        return list_entry(self.language, page, links, topic, colour, new=self.is_new(page.found))

    def without(self, name: str, value: str) -> str:
        """Return the address of this page without one parameter value, starting at the first page of results."""
        kept = [found for found in self._parameters if found != (name, value)]
        query = urlencode([found for found in kept if found[0] != "page"])
        return self.request.url.path + (f"?{query}" if query else "")

    def drop_word(self, query: str, word: str) -> str:
        """Return a query without a word."""
        return " ".join(found for found in query.split() if found != word)

    def is_new(self, found: float) -> bool:
        """Return whether a page was found this week; False if all pages were, as the label would say nothing."""
        return found >= self._new_since

    @cached_property
    def _new_since(self) -> float:
        told = self.library.overview()
        return self.library.clock() - WEEK if told.new < told.pages else math.inf

    def with_query(self, **changes: Any) -> str:
        """Return the address of this page with some query parameters changed; None removes one."""
        kept = [(name, value) for name, value in self._parameters if name not in changes]
        added = [(name, str(value)) for name, value in changes.items() if value is not None]
        query = urlencode(kept + added)
        return self._path + (f"?{query}" if query else "")

    @cached_property
    def _parameters(self) -> list[tuple[str, str]]:
        return self.request.query_params.multi_items()

    @cached_property
    def _path(self) -> str:
        return quote(self.request.url.path, safe="/%:@!$&'()*+,;=~")


class _InTwo(Response):
    """A page whose middle is computed after its beginning was sent."""

    media_type = "text/html"

    def __init__(self, begin: bytes, rest: Callable[[], str], end: bytes, headers: Mapping[str, str]) -> None:
        super().__init__(headers=headers)
        # The length is not known yet.
        del self.headers["content-length"]
        self._begin, self._rest, self._end = begin, rest, end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the page."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self._begin, "more_body": True})
        rest = await anyio.to_thread.run_sync(self._rest)
        await send({"type": "http.response.body", "body": _encoded(rest) + self._end})


def _encoded(text: str) -> bytes:
    # Lone surrogates, which cannot be encoded, become question marks.
    return text.encode("utf-8", "replace")


@lru_cache(maxsize=4096)
def _last_name(topic: str) -> str:
    names = parsed(topic)
    return names[-1] if names else topic


def view_of(request: Request) -> RequestContext:
    """Return the view of a request, which is created once."""
    found: RequestContext | None = getattr(request.state, "view", None)
    if found is None:
        found = RequestContext(request, request.app.state.library, request.app.state.accounts)
        request.state.view = found
    return found


async def seen(request: Request) -> RequestContext:
    """Return the view of a request; the first dependency of every page.

    Dependencies are asynchronous, because starting a thread takes longer than they do.
    """
    return view_of(request)


Seen = Annotated[RequestContext, Depends(seen)]
