"""The peers' endpoint as an ASGI application: one path that accepts signed messages."""

from typing import Final

import msgspec
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from thresher.peers.messages import MEANING, MOST_BYTES, Refusal
from thresher.peers.responder import PeerResponder

STATUS: Final[dict[Refusal, int]] = {
    Refusal.TOO_LARGE: 413,
    Refusal.UNKNOWN_PEER: 403,
    Refusal.BLOCKED: 403,
    Refusal.FORGED: 403,
    Refusal.TOO_MANY: 429,
    Refusal.NO_SUCH_TOPIC: 404,
}
"""The HTTP status of a refusal; 400 for the others."""


def peer_app(responder: PeerResponder) -> Starlette:
    """Return an application that accepts messages at `/message`, to be mounted at `/peers`."""

    async def message(request: Request) -> Response:
        data = await _body(request)
        if isinstance(data, Refusal):
            return refused(data)
        sender = request.client.host if request.client else ""
        found = await run_sync(responder.answer, data, sender)
        return refused(found) if isinstance(found, Refusal) else Response(found, media_type="application/json")

    return Starlette(routes=[Route("/message", message, methods=["POST"])])


def alone(responder: PeerResponder) -> Starlette:
    """Return an application that serves peers and nothing else."""
    return Starlette(routes=[Mount("/peers", peer_app(responder))])


def refused(refusal: Refusal) -> Response:
    """Return the response for a refusal."""
    body = {"refused": refusal.value, "why": MEANING[refusal]}
    return Response(msgspec.json.encode(body), STATUS.get(refusal, 400), media_type="application/json")


async def _body(request: Request) -> bytes | Refusal:
    """Return the body of a request, up to the maximum message size."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return Refusal.TOO_LARGE
    except ClientDisconnect:
        return Refusal.MALFORMED
    return bytes(body)
