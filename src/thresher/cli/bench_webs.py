"""`thresher bench webs` and `thresher bench strategies`: what there is to crawl, and by which rules."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.oracle import NAME as ORACLE
from thresher.bench.webs.catalogue import expanded, find, web_names
from thresher.cli.options import Data, Json
from thresher.cli.output import console, print_json
from thresher.errors import InputError
from thresher.plugins import STRATEGIES, strategy_class, strategy_names


def webs(
    web: Annotated[str | None, typer.Argument(metavar="[WEB]", help="A web; its topics are listed.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """List the webs of the bench with their pages, labels and the digest of their data; or the topics of one."""
    if web is not None:
        topics = [
            {"web": name, "topic": topic, "pages": pages}
            for name in expanded(web)
            for topic, pages in find(name, data).topics.items()
        ]
        if json:
            print_json({"topics": topics})
        for row in () if json else topics:
            console().print(f"{row['pages']:>7,}  {row['web']:<18}{row['topic']}")
        return
    rows = [_row(name, data) for name in web_names()]
    if json:
        print_json({"webs": rows})
        return
    out = console()
    out.print("web                 pages  labelled  topics  data digest")
    for row in rows:
        if row["digest"] is None:
            out.print(f"{row['web']:<17}  {row['note']}")
        else:
            out.print(
                f"{row['web']:<17}{row['pages']:>8,}{row['labelled']:>10,}{row['topics']:>8,}  {row['digest']}"
                + (f"  {row['note']}" if row["note"] else "")
            )


def _row(name: str, data: Path | None) -> dict[str, object]:
    """Return what is known of a web; of one whose data is absent, why."""
    try:
        web = find(name, data)
    except InputError as error:
        return {"web": name, "pages": 0, "labelled": 0, "topics": 0, "digest": None, "note": error.sentence}
    return {
        "web": name,
        "pages": len(web.served),
        "labelled": len(web.labels),
        "topics": len(web.topics),
        "digest": web.collection.digest,
        "note": web.note,
    }


def strategies(json: Json = False) -> None:
    """List the strategies that can be compared."""
    rows = [{"name": name, "meaning": _meaning(name)} for name in strategy_names()]
    rows.append({"name": ORACLE, "meaning": "The reference above: knows all links and labels."})
    if json:
        print_json({"strategies": rows})
        return
    for row in rows:
        console().print(f"{row['name']:<24}{row['meaning']}")


def _meaning(name: str) -> str:
    """Return what a strategy does, with the parameters its name stands for."""
    said = (strategy_class(name).__doc__ or "").strip().partition("\n")[0]
    fixed = STRATEGIES[name].fixed if name in STRATEGIES else {}
    return f"{said} ({'; '.join(f'{key}={value}' for key, value in fixed.items())})" if fixed else said
