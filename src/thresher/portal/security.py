"""Response headers and request checks for security: the Host check and the limit on body size."""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)

COPY_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
"""For stored copies: no scripts, no requests, a separate origin."""

HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Without a referrer, browsers would also hide the origin of our own forms.
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}

MAX_BODY: Final = 64 * 1024
"""Size limit of a form in bytes."""

LARGER: Final = {
    "/start/import": 8 << 20,
    "/start/tidy": 1 << 20,
    "/peers/message": 2 << 20,
    "/browsing/sessions.json": 1 << 20,
}
"""Paths with larger limits: uploads, topic trees, peer models, and browsing sessions."""

_TOO_LARGE: Final = 413
_MISDIRECTED: Final = 421


def is_loopback(name: str) -> bool:
    """Return whether a host name refers to this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("[::1]"), is_loopback("evil.example")
    (True, True, True, False)
    """
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def host_name(field: str) -> str:
    """Return the name in a Host header, without its port.

    >>> host_name("a.test:8080"), host_name("[::1]:80"), host_name("A.test")
    ('a.test', '[::1]', 'a.test')
    """
    name = field.rpartition(":")[0] if ":" in field and not field.endswith("]") else field
    return name.lower()


class Shield:
    """Rejects requests for foreign hosts and large bodies, and adds the security headers to every response.

    Another site can make its own name resolve to this machine; without the check its pages could then read the portal
    as if it were their own.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), headers: Mapping[str, str] = HEADERS) -> None:
        self._app = app
        self._hosts = {host.lower() for host in hosts}
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        name = host_name(headers.get("host", ""))
        if not (is_loopback(name) or name in self._hosts):
            await self._refuse(_MISDIRECTED, "This address does not belong to the portal.", scope, receive, send)
            return
        length = headers.get("content-length", "0")
        most = LARGER.get(scope["path"], MAX_BODY)
        if not length.isascii() or not length.isdigit() or int(length) > most:
            await self._refuse(_TOO_LARGE, "The form is too large.", scope, receive, send)
            return
        await self._app(scope, _limited(receive, most), self._with_headers(send))

    async def _refuse(self, status: int, sentence: str, scope: Scope, receive: Receive, send: Send) -> None:
        response = PlainTextResponse(sentence + "\n", status, headers={"connection": "close"})
        await response(scope, receive, self._with_headers(send))

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        return sending


def _limited(receive: Receive, most: int) -> Receive:
    """Return a receive function that cuts off a body once it is too large, even if its length was not given."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > most:
                return {"type": "http.disconnect"}
        return message

    return receiving
