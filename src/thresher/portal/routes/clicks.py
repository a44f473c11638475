"""Records which results readers open, if the portal is set to; the data never leaves the portal."""

from typing import Annotated

from fastapi import Form
from msgspec.structs import replace
from starlette.responses import Response

from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id
from thresher.portal.view import Seen
from thresher.store.clicks import ClickRow

doors = Doors()

_LONGEST = 3600.0


@doors.form("/click", brake="clicks")
def click(
    view: Seen,
    q: Annotated[str, Form(max_length=2000)] = "",
    page: Annotated[str, Form(max_length=20)] = "",
    place: Annotated[int, Form(ge=1, le=100_000)] = 1,
    seconds: Annotated[float | None, Form(ge=0, allow_inf_nan=False)] = None,
) -> Response:
    """Record that a result was opened, or, with `seconds`, that the reader came back to the results."""
    id_ = page_id(page)
    if not view.library.settings.portal.clicks or id_ is None:
        raise Refused(404, "error.missing", "error.missing_then")
    reader = view.user.name if view.user else ""
    row = ClickRow(at=view.library.clock(), query=q.strip(), page=id_, place=place, reader=reader)
    clicks = view.library.store.clicks
    if seconds is None:
        clicks.add(row)
    else:
        clicks.returned(replace(row, seconds=min(seconds, _LONGEST)))
    return Response(status_code=204)
