"""`thresher bench contexts`: how well the words around a link describe its target."""

from typing import Annotated

import typer

from thresher.bench.context_quality import LINKS, context_quality, mean_quality
from thresher.bench.quick import some_topics
from thresher.bench.running import prepare
from thresher.bench.statistics import Estimate
from thresher.bench.webs.catalogue import expanded, find
from thresher.cli.bench_shapes import Contexts
from thresher.cli.options import Data, Json, Quick, words_of
from thresher.cli.output import console, print_json


def contexts(
    web: Annotated[str, typer.Argument(metavar="WEB", help="A web with labels.")],
    topics: Annotated[
        str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
    ] = "",
    links: Annotated[int, typer.Option("--links", min=1, help="Links per topic.")] = LINKS,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure how similar link contexts are to the pages behind the links."""
    rows = []
    for name in expanded(web):
        pages, own = prepare(name, data), find(name, data)
        chosen = some_topics(own, words_of(topics)) if quick else own.named(words_of(topics))
        rows += [row for topic in chosen for row in context_quality(own, pages, topic, links)]
    if json:
        shown: Contexts = {"contexts": rows}
        print_json(shown)
        return
    out = console()
    out.print("context        cosine            zero")
    for name, similarity, zero in mean_quality(rows):
        out.print(f"{name:<14} {_shown(similarity):<17} {_shown(zero)}")
    looked_at = len({(row.web, row.topic) for row in rows})
    out.print(f"Links into pages of {looked_at} topics, at most {links} each; mean ± standard error over topics.")


def _shown(found: Estimate) -> str:
    return f"{found.mean:.3f}" + (f" ± {found.error:.3f}" if found.error is not None else "")
