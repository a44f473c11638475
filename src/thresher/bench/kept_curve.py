"""How many texts are kept at each confidence threshold, and how many of them are correct."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from thresher.bench.svg_curves import ticks

THRESHOLDS: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 480, 320, 44, 44, 14


class CurvePoint(Struct, frozen=True):
    """A point of the curve: the share of texts `kept`, that is, assigned to a leaf topic, and their `precision`.

    `precision` is None if nothing is kept.
    """

    threshold: float
    kept: float
    precision: float | None


def kept_curve(judged: Mapping[float, Sequence[tuple[str, str]]], topics: Collection[str]) -> list[CurvePoint]:
    """Return the curve from (truth, prediction) pairs by threshold; `topics` are the leaf topics.

    >>> pairs = [("A", "A"), ("B", "A"), ("B", ""), ("A", "")]
    >>> kept_curve({0.5: pairs}, {"A", "B"})
    [CurvePoint(threshold=0.5, kept=0.5, precision=0.5)]
    """
    points: list[CurvePoint] = []
    for threshold, pairs in judged.items():
        kept = [truth == said for truth, said in pairs if said in topics]
        points.append(CurvePoint(threshold, len(kept) / len(pairs), sum(kept) / len(kept) if kept else None))
    return points


def curve_csv(curves: Mapping[str, Sequence[CurvePoint]]) -> str:
    """Return curves as CSV with the columns classifier, threshold, kept and precision."""
    lines = ["classifier,threshold,kept,precision"]
    for name, points in curves.items():
        for point in points:
            precision = "" if point.precision is None else f"{point.precision:.4f}"
            lines.append(f"{name},{point.threshold:g},{point.kept:.4f},{precision}")
    return "\n".join([*lines, ""])


def curve_svg(curves: Mapping[str, Sequence[CurvePoint]], title: str) -> str:
    """Return curves as SVG, precision over the share kept, with the threshold at every point."""
    right, bottom = WIDTH - 12, HEIGHT - BOTTOM
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg" font-size="11" '
        f'font-family="sans-serif"><title>{title}</title>',
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="currentColor"/>',
        f'<text x="{right}" y="{bottom + 34}" text-anchor="end">share kept</text>',
        f'<text x="{LEFT}" y="{bottom + 34}">↑ precision</text>',
    ]
    for value in ticks(1.0):
        parts.append(f'<text x="{_x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>')
        parts.append(f'<text x="{LEFT - 6}" y="{_y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for place, (name, points) in enumerate(curves.items()):
        dash = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"')[place % 3]
        drawn = [(_x(point.kept), _y(point.precision), point) for point in points if point.precision is not None]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in drawn)
        parts.append(f'<polyline points="{line}" fill="none" stroke="currentColor"{dash}/>')
        for x, y, point in drawn:
            said = f"<title>{name}, above {point.threshold:g}</title>"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="currentColor">{said}</circle>')
    return "\n".join([*parts, "</svg>", ""])


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - 12 - LEFT)


def _y(share: float) -> float:
    return TOP + (1 - share) * (HEIGHT - BOTTOM - TOP)
