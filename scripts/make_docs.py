"""Writes the documents that are made from the code: `make docs`. With `--check` it only names those out of date."""

import sys
from collections.abc import Callable
from pathlib import Path

from scripts import document_modules
from scripts.document_api import api_document
from scripts.document_commands import commands_document
from scripts.document_settings import settings_document

DOCS = Path(__file__).parents[1] / "docs"

DOCUMENTS: dict[Path, Callable[[], str]] = {
    DOCS / "MODULES.md": document_modules.document,
    DOCS / "API.md": api_document,
    DOCS / "COMMANDS.md": lambda: commands_document((DOCS / "COMMANDS.md").read_text("utf-8")),
    DOCS / "SETTINGS.md": lambda: settings_document((DOCS / "SETTINGS.md").read_text("utf-8")),
}
"""Each document with what it should say. Where a document has prose of its own, only its tables are made anew."""


def main(arguments: list[str]) -> int:
    """Write or check all documents and return the exit code."""
    stale = [path for path, made in DOCUMENTS.items() if not path.exists() or path.read_text("utf-8") != made()]
    for path in stale:
        if "--check" in arguments:
            print(f"{path.name} is out of date: make docs")
        else:
            path.write_text(DOCUMENTS[path](), "utf-8")
            print(f"Wrote {path.name}.")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
