"""`thresher bench answers`: how review answers change a crawl and its stored pages."""

from statistics import fmean
from typing import Annotated

import typer

from thresher.bench.answers import AnswerRun, Person, measure, some_topics_apart
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_shapes import AnswerBench
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim

WEBS = ("wikispeedia", "generated")


def answers(
    webs: Annotated[list[str] | None, typer.Argument(metavar="[WEB]...", help="Webs; two by default.")] = None,
    topics: Annotated[str, typer.Option("--topics", help="Topics or sets of topics; a few by default.")] = "",
    numbers: Annotated[str, typer.Option("--answers", help="Numbers of answers, separated by commas.")] = "",
    wrong: Annotated[str, typer.Option("--wrong", help="Shares of wrong answers, separated by commas.")] = "0,0.1",
    budget: Annotated[int | None, typer.Option("--budget", min=20, help="Pages per crawl; 500 by default.")] = None,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Repetitions; 3 by default.")] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Stop crawls half-way, let a simulated person answer review questions, and continue."""
    told = console(stderr=True)
    chosen = [int(word) for word in words_of(numbers)] or ([20] if quick else [20, 50])
    shares = [float(word) for word in words_of(wrong)]
    people = [Person(0), *(Person(number, share) for share in shares for number in chosen if number)]
    rows: list[AnswerRun] = []
    for name in webs or (WEBS[:1] if quick else WEBS):
        told.print(dim(f"Preparing the web {name}."))
        pages, web = prepare(name, data), find(name, data)
        wanted = some_topics_apart(web, words_of(topics))
        for seed in range(size_of(seeds, quick, 1, 3)):
            for person in people:
                told.print(dim(f"{name}, seed {seed}: {person.answers} answers, {person.wrong:.0%} wrong."))
                rows += measure(web, pages, wanted, seed, person, size_of(budget, quick, 300, 500))
    if json:
        shown: AnswerBench = {"runs": rows}
        print_json(shown)
        return
    out = console()
    out.print(
        "answers  wrong  oracle  precision  recall   unasked, before: precision  recall   after: precision  recall  web"
    )
    for name in dict.fromkeys(row.web for row in rows):
        for person in people:
            own = [row for row in rows if row.web == name and row.wrong == person.wrong and _asked(row, person)]
            out.print(_line(own, person, name))


def _asked(row: AnswerRun, person: Person) -> bool:
    return (
        (row.answers > 0) is (person.answers > 0)
        and row.answers <= person.answers
        and (not person.answers or row.answers > person.answers // 2)
    )


def _line(rows: list[AnswerRun], person: Person, web: str) -> str:
    keys = ("oracle_share", "precision", "recall")
    unasked = ("precision_unasked_before", "recall_unasked_before", "precision_unasked", "recall_unasked")
    oracle, precision, recall, *others = (_mean(rows, key) for key in (*keys, *unasked))
    asked = f"{person.answers:7}  {person.wrong:5.0%}  {oracle:>6}"
    return (
        f"{asked}  {precision:>9}  {recall:>6}  {others[0]:>12}  {others[1]:>6}  {others[2]:>12}  {others[3]:>6}  {web}"
    )


def _mean(rows: list[AnswerRun], key: str) -> str:
    found = [value for row in rows if (value := getattr(row, key)) is not None]
    return f"{fmean(found):.3f}" if found else "-"
