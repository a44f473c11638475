"""Which programs in a browser may speak to the portal: extensions, at the addresses made for them, and no websites.

Browsers ask with OPTIONS before they let an extension send its key; that is answered here.
"""

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX: Final = "/browsing/"
"""Where extensions may ask."""

_EXTENSION: Final = re.compile(r"(chrome-extension|moz-extension)://[a-zA-Z0-9-]{1,64}")
_ALLOWED: Final = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "600",
}


class ExtensionOrigins:
    """Lets extensions read the answers below `PREFIX`, and refuses what websites ask there.

    Requests that name no origin are those of programs outside of a browser; they need the key like all others.
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
    """Return a way to send an answer that an extension may read."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            headers["access-control-allow-origin"] = origin
            headers.add_vary_header("origin")
        await send(message)

    return sending
