"""Writes docs/MODULES.md: what each module holds, taken from the first paragraph of its docstring.

Run it with `make docs`. A test fails when the document is out of date.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "thresher"
DOCUMENT = ROOT / "docs" / "MODULES.md"

HEAD = """# Modules

What each file holds, taken from its docstring by `make docs`. [ARCHITECTURE](ARCHITECTURE.md) tells how the
parts work together.
"""


def summary(file: Path) -> str:
    """Return the first paragraph of a module's docstring on one line; raises ValueError where it has none."""
    text = ast.get_docstring(ast.parse(file.read_text()))
    if not text:
        raise ValueError(f"{file.relative_to(ROOT)} has no docstring.")
    return " ".join(text.split("\n\n")[0].split())


def document() -> str:
    """Return the text of docs/MODULES.md."""
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if "rivals" not in file.parts]
    folders = sorted({file.parent for file in files}, key=lambda folder: folder.relative_to(PACKAGE).parts)
    parts = [HEAD]
    for folder in folders:
        name = f"{folder.relative_to(PACKAGE).as_posix()}/" if folder != PACKAGE else "thresher/"
        parts.append(f"\n## `{name}`\n\n{summary(folder / '__init__.py')}\n\n")
        modules = [file for file in files if file.parent == folder and file.name != "__init__.py"]
        if modules:
            rows = [f"| `{file.name}` | {_cell(summary(file))} |\n" for file in modules]
            parts.append("| file | what it holds |\n| --- | --- |\n" + "".join(rows))
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    DOCUMENT.write_text(document())
    sys.stdout.write(f"Wrote {DOCUMENT.relative_to(ROOT)}.\n")
