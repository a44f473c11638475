"""Maps the errors of an exchange to reasons."""

import asyncio
import errno
import ssl

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from thresher.reasons import Reason
from thresher.web.resolver import AddressRefused

_REASONS: tuple[tuple[type[BaseException], Reason], ...] = (
    (AddressRefused, Reason.ADDRESS_FORBIDDEN),
    (aiohttp.ClientConnectorDNSError, Reason.DNS_FAILED),
    (aiohttp.ClientSSLError, Reason.TLS_FAILED),
    (ssl.SSLError, Reason.TLS_FAILED),
    (asyncio.TimeoutError, Reason.TIMEOUT),
    (aiohttp.ClientConnectorError, Reason.CONNECT_FAILED),
    (aiohttp.InvalidURL, Reason.BAD_URL),
    (HttpProcessingError, Reason.PROTOCOL_ERROR),
    (aiohttp.ClientResponseError, Reason.PROTOCOL_ERROR),
    (aiohttp.ClientPayloadError, Reason.CONNECTION_LOST),
    (aiohttp.ServerDisconnectedError, Reason.CONNECTION_LOST),
    (OSError, Reason.CONNECTION_LOST),
    (aiohttp.ClientConnectionError, Reason.CONNECTION_LOST),
    (UnicodeError, Reason.BAD_URL),
)


_NO_FILES = frozenset({errno.EMFILE, errno.ENFILE})


def reason_for(error: BaseException) -> Reason:
    """Return the reason for a network exception; an unknown one is a protocol error.

    aiohttp wraps connection errors in its own, so the inner error is checked first.

    >>> reason_for(ConnectionResetError()).value, reason_for(TimeoutError()).value
    ('connection-lost', 'timeout')
    """
    inside = getattr(error, "os_error", None) if isinstance(error, aiohttp.ClientConnectorError) else None
    if getattr(inside or error, "errno", None) in _NO_FILES:
        return Reason.NO_ROOM
    if isinstance(inside, AddressRefused | ssl.SSLError | TimeoutError):
        error = inside
    return next((reason for kind, reason in _REASONS if isinstance(error, kind)), Reason.PROTOCOL_ERROR)
