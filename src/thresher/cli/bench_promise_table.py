"""Prints the figures of `thresher bench promise`: a line per trial, worst first, or one trial in detail."""

from collections.abc import Sequence
from statistics import fmean

from thresher.bench.promise.calibration import Bin, pooled
from thresher.bench.promise.cells import SPLITS
from thresher.bench.promise.comparing import Difference
from thresher.bench.promise.figures import TopicFigures
from thresher.bench.promise.records import Promise
from thresher.cli.screen import Screen


def show_table(out: Screen, rows: Sequence[Promise]) -> None:
    """Print a line for each trial in the order given, and the means of each split."""
    width = max(len(row.cell) for row in rows) + 4
    out.print(f"{'':{width + 8}}right pages             on topic                hosts found       F     ")
    head = "".join(f"{name:>8}" for name in ("run", "b-first", "home") * 2 + ("run", "b-first", "new", "oracle"))
    out.print(f"{'cell':{width}}split   {head}{'seconds':>10}")
    for row in rows:
        named = f"{row.cell}{f' #{row.seed}' if row.seed else ''}"
        figures = "".join(f"{figure(value):>8}" for value in _values(row))
        out.print(f"{named:{width}}{row.split:8}{figures}{row.virtual_seconds:10,.0f}")
    for split in SPLITS:
        own = [row for row in rows if row.split == split]
        if own:
            means = [_mean([_values(row)[place] for row in own]) for place in range(len(_values(own[0])))]
            out.print(f"{f'mean of {len(own)}':{width}}{split:8}{''.join(f'{figure(one):>8}' for one in means)}")
            show_calibration(out, pooled([row.calibration for row in own]))
    worse = [row.cell for row in rows if row.right_pages < (row.breadth_first_right_pages or 0.0)]
    out.print(f"worse than breadth-first in right pages: {', '.join(worse) or 'none'}")
    out.print(
        "Settings may be tuned on the cells of the split choose; published figures come from the split report only."
    )


def show_trial(out: Screen, row: Promise) -> None:
    """Print the figures of a trial."""
    out.print(f"{row.cell}, seed {row.seed}, for {('choosing' if row.split == 'choose' else 'reporting')}")
    fetched = ", ".join(f"{kind} {number:,}" for kind, number in row.stages.items())
    out.print(f"  pages                     {row.pages:,} of {row.budget:,} ({fetched}; again {row.fetched_again:,})")
    out.print(f"  {'':24}{'run':>8}{'breadth-first':>16}{'stay-home':>12}")
    lines = (
        ("share on topic", row.on_topic, row.breadth_first, row.stay_home),
        ("accepted right pages", row.right_pages, row.breadth_first_right_pages, row.stay_home_right_pages),
        (
            "… in the run's time",
            row.right_pages,
            row.breadth_first_right_pages_in_time,
            row.stay_home_right_pages_in_time,
        ),
        ("new hosts found", row.hosts_found, row.breadth_first_hosts_found, row.stay_home_hosts_found),
    )
    for name, run, breadth, home in lines:
        out.print(f"  {name:24}{figure(run):>8}{figure(breadth):>16}{figure(home):>12}")
    first, home_only = (
        "-" if taken is None else f"{taken:,.0f}" for taken in (row.breadth_first_seconds, row.stay_home_seconds)
    )
    out.print(f"  {'virtual seconds':24}{row.virtual_seconds:>8,.0f}{first:>16}{home_only:>12}")
    out.print(f"  oracle share            {figure(row.oracle_share):>8}")
    out.print(f"  fetched pages             precision {figure(row.precision)} recall {figure(row.recall_of_fetched)}")
    new = f"precision {figure(row.precision_new_hosts)} recall {figure(row.recall_new_hosts)}"
    out.print(
        f"  … hosts without bookmark  {new} F {figure(row.f_new_hosts)}; on topic {figure(row.on_topic_new_hosts)}"
    )
    judged = f"precision {figure(row.judged_precision_new_hosts)} F {figure(row.judged_f_new_hosts)}"
    out.print(f"  … last model on a sample  {judged}")
    wrong = f"negatives {figure(row.negatives_wrong)} archetypes {figure(row.archetypes_wrong)}"
    out.print(f"  wrong                     {wrong}")
    kept = f"{row.rounds_kept} kept, of these {row.rounds_kept_harmful} harmful"
    back = f"{row.rounds_rolled_back} rolled back, of these {row.rounds_rolled_back_helpful} helpful"
    out.print(f"  rounds                    {kept}; {back}")
    show_calibration(out, row.calibration)
    width = max(len(topic.topic) for topic in row.topics)
    names = f"{'precision':>10}{'recall':>8}{'fetched':>9}{'accepted':>10}"
    out.print(f"  {'topic':{width}}{names}  | on hosts without a bookmark")
    for own, away in zip(row.topics, row.topics_new_hosts, strict=True):
        out.print(f"  {own.topic:{width}}{_topic(own)}  |{_topic(away)}")


def show_calibration(out: Screen, bins: Sequence[Bin]) -> None:
    """Print how many accepted pages on hosts without a bookmark are correct, by probability."""
    told = (f"{figure(one.right)} of {one.pages:,} at {figure(one.predicted)}" for one in bins if one.pages)
    out.print(f"  right by probability      {'; '.join(told) or '-'}")


def show_differences(out: Screen, against: Sequence[str], found: Sequence[Difference]) -> None:
    """Print how runs differ from those with other settings."""
    out.print(f"minus runs with {' '.join(against)}: mean over pairs, standard error, lower 95 % bound")
    for one in found:
        error, low = ("-" if value is None else f"{value:+.3f}" for value in (one.error, one.low))
        verdict = "no worse" if one.no_worse else ""
        out.print(f"  {one.measure:22}{one.difference:+.3f} ±{error.lstrip('+'):>6}{low:>8}{one.n:>6} pairs  {verdict}")


def _values(row: Promise) -> list[float | None]:
    return [
        *(row.right_pages, row.breadth_first_right_pages, row.stay_home_right_pages),
        *(row.on_topic, row.breadth_first, row.stay_home),
        *(row.hosts_found, row.breadth_first_hosts_found),
        *(row.f_new_hosts, row.oracle_share),
    ]


def _topic(row: TopicFigures) -> str:
    return f"{figure(row.precision):>10}{figure(row.recall_of_fetched):>8}{row.fetched:>9,}{row.accepted:>10,}"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def figure(value: float | None) -> str:
    """Return a share with three digits, or a dash for None.

    >>> figure(0.5), figure(1.0), figure(None)
    ('.500', '1.00', '-')
    """
    if value is None:
        return "-"
    return f"{value:.3f}".replace("0.", ".", 1) if round(value, 3) < 1 else f"{value:.2f}"
