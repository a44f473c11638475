"""`thresher web generate` and `thresher web serve`: the generated web."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.admin_shapes import ServedSitesData, ServedWebData, WebData
from thresher.cli.main import CommandGroup, app
from thresher.cli.options import Json
from thresher.cli.output import console, hint, print_json
from thresher.cli.screen import bold
from thresher.simweb.manifest import load, write
from thresher.simweb.parameters import ENGLISH_LANGUAGES, LANGUAGES, MAX_GENERATION, Profile, WebParameters, Words
from thresher.simweb.server import run_server
from thresher.simweb.site_plan import SiteWebParameters
from thresher.simweb.site_web import SiteWeb
from thresher.simweb.web import Web

web = typer.Typer(
    help="Generate a web to crawl, and serve it.", cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(web, name="web")

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="Directory of the generated web.")]


@web.command(epilog="Example: thresher web generate my-web --pages 2000 --hosts 50 --seed 7")
def generate(
    directory: Directory,
    pages: Annotated[int, typer.Option("--pages", help="Number of pages.")] = 2000,
    hosts: Annotated[int, typer.Option("--hosts", help="Number of hosts.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    profile: Annotated[
        Profile,
        typer.Option(
            "--profile",
            help="mixed (all that goes wrong on the web), finite (no traps or duplicates) or clean (good pages only).",
        ),
    ] = "mixed",
    documents: Annotated[
        float, typer.Option("--documents", min=0.0, max=1.0, help="Share of pages that are PDF, Word or ZIP files.")
    ] = 0.0,
    words: Annotated[
        Words, typer.Option("--words", help="coined: made-up words. english: a readable web about real topics.")
    ] = "coined",
    json: Json = False,
) -> None:
    """Generate a web from a seed: writes its parameters and ground truth. Pages are rendered on request."""
    languages = ENGLISH_LANGUAGES[-1] if words == "english" else LANGUAGES
    parameters = WebParameters(
        pages=pages, hosts=hosts, seed=seed, profile=profile, documents=documents, words=words, languages=languages
    )
    planned = Web(parameters)
    write(planned, directory)
    if json:
        made: WebData = {"directory": str(directory), "pages": pages, "hosts": hosts, "topics": planned.topics()}
        print_json(made)
        return
    out = console()
    number = len(planned.topics())
    out.print(f"Planned {pages:,} pages on {hosts:,} hosts with {number} topics in ", bold(directory), ".")
    out.print("Serve it: ", bold(hint("web", "serve", directory, "--port", 8099)))


@web.command(epilog="Example: thresher web serve my-web --port 8099 --log access.jsonl")
def serve(
    directory: Directory,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 picks a free one.")] = 8099,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Access log, as JSON Lines.")] = None,
    generation: Annotated[
        int | None,
        typer.Option(
            "--generation",
            min=0,
            max=MAX_GENERATION,
            help="Age of the web; at each age some pages have changed and some are gone.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Serve a generated web on loopback under all its host names until Ctrl-C."""
    planned = load(directory, generation)

    def ready(bound: int) -> None:
        if json:
            served: ServedWebData = {"directory": str(directory), "port": bound, "start_pages": planned.start_pages()}
            print_json(served)
        else:
            out = console()
            out.print(
                f"Serving {directory} on 127.0.0.1:{bound}; press Ctrl-C to stop. Add to a portal's thresher.toml:"
            )
            out.print("[network.map]")
            out.print(f'"*.test" = "127.0.0.1:{bound}"')
            out.print(f"Start pages: {' '.join(planned.start_pages())}")

    run_server(planned, port, log, ready)


@web.command(epilog="Example: thresher web sites --port 8099 --bookmarks sites.html")
def sites(
    number: Annotated[int, typer.Option("--sites", help="Number of sites.")] = 2400,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    topics: Annotated[int, typer.Option("--topics", min=1, help="Topics in the bookmark file.")] = 1,
    bookmarks: Annotated[
        Path | None, typer.Option("--bookmarks", metavar="FILE", help="Write bookmarks of ten sites per topic to FILE.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 picks a free one.")] = 8099,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Access log, as JSON Lines.")] = None,
    json: Json = False,
) -> None:
    """Serve a generated web of many small sites on loopback, for trying `thresher sites`."""
    planned = SiteWeb(SiteWebParameters(sites=number, seed=seed))
    if bookmarks is not None:
        bookmarks.write_text(planned.bookmarks(planned.topics()[:topics]), encoding="utf-8")

    def ready(bound: int) -> None:
        if json:
            shown: ServedSitesData = {"port": bound, "topics": planned.topics(), "sites": number}
            print_json(shown)
        else:
            out = console()
            out.print(
                f"Serving {number:,} sites on 127.0.0.1:{bound}; press Ctrl-C to stop. Add to a portal's thresher.toml:"
            )
            out.print("[network.map]")
            out.print(f'"*.test" = "127.0.0.1:{bound}"')

    run_server(planned, port, log, ready)
