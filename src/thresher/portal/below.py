"""Serves a portal below a path, for sites with several portals; its pages need not know."""

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ADDRESS: Final = re.compile(rb'(\s(?:href|action|src|data-[a-z-]+)=\\?")/(?!/)')
"""A portal path in an HTML attribute. Quotation marks in texts are escaped, so nothing else matches.

In an event stream the quotation mark has a backslash before it.
"""


class Below:
    """Serves an application below a prefix such as `/p/tea` by rewriting the paths in its responses."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope["path"].removeprefix(self._prefix) or "/"
        raw = scope.get("raw_path", b"").removeprefix(self._prefix.encode()) or b"/"
        inner = {**scope, "path": path, "raw_path": raw, "app_root_path": self._prefix}
        await self._app(inner, receive, _Rewriting(send, self._prefix))


class _Rewriting:
    """Sends a response with rewritten paths: whole pages, events of a stream, and redirect headers."""

    def __init__(self, send: Send, prefix: str) -> None:
        self._send = send
        self._prefix = prefix
        self._start: Message | None = None
        self._body = b""
        self._kind = ""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._start is not None:
            await self._collect(message)
        elif self._kind == "text/event-stream":
            await self._send({**message, "body": self._changed(message.get("body", b""))})
        else:
            await self._send(message)

    async def _begin(self, message: Message) -> None:
        headers = MutableHeaders(raw=message.setdefault("headers", []))
        place = headers.get("location", "")
        if place.startswith("/"):
            headers["location"] = self._prefix + place
        self._kind = headers.get("content-type", "").partition(";")[0]
        if self._kind == "text/html" and "sandbox" not in headers.get("content-security-policy", ""):
            self._start = message
        else:
            await self._send(message)

    async def _collect(self, message: Message) -> None:
        assert self._start is not None
        self._body += message.get("body", b"")
        if message.get("more_body"):
            return
        body = self._changed(self._body)
        if Headers(raw=self._start["headers"]).get("content-length") != "0" and self._body:
            MutableHeaders(raw=self._start["headers"])["content-length"] = str(len(body))
        await self._send(self._start)
        self._start = None
        await self._send({"type": "http.response.body", "body": body})

    def _changed(self, body: bytes) -> bytes:
        return _ADDRESS.sub(rb"\g<1>" + self._prefix.encode() + b"/", body)
