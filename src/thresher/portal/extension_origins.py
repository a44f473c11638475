"""Access for browser extensions, at the addresses made for them, but not for websites.

Browsers send a preflight OPTIONS request before an extension may send its key; it is answered here.
"""

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX: Final = "/browsing/"
"""Path prefix of the addresses for extensions."""

_EXTENSION: Final = re.compile(r"(chrome-extension|moz-extension)://[a-zA-Z0-9-]{1,64}")
_ALLOWED: Final = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "600",
}


class ExtensionOrigins:
    """Lets extensions read responses below `PREFIX`, and refuses requests from websites there.

    Requests without an origin come from programs outside a browser; they need the key as well.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        origin = Headers(scope=scope).get("origin") if scope["type"] == "http" else None
        if origin is None or not scope["path"].startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        if not _EXTENSION.fullmatch(origin):
            await Response(status_code=403)(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_ALLOWED)(scope, receive, _readable(send, origin))
            return
        await self._app(scope, receive, _readable(send, origin))


def _readable(send: Send, origin: str) -> Send:
    """Return a send function that lets an extension read the response."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            headers["access-control-allow-origin"] = origin
            headers.add_vary_header("origin")
        await send(message)

    return sending
