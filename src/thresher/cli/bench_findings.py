"""`thresher bench findings`: checks the published findings on link contexts against the records of runs."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.accuracy import read_accuracies
from thresher.bench.comparison import experiments
from thresher.bench.doubts import doubts
from thresher.bench.families import together
from thresher.bench.findings import ClaimResult, Contrasted, Moment, findings
from thresher.bench.record_files import read_directories
from thresher.bench.report import number, p_value, signed
from thresher.cli.bench_shapes import Findings
from thresher.cli.options import Json, Quick
from thresher.cli.output import console, print_json


def tell_findings(
    directories: Annotated[list[Path], typer.Argument(metavar="DIR", help="Directories with the records of the runs.")],
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Test each published finding on link contexts against the runs."""
    del quick  # Reading records is quick.
    records = read_directories(directories)
    found = experiments([*records, *together(records)])
    accuracies = [one for directory in directories for one in read_accuracies(directory)]
    held = [(experiment, findings(experiment, accuracies)) for experiment in found]
    if json:
        shown: Findings = {
            "experiments": [
                {
                    "web": experiment.web,
                    "mode": experiment.mode,
                    "budget": experiment.budget,
                    "conditions": experiment.conditions,
                    "doubts": doubts(experiment),
                    "findings": listed,
                }
                for experiment, listed in held
            ]
        }
        print_json(shown)
        return
    for experiment, listed in held:
        told = (experiment.web, f"{experiment.mode} mode", f"{experiment.length:,} pages", experiment.conditions)
        console().print(", ".join(filter(None, told)))
        for doubt in doubts(experiment):
            console().print(f"  ! {doubt}")
        for finding in listed:
            _show(finding)
        commands = dict.fromkeys(command for finding in listed for command in finding.missing)
        if commands:
            console().print()
            console().print("For the missing runs, add --out DIR to:")
        for command in commands:
            for line in command.splitlines():
                console().print(line)
        console().print()


def _show(finding: ClaimResult) -> None:
    out = console()
    out.print()
    out.print(finding.claim)
    out.print(f"  {_both(finding.verdict_05, finding.verdict_10)}")
    earlier = [one for one in finding.moments[:-1] if one.pages is not None]
    if earlier:
        out.print("  earlier: " + "; ".join(f"at {one.pages:,} {_both(one.at_05, one.at_10)}" for one in earlier))
    for tested in finding.tested:
        _show_tested(tested)
    for note in finding.notes:
        out.print(f"  {note}")
    if finding.missing:
        out.print("  Runs are missing.")


def _both(strict: str, lenient: str) -> str:
    """Return two verdicts as one if they agree.

    >>> _both("holds", "holds"), _both("not decided", "holds")
    ('holds', 'not decided at α .05, holds at .10')
    """
    return strict if strict == lenient else f"{strict} at α .05, {lenient} at .10"


def _show_tested(tested: Contrasted) -> None:
    if not tested.moments:
        return
    sides = {"greater": ">", "no-greater": "≤", "alike": "≈"}[tested.kind]
    console().print(f"  {tested.measure.replace('_', ' ')}: {tested.first} {sides} {tested.second}")
    for moment in tested.moments:
        console().print(_line(moment))


def _line(moment: Moment) -> str:
    found = moment.evidence
    error = f" ± {number(found.error)}" if found.error is not None else ""
    at = f"at {moment.pages:>6,}" if moment.pages is not None else " " * 9
    return (
        f"    {at}  {number(moment.first)} and {number(moment.second)}, difference {signed(found.difference)}{error}, "
        f"{found.n} topics, p {p_value(found.supports)} for, {p_value(found.refutes)} against"
    )
