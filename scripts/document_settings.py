"""docs/SETTINGS.md: the tables of settings, from the typed model and its defaults; the prose around them stays."""

import re

from thresher.config.describe import descriptions
from thresher.config.load import defaults, flat

_TABLE = re.compile(r"^\| setting \| default \| meaning \|\n\| --- \| --- \| --- \|\n(?:\|.*\n)*", re.MULTILINE)
_HEADING = re.compile(r"^## `\[(\w+)\]`$", re.MULTILINE)


def settings_document(document: str) -> str:
    """Return the document with the tables of today; raises ValueError where a section has no heading."""
    parts = _HEADING.split(document)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    wanted = {key.partition(".")[0] for key in flat(defaults())}
    if missing := sorted(wanted - sections.keys()):
        raise ValueError(f"SETTINGS.md has no heading for: {', '.join(missing)}")
    made = [parts[0]]
    for section, text in sections.items():
        table = _table(section)
        made.append(f"## `[{section}]`" + (_TABLE.sub(lambda _, table=table: table, text, count=1) if table else text))
    return "".join(made)


def _table(section: str) -> str:
    meanings = descriptions()
    rows = [
        f"| `{key}` | `{shown(value)}` | {meanings[key]} |\n"
        for key, value in flat(defaults()).items()
        if key.partition(".")[0] == section
    ]
    return "| setting | default | meaning |\n| --- | --- | --- |\n" + "".join(rows) if rows else ""


def shown(value: object) -> str:
    """Return a default as a settings file has it.

    >>> shown(True), shown("a"), shown([])
    ('true', '"a"', '[]')
    """
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
