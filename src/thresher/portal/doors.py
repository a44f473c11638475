"""Declares pages with the role they need; every form is checked before it is read."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form
from msgspec.structs import replace
from starlette.responses import RedirectResponse, Response

from thresher.errors import ThresherError
from thresher.portal.brakes import RateLimit
from thresher.portal.form_tokens import fits
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work_faults import WorkFault, fault_of
from thresher.store.portal_records import Role

Handler = TypeVar("Handler", bound=Callable[..., Any])

DATA: Final = (".json", ".csv", ".atom", ".html", ".ris", ".bib", ".xml", ".gexf")
"""Suffixes of addresses meant for programs, which get a status instead of a page if access is denied."""


class Refused(Exception):
    """A refused request: a status, and the messages that say why and what to do.

    A `fault` is shown instead of the second message.
    """

    def __init__(self, status: int, what: str, then: str, fault: WorkFault | None = None, **values: Any) -> None:
        super().__init__(what)
        self.fault = fault
        self.status = status
        self.what = what
        self.then = then
        self.values = values


def cannot(error: ThresherError) -> Refused:
    """Return the answer to a request that ended in an error."""
    return Refused(400, "manage.cannot", "", fault_of(error.told()))


def broken(error: ThresherError) -> Refused:
    """Return the answer for an administrator to a request for which a file of the portal could not be used."""
    said = fault_of(error.told())
    told = f"{error.sentence} {error.remedy}".strip()
    return Refused(503, "manage.cannot", "", replace(said, sentence=told))


class Elsewhere(Exception):
    """A request that is answered with a redirect."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address

    def response(self) -> Response:
        """Return the redirect."""
        return RedirectResponse(self.address, 303)


class Doors(APIRouter):
    """Declares pages and forms.

    `needs` is the required role, None for everybody; `open` pages are shown even if the portal is private.
    """

    def page(self, path: str, *, needs: Role | None = None, open: bool = False) -> Callable[[Handler], Handler]:
        """Declare a handler for GET at a path."""
        return self._declared(path, ["GET", "HEAD"], needs, open, [Depends(allows(needs, open))])

    def form(
        self, path: str, *, needs: Role | None = None, open: bool = False, brake: str = ""
    ) -> Callable[[Handler], Handler]:
        """Declare a handler for POST at a path; `brake` names the rate limit."""
        checks = [Depends(allows(needs, open)), Depends(untampered)]
        if brake:
            checks.append(Depends(slowed(brake)))
        return self._declared(path, ["POST"], needs, open, checks)

    def keyed(self, path: str, method: str, *, needs: Role, brake: str) -> Callable[[Handler], Handler]:
        """Declare a handler for programs that have an account's key; the handler checks the key and the role.

        Cookies are not accepted, so no website can send anything on a reader's behalf.
        """
        return self._declared(path, [method], needs, False, [Depends(slowed(brake))])

    def _declared(
        self, path: str, methods: list[str], needs: Role | None, open: bool, checks: list[Any]
    ) -> Callable[[Handler], Handler]:
        access = "open" if open else needs.value if needs else "everyone"

        def declare(handler: Handler) -> Handler:
            for method in methods:
                self.add_api_route(
                    path,
                    handler,
                    methods=[method],
                    response_model=None,
                    dependencies=checks,
                    operation_id=handler.__name__,
                    openapi_extra={"x-access": access},
                    include_in_schema=method != "HEAD",
                )
            return handler

        return declare


def allows(needs: Role | None, open: bool) -> Callable[[RequestContext], Awaitable[None]]:
    """Return a check that the reader may see a page."""

    async def check(view: Seen) -> None:
        private = view.settings.portal.private and not open
        wanted = needs or (Role.READER if private else None)
        if wanted is None or view.may(wanted):
            return
        path = view.request.url.path
        if view.user is not None:
            raise Refused(403, "error.role", "error.role_then")
        if path.endswith(DATA):
            raise Refused(401, "error.sign_in", "error.sign_in_then")
        back = view.here if view.request.method in ("GET", "HEAD") else "/"
        raise Elsewhere("/sign-in?" + urlencode({"back": back}))

    return check


async def untampered(view: Seen, token: Annotated[str, Form()] = "") -> None:
    """Check that a form comes from one of our own pages, in the browser that requested it."""
    headers = view.request.headers
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin")
    foreign = origin is not None and origin.partition("://")[2] != headers.get("host", "")
    if foreign or site not in ("same-origin", "none") or not fits(view.secret, token):
        raise Refused(403, "error.token", "error.token_then")


def slowed(brake: str) -> Callable[[RequestContext], None]:
    """Return a check that an address does not send a form too often."""

    def check(view: Seen) -> None:
        limit: RateLimit = view.request.app.state.limits[brake]
        wait = limit.wait(view.sender)
        if wait > 0:
            raise Refused(429, "error.often", "error.often_then", n=max(1, round(wait / 60)))

    return check
