"""Draws curves as SVG without scripts, styles or external references; the surrounding page sets the colours.

Lines have the classes `line-0`, `line-1`, ... and are labelled at their ends, so they can be read without colour; when
the colours repeat, lines are dashed. Bands (`band-0`, ...) show one standard error on both sides.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from thresher.bench.curves import MeanCurve

WIDTH, HEIGHT = 520, 340
LEFT, RIGHT, TOP, BOTTOM = 38, 142, 12, 44
LINE_HEIGHT = 15
COLOURS = 8
DASHES = ("", "6 3", "2 3")
DRAWN = 160
"""Maximum number of points of a line; more cannot be distinguished on a screen."""
LABEL = 19
"""Maximum number of characters of a label; the whole name is its tooltip."""


def svg_curves(curves: Sequence[MeanCurve], *, title: str, y_title: str, places: Mapping[str, int]) -> str:
    """Draw mean curves; `places` gives each strategy its colour, the same in every picture of a report."""
    budget = max(int(curve.pages[-1]) for curve in curves)
    top = _top(curves)
    parts = [_head(title, curves), *_grid(budget, top, y_title)]
    shown = [(curve, places[curve.strategy]) for curve in curves]
    parts += [_band(curve, place, budget, top) for curve, place in shown if curve.error is not None]
    parts += [_line(curve, place, budget, top) for curve, place in shown]
    ends = _apart([_y(float(curve.mean[-1]), top) for curve in curves])
    parts += [_label(curve, place, y, top) for (curve, place), y in zip(shown, ends, strict=True)]
    return "\n".join([*parts, "</svg>"])


def ticks(top: float, number: int = 5) -> list[float]:
    """Return about `number` round values from 0 to at least `top`.

    >>> ticks(0.83), ticks(1000)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0])
    """
    rough = top / number
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    count = int(np.ceil(top / step - 1e-9))
    return [round(step * place, 10) for place in range(count + 1)]


def _top(curves: Sequence[MeanCurve]) -> float:
    highest = max(float((curve.mean if curve.error is None else curve.mean + curve.error).max()) for curve in curves)
    return ticks(min(1.0, max(highest, 0.01)))[-1]


def _head(title: str, curves: Sequence[MeanCurve]) -> str:
    ends = "; ".join(f"{curve.strategy} {curve.mean[-1]:.3f}" for curve in curves)
    described = f"At {int(curves[0].pages[-1])} pages: {ends}."
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title><desc>{escape(described)}</desc>"
    )


def _grid(budget: int, top: float, y_title: str) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value in ticks(top):
        y = _y(value, top)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.10g}</text>')
    for value in ticks(budget):
        if value <= budget:
            shown = f"{int(value):,}" if value == int(value) else f"{value:g}"
            x = _x(value, budget)
            parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{shown}</text>')
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    parts.append(f'<text class="axis-title" x="{right}" y="{bottom + 35}" text-anchor="end">pages fetched</text>')
    parts.append(f'<text class="axis-title" x="{LEFT}" y="{bottom + 35}">↑ {escape(y_title)}</text>')
    return parts


def _band(curve: MeanCurve, place: int, budget: int, top: float) -> str:
    error = curve.error if curve.error is not None else np.zeros_like(curve.mean)
    drawn = _drawn(len(curve.pages))
    upper = [(_x(curve.pages[n], budget), _y(float(curve.mean[n] + error[n]), top)) for n in drawn]
    lower = [(_x(curve.pages[n], budget), _y(float(curve.mean[n] - error[n]), top)) for n in drawn[::-1]]
    return f'<polygon class="band-{place % COLOURS}" points="{_points([*upper, *lower])}"/>'


def _line(curve: MeanCurve, place: int, budget: int, top: float) -> str:
    points = [(_x(curve.pages[n], budget), _y(float(curve.mean[n]), top)) for n in _drawn(len(curve.pages))]
    dash = DASHES[place // COLOURS % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline class="line-{place % COLOURS}"{dashed} points="{_points(points)}">'
        f"<title>{escape(curve.strategy)}</title></polyline>"
    )


def _label(curve: MeanCurve, place: int, y: float, top: float) -> str:
    name = curve.strategy if len(curve.strategy) <= LABEL else curve.strategy[: LABEL - 1] + "…"
    end, x = _y(float(curve.mean[-1]), top), WIDTH - RIGHT
    return (
        f'<line class="lead-{place % COLOURS}" x1="{x}" y1="{end:.1f}" x2="{x + 9}" y2="{y:.1f}"/>'
        f'<text class="label-{place % COLOURS}" x="{x + 12}" y="{y + 4:.1f}">{escape(name)}'
        f"<title>{escape(curve.strategy)}</title></text>"
    )


def _apart(wanted: Sequence[float]) -> list[float]:
    """Move labels, given from the highest to the lowest line, apart by a line of text and into the picture."""
    lowest = HEIGHT - BOTTOM
    step = min(float(LINE_HEIGHT), (lowest - TOP) / max(1, len(wanted) - 1))
    places = np.sort(np.asarray(wanted, dtype=np.float64))
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + step)
    places[-1] = min(places[-1], lowest)
    for n in range(len(places) - 2, -1, -1):
        places[n] = min(places[n], places[n + 1] - step)
    return [float(place) for place in places]


def _drawn(points: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, points - 1, min(DRAWN, points)).round().astype(np.int64))


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _x(pages: float, budget: int) -> float:
    return LEFT + float(pages) / budget * (WIDTH - LEFT - RIGHT)


def _y(value: float, top: float) -> float:
    return TOP + (1 - min(max(value, 0.0), top) / top) * (HEIGHT - TOP - BOTTOM)
