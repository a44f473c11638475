"""`thresher bench webs` and `thresher bench strategies`: the webs and strategies that can be compared."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.oracle import NAME as ORACLE
from thresher.bench.webs.catalogue import expanded, find, web_names
from thresher.bench.webs.web import BenchWeb
from thresher.cli.bench_shapes import ParameterRow, StrategyList, StrategyRow, WebRow, Webs, WebTopic
from thresher.cli.options import Data, Json, Quick
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import InputError
from thresher.plugins import free_parameters, meaning, strategy_names


def webs(
    web: Annotated[str | None, typer.Argument(metavar="[WEB]", help="Web whose topics to list.")] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """List the benchmark webs with their pages, labels and data digests, or the topics of one."""
    del quick  # Listing is quick.
    topics: list[WebTopic] = []
    if web is None:
        rows = [_row(name, data) for name in web_names()]
    else:
        rows = []
        for name in expanded(web):
            found = find(name, data)
            rows.append(_known(name, found))
            topics += [{"web": name, "topic": topic, "pages": pages} for topic, pages in found.topics.items()]
    if json:
        listed: Webs = {"webs": rows} if web is None else {"webs": rows, "topics": topics}
        print_json(listed)
        return
    out = console()
    width = max(len(row["web"]) for row in rows) + 2
    out.print(f"{'web':<{width}}  pages  labelled  topics  data digest")
    for row in rows:
        figures = f"{row['pages']:>7,}{row['labelled']:>10,}{row['topics']:>8,}  {row['digest']}  "
        out.print(f"{row['web']:<{width}}{('' if row['digest'] is None else figures)}{row['note']}".rstrip())
    for topic in topics:
        out.print(f"{topic['pages']:>7,}  {topic['web']:<{width}}{topic['topic']}")


def _row(name: str, data: Path | None) -> WebRow:
    """Return what is known about a web; if its data is missing, why."""
    try:
        return _known(name, find(name, data))
    except InputError as error:
        return {"web": name, "pages": 0, "labelled": 0, "topics": 0, "digest": None, "note": error.sentence}


def _known(name: str, web: BenchWeb) -> WebRow:
    return {
        "web": name,
        "pages": len(web.served),
        "labelled": len(web.labels),
        "topics": len(web.topics),
        "digest": web.collection.digest,
        "note": web.note,
    }


def strategies(quick: Quick = False, json: Json = False) -> None:
    """List the strategies that can be compared, with the parameters of each and their defaults."""
    del quick  # Listing is quick.
    rows: list[StrategyRow] = [
        {"name": name, "meaning": meaning(name), "parameters": _parameters(name)} for name in strategy_names()
    ]
    rows.append({"name": ORACLE, "meaning": "The upper bound: knows all links and labels.", "parameters": []})
    if json:
        shown: StrategyList = {"strategies": rows}
        print_json(shown)
        return
    out = console()
    for row in rows:
        out.print(f"{row['name']:<20}{row['meaning']}")
        if row["parameters"]:
            out.print(f"{'':<20}", dim("; ".join(map(_written, row["parameters"]))))
    out.print()
    out.print("Parameters follow the name in brackets, as in 'random(seed=7)' or 'tag-tree(size=20;plain=true)'.")


def _parameters(name: str) -> list[ParameterRow]:
    """Return the name and default of each parameter; the default is None if it has none."""
    defaults = {
        key: None if found.default is found.empty else found.default for key, found in free_parameters(name).items()
    }
    return [
        {"name": key, "default": default if isinstance(default, bool | int | float | str | None) else str(default)}
        for key, default in defaults.items()
    ]


def _written(parameter: ParameterRow) -> str:
    """Return a parameter as written in brackets."""
    default = parameter["default"]
    return f"{parameter['name']}={str(default).lower() if isinstance(default, bool) else default}"
