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
        story = opened.sites.explain(site)
    if json:
        print_json(story.to_dict())
    else:
        _print(story)


def _print(story: "SiteExplanation") -> None:
    """Print which pages of a site were read, how they were judged, and why the crawl left it."""
    out = console()
    out.print(bold(story.row.site), f"  {story.row.home}")
    out.print(f"  {story.sentence()}")
    if story.verdict is not None:
        said = "accepted" if story.verdict.accepted else "rejected"
        out.print(f"  You have {said} it for {story.verdict.topic}.")
    if story.found_on:
        out.print(f"  found on  {story.found_on}")
    if story.words:
        out.print(f"  words     {', '.join(story.words)}")
    for number, page in enumerate(story.pages, 1):
        said = "says too little" if page.relevance is None else f"on topic {page.relevance:.2f}"
        mark = " *" if page.url in story.best else ""
        out.print(
            f"  {number:3}  {said:15}  then {page.posterior:.2f}  ", page.title or page.url, dim(f"  {page.url}{mark}")
        )
