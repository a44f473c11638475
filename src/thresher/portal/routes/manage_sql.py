"""The read-only SQL console for experts."""

import csv
import io
from typing import Annotated, Any

import msgspec
from fastapi import Form, Query
from starlette.responses import Response

from thresher.errors import ThresherError
from thresher.portal.doors import Doors, Refused, cannot
from thresher.portal.twins import data
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work_faults import WorkFault, fault_of
from thresher.store.look_ups import QueryLimits, Table
from thresher.store.portal_records import Role
from thresher.store.repository import look_up

doors = Doors()

_LONGEST = 20_000
Sql = Annotated[str, Form(max_length=_LONGEST)]
SHOWN = 200
SAVED = 10_000


@doors.page("/manage/sql", needs=Role.ADMIN)
def manage_sql(view: Seen, q: Annotated[str, Query(max_length=_LONGEST)] = "") -> Response:
    """Show the query form; a query runs only when the form is sent, so no link from another site can start one."""
    return _page(view, q)


@doors.form("/manage/sql", needs=Role.ADMIN)
def run_sql(view: Seen, q: Sql = "") -> Response:
    """Show the result of a query."""
    try:
        return _page(view, q, look_up(view.library.portal, q, QueryLimits(rows=SHOWN)))
    except ThresherError as error:
        return _page(view, q, fault=fault_of(error.told()))


@doors.form("/manage/sql.{kind}", needs=Role.ADMIN)
def manage_sql_data(view: Seen, kind: str, q: Sql = "") -> Response:
    """Return the result of a query as data."""
    if kind not in ("json", "csv"):
        raise Refused(404, "error.missing", "error.missing_then")
    try:
        found = look_up(view.library.portal, q, QueryLimits(rows=SAVED))
    except ThresherError as error:
        raise cannot(error) from None
    if kind == "json":
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        return data(kind, msgspec.json.encode({"rows": rows, "more": found.more}), "query")
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(found.columns)
    writer.writerows([[_harmless(value) for value in row] for row in found.rows])
    return data(kind, out.getvalue(), "query")


def _page(view: RequestContext, q: str, found: Table | None = None, fault: WorkFault | None = None) -> Response:
    status = 400 if fault else 200
    return view.page(
        "manage_sql.html", status, here="sql", q=q, found=found, fault=fault, limits=QueryLimits(rows=SHOWN)
    )


def _harmless(value: Any) -> Any:
    """Return a cell value that no spreadsheet evaluates as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
