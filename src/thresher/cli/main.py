"""The `thresher` command: finds the subcommand, turns errors into one sentence and an exit code."""

import importlib
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from thresher import __version__
from thresher.cli.output import print_error
from thresher.errors import ThresherError, UsageError
from thresher.faults import RequestUnfit, Unforeseen

EPILOG = (
    "Exit codes: 0 done · 1 error · 2 usage · 3 settings · 4 portal · 5 portal busy · 6 disk full · "
    "7 input · 8 plug-in · 130 interrupted"
)

INTERRUPTED = 130

_BROKEN_OFF = "Interrupted; completed work is kept."

_WrongWords: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for invalid arguments; it bundles its own click, whose classes have no public names."""


class CommandEntry(NamedTuple):
    """The module of this package that defines a command, and its line in `thresher --help`."""

    module: str
    summary: str


MODULES = {
    "new": CommandEntry("new", "Create a portal from bookmarks, topics, a folder or a query."),
    "topics": CommandEntry("topics", "Show or edit the topics."),
    "train": CommandEntry("train", "Fetch the training pages and train the topics on them."),
    "learn": CommandEntry("phases", "Crawl near the training pages for more training material."),
    "archetypes": CommandEntry("archetypes", "Choose crawled pages as training pages, and retrain."),
    "answers": CommandEntry("answers", "Show or apply what review decisions would change."),
    "harvest": CommandEntry("phases", "Crawl wherever the topics lead."),
    "history": CommandEntry("history", "Import browsing sessions from a browser's history, or forget them."),
    "sessions": CommandEntry("sessions", "List the browsing sessions, and fetch their pages."),
    "learn-paths": CommandEntry("learn_paths", "Learn which paths lead to the topics, from browsing or stored links."),
    "run": CommandEntry("run", "Do it all: train, learn, retrain, harvest."),
    "crawl": CommandEntry("crawl", "Crawl from the start pages until the budget is spent."),
    "resume": CommandEntry("crawl", "Continue the latest crawl where it stopped."),
    "refresh": CommandEntry("refresh", "Check whether the portal's pages have changed."),
    "ask": CommandEntry("ask", "Crawl for a query and show the pages that answer it."),
    "search": CommandEntry("search", "Search the portal's pages."),
    "similar": CommandEntry("search", "Show the pages most similar to a given page."),
    "neighbours": CommandEntry("search", "Show the pages that link to a page, and its links."),
    "profiles": CommandEntry("profiles", "Show saved searches, and feedback on results."),
    "index": CommandEntry("index", "Update the search index, or rebuild it."),
    "status": CommandEntry("status", "Show the progress of the latest crawl."),
    "report": CommandEntry("report", "Report what is new, what failed and what comes next."),
    "pages": CommandEntry("pages", "List the accepted pages, best first, or export them."),
    "sites": CommandEntry("sites", "Find whole websites; list, explain and review them."),
    "explain": CommandEntry("explain", "Explain how a URL was found, scored and classified."),
    "log": CommandEntry("log", "Print the crawl log: visits and events."),
    "features": CommandEntry("features", "Show the words that best identify a topic."),
    "rank": CommandEntry("rank", "Show the top hubs and authorities."),
    "reclassify": CommandEntry("reclassify", "Reclassify all stored pages."),
    "split": CommandEntry("split", "Divide a topic into sub-topics."),
    "filter": CommandEntry("filter", "Take doubtful pages out of their topics."),
    "dedupe": CommandEntry("dedupe", "Find near-duplicate pages and hide them."),
    "peers": CommandEntry("peers", "Exchange models with other portals."),
    "export": CommandEntry("archive", "Export the archive as one WARC file."),
    "import": CommandEntry("archive", "Import a WARC or ARC file for replay."),
    "serve": CommandEntry("serve", "Serve the portal as a website."),
    "users": CommandEntry("users", "List and edit the accounts of the web portal."),
    "config": CommandEntry("config", "Show the settings."),
    "doctor": CommandEntry("doctor", "Check the installation and a portal for problems."),
    "demo": CommandEntry("demo", "Build a portal from a generated web, in a minute."),
    "web": CommandEntry("web", "Generate a web to crawl, and serve it."),
    "bench": CommandEntry("bench", "Run benchmarks."),
}
"""The commands, in the order in which they are typically used; each registers itself when its module is imported."""


class _Commands(TyperGroup):
    """The command group; unlike typer's own, it prints a sentence when a command is interrupted."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C ends it with one sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo(_BROKEN_OFF, err=True)
            raise typer.Exit(INTERRUPTED) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in `thresher --help` order."""
        return [name for name in MODULES if name in self.commands]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one line about each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, MODULES[name].summary) for name in self.list_commands(ctx)])


class CommandGroup(TyperGroup):
    """A group of commands whose help shows the first sentence of each in full; typer would cut it off."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first sentence about each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _first_sentence(found.help)) for name, found in self.commands.items()])


def _first_sentence(text: str | None) -> str:
    """Return the first sentence or paragraph of a help text on one line.

    >>> _first_sentence("Serve it\\nfor ever. It works.")
    'Serve it for ever.'
    """
    paragraph = " ".join((text or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0]


app = typer.Typer(
    name="thresher",
    cls=_Commands,
    help="A focused crawler and portal builder: give it your bookmarks; wake up to a portal.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Build portals from the web."""
    if debug:
        os.environ["THRESHER_DEBUG"] = "1"
    if version:
        typer.echo(f"thresher {__version__}")
        raise typer.Exit


def commands(named: str | None = None) -> typer.Typer:
    """Return the app with the named command, or with all commands if none has that name.

    Only the module of that command is imported: others need numpy, which `status` does not.
    """
    wanted = {MODULES[named].module} if named in MODULES else {found.module for found in MODULES.values()}
    for module in sorted(wanted):
        importlib.import_module(f"thresher.cli.{module}")
    return app


def listing() -> typer.Typer:
    """Return the app with the names of all commands but without their modules: enough for help and completion."""
    known = {found.name for found in app.registered_commands} | {found.name for found in app.registered_groups}
    # A command without an explicit name is named after its function.
    known |= {found.callback.__name__ for found in app.registered_commands if found.callback and not found.name}
    for name, found in MODULES.items():
        if name not in known:
            app.command(name, help=found.summary)(_stand_in)
    return app


def _stand_in() -> None:
    """Do nothing: this is a placeholder for a command that is only listed."""


COMPLETION = "_THRESHER_COMPLETE"
"""The environment variable that asks for completions; another one has the words typed so far."""


def _needed(arguments: list[str]) -> None:
    """Import the modules that a call needs."""
    words = os.environ.get("COMP_WORDS", "").split()[1:] if COMPLETION in os.environ else arguments
    named = next((word for word in words if not word.startswith("-")), None)
    if named in MODULES:
        commands(named)
    elif named is None or COMPLETION in os.environ:
        listing()
    else:
        commands()


def _sentence(wrong: Exception) -> str:
    message = getattr(wrong, "format_message", lambda: str(wrong))()
    # Validators of option values also use wording for programmers.
    message = (
        message.replace("Value error, ", "").partition(", unable to parse")[0].replace(": Input should", ": it should")
    )
    return message if message.endswith((".", "?", ")")) else f"{message}."


def call(arguments: list[str], on_error: Callable[[ThresherError], None] | None = None) -> int:
    """Run one command and return its exit code; errors are printed and passed to `on_error`, never raised."""
    as_json = "--json" in arguments
    try:
        _needed(arguments)
        code = app(args=arguments, prog_name="thresher", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except typer.Exit as done:
        return done.exit_code
    except _WrongWords as wrong:
        context: typer.Context | None = getattr(wrong, "ctx", None)
        if type(wrong).__name__ == "NoArgsIsHelpError" and context is not None:
            typer.echo(context.get_help())
            return UsageError.exit_code
        where = context.command_path if context else "thresher"
        error: ThresherError = UsageError(_sentence(wrong), f"See: {where} --help", RequestUnfit())
    except SystemExit:
        # The console exits like this when the reader of a pipe has closed it.
        return 0
    except (typer.Abort, KeyboardInterrupt):
        typer.echo(_BROKEN_OFF, err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has closed it; Python must not complain about that at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ThresherError as caught:
        error = caught
    except Exception as bug:
        message = f"Unexpected error: {type(bug).__name__}: {bug}"
        error = ThresherError(message, "Run again with --debug for details.", Unforeseen())
        if os.environ.get("THRESHER_DEBUG"):
            raise
    if os.environ.get("THRESHER_DEBUG"):
        import traceback

        traceback.print_exc()
    print_error(error, as_json)
    if on_error is not None:
        on_error(error)
    return error.exit_code
