"""Prints everything known about a site, for `thresher sites show` and `thresher explain --site`."""

from pathlib import Path
from typing import TYPE_CHECKING

from thresher.api.portal import Portal as OpenPortal
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold, dim

if TYPE_CHECKING:
    from thresher.runs.site_explanation import SiteExplanation


def show_site(portal: Path, site: str, json: bool) -> None:
    """Print what the latest run for sites knows about a site, as text or as one JSON object."""
    with OpenPortal.open(portal) as opened:
        told = opened.sites.explain(site)
    if json:
        print_json(told.to_dict())
    else:
        _print(told)


def _print(told: "SiteExplanation") -> None:
    """Print which pages of a site were read, how they were judged, and why the crawl left it."""
    out = console()
    out.print(bold(told.row.site), f"  {told.row.home}")
    out.print(f"  {told.sentence()}")
    if told.verdict is not None:
        said = "accepted" if told.verdict.accepted else "rejected"
        out.print(f"  You have {said} it for {told.verdict.topic}.")
    if told.found_on:
        out.print(f"  found on  {told.found_on}")
    if told.words:
        out.print(f"  words     {', '.join(told.words)}")
    for number, page in enumerate(told.pages, 1):
        said = "says too little" if page.relevance is None else f"on topic {page.relevance:.2f}"
        mark = " *" if page.url in told.best else ""
        out.print(
            f"  {number:3}  {said:15}  then {page.posterior:.2f}  ", page.title or page.url, dim(f"  {page.url}{mark}")
        )
