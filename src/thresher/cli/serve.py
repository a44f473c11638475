"""`thresher serve`: the portal in a browser."""

import webbrowser
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import thresher
from thresher.cli.admin_shapes import ServeData
from thresher.cli.main import app
from thresher.cli.options import Json
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold

if TYPE_CHECKING:
    # Importing it loads the web framework.
    from thresher.portal.serving import Website


@app.command(epilog="Example: thresher serve my-portal --port 8080")
def serve(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="Serve all portals in this directory; admins can add new ones."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; loopback by default.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 picks a free one.")] = 8080,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the portal in a browser.")] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=0, max=64, help="Server processes; 0 chooses a number for this portal and machine."
        ),
    ] = 0,
    json: Json = False,
) -> None:
    """Serve the portal as a website until Ctrl-C. Works while a crawl is running.

    If the portal has no accounts, a link to create the first one is printed. Schedules are carried out while it serves.
    """
    ready = partial(announce, folder or portal, open_browser=open_browser, json=json)
    thresher.serve(portal, folder=folder, host=host, port=port, workers=workers, ready=ready)


def announce(directory: Path | None, served: "Website", *, open_browser: bool = False, json: bool = False) -> None:
    """Print where a portal or a folder of portals is served, and open it in a browser if requested."""
    if json:
        shown: ServeData = {
            "portal": str(directory),
            "address": served.address,
            "first_account": served.first_account,
        }
        print_json(shown)
    else:
        console().print("Serving ", bold(directory), " at ", bold(served.address), "; press Ctrl-C to stop.")
        if served.first_account:
            console(stderr=True).print("No accounts yet. Create the first one: ", bold(served.first_account))
    if open_browser:
        webbrowser.open(served.first_account or served.address)
