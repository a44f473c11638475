"""`thresher bench peers`: what portals gain by exchanging models, and whether their overlay stays connected."""

from collections.abc import Sequence
from statistics import fmean
from typing import Annotated

import typer

from thresher.bench.organise.draws import draw
from thresher.bench.organise.labelled_bags import COLLECTIONS
from thresher.bench.page_building import build_pages
from thresher.bench.peers.classification import LOSSES, PeerRun, draw_pair, measure_pair
from thresher.bench.peers.clustering import ClusterRun, measure_clustering
from thresher.bench.peers.harvests import HarvestRun, measure_harvest
from thresher.bench.peers.overlay_processes import ProcessFigures, Traffic, run_processes, traffic
from thresher.bench.peers.overlay_simulation import OverlayFigures, simulate
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_reading import folder_of
from thresher.cli.bench_shapes import PeerBench
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import UsageError

DATA = ("newsgroups20", "reuters21578")
WEBS = ("manuals", "wikispeedia(hosts=50)")
PARTS = ("classify", "cluster", "harvest", "overlay", "processes")
CLUSTERS = (3, 5)
_ROUNDS = 40


def peers(
    draws: Annotated[
        int | None,
        typer.Option("--draws", min=1, help="Draws of topics from each collection, and of examples; 20 by default."),
    ] = None,
    first: Annotated[int, typer.Option("--first", min=0, help="Seed of the first draw.")] = 0,
    only: Annotated[str, typer.Option("--only", help=f"Parts to measure: {', '.join(PARTS)}.")] = ",".join(PARTS),
    simulated: Annotated[
        int | None,
        typer.Option("--simulated", min=2, max=20_000, help="Peers in the simulated overlay; 1,000 by default."),
    ] = None,
    processes: Annotated[
        int | None, typer.Option("--processes", min=2, max=100, help="Portals run as processes; 16 by default.")
    ] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure classification, clustering and crawls with peers, and overlay networks that peers leave."""
    parts = words_of(only)
    for part in parts:
        if part not in PARTS:
            raise UsageError(f"There is no part '{part}'.", f"Choose from: {', '.join(PARTS)}.")
    seeds = range(first, first + size_of(draws, quick, 2, 20))
    runs: list[PeerRun] = []
    clusterings: list[ClusterRun] = []
    harvests: list[HarvestRun] = []
    told = console(stderr=True)
    if {"classify", "cluster"} & set(parts):
        folder = folder_of(data)
        for name in DATA:
            told.print(dim(f"Peers on {name}."))
            topics = COLLECTIONS[name](folder)
            for seed in seeds:
                if "classify" in parts:
                    runs += measure_pair(name, draw_pair(name, topics, seed), seed)
                if "cluster" in parts:
                    for k in CLUSTERS:
                        clusterings += measure_clustering(name, draw(f"{name}/peers", topics, k, seed), k, seed)
    if "harvest" in parts:
        for name in WEBS:
            told.print(dim(f"Crawling {name} with peers."))
            web = find(name, data)
            pages = build_pages(web.collection)
            for seed in seeds:
                harvests += measure_harvest(web, pages, web.topic_sets["report"], seed, size_of(None, quick, 100, 400))
    number = size_of(simulated, quick, 200, 1000)
    overlay = simulate(peers=number, rounds=_ROUNDS, churn=0.3) if "overlay" in parts else None
    real = run_processes(size_of(processes, quick, 4, 16)) if "processes" in parts else None
    if json:
        shown: PeerBench = {
            "runs": runs,
            "clusters": clusterings,
            "harvests": harvests,
            "overlay": overlay,
            "processes": real,
            "traffic": traffic(),
        }
        print_json(shown)
        return
    _print_runs(runs)
    _print_clusters(clusterings)
    _print_harvests(harvests)
    _print_overlay(overlay, real, traffic())


def _print_runs(runs: Sequence[PeerRun]) -> None:
    out = console()
    for data in dict.fromkeys(run.data for run in runs):
        here = [run for run in runs if run.data == data]
        out.print()
        out.print(f"Classification: {data}, {len({run.seed for run in here})} pairs of topics")
        out.print(f"{'':<26}{'loss':>8}{'accuracy':>10}{'estimated':>11}")
        for method, peers in dict.fromkeys((run.method, run.peers) for run in here):
            own = [run for run in here if (run.method, run.peers) == (method, peers)]
            losses = LOSSES if method != "unanimous" else (None,)
            for loss in losses:
                some = [run for run in own if loss in (None, run.loss)]
                name = f"{method}, {peers} peer{'s' if peers > 1 else ''}"
                estimated = 1 - fmean(run.estimated_error for run in some)
                accuracy, lost = fmean(run.accuracy for run in some), fmean(run.loss for run in some)
                out.print(f"{name:<26}{lost:>8.3f}{accuracy:>10.3f}{estimated:>11.3f}{_more(some)}")


def _more(runs: Sequence[PeerRun]) -> str:
    if any(run.estimated_loss is None or run.chained_error is None for run in runs):
        return ""
    loss = fmean(run.estimated_loss or 0.0 for run in runs)
    law, chain = (
        1 - fmean(error or 0.0 for error in errors)
        for errors in zip(*((run.beta_error, run.chained_error) for run in runs), strict=True)
    )
    return f"  (estimated loss {loss:.3f}; accuracy by the beta law {law:.3f}, by the source's chain {chain:.3f})"


def _print_clusters(runs: Sequence[ClusterRun]) -> None:
    out = console()
    for data, k in dict.fromkeys((run.data, run.k) for run in runs):
        here = [run for run in runs if (run.data, run.k) == (data, k)]
        out.print()
        out.print(f"Clustering: {data}, {k} topics, {len({run.seed for run in here})} draws")
        out.print(f"{'':<12}" + "".join(f"{f'loss {loss}':>12}" for loss in LOSSES))
        for peers in dict.fromkeys(run.peers for run in here):
            cells = [fmean(run.error for run in here if (run.peers, run.loss) == (peers, loss)) for loss in LOSSES]
            name = f"{peers} peer{'s' if peers > 1 else ''}"
            out.print(f"{name:<12}" + "".join(f"{cell:>12.3f}" for cell in cells))


def _print_harvests(runs: Sequence[HarvestRun]) -> None:
    out = console()
    for data in dict.fromkeys(run.data for run in runs):
        here = [run for run in runs if run.data == data]
        out.print()
        out.print(f"Crawls: {data}, {len({run.seed for run in here})} draws of examples")
        out.print(f"{'':<12}{'models':>8}{'accepted':>10}{'right':>8}{'precision':>11}{'recall':>8}{'new hosts':>11}")
        for peers in dict.fromkeys(run.peers for run in here):
            own = [run for run in here if run.peers == peers]
            name = "alone" if peers == 0 else f"{peers} peers"
            models, accepted, right, new = (
                fmean(numbers)
                for numbers in zip(*((r.models, r.accepted, r.right, r.new_hosts) for r in own), strict=True)
            )
            precision, recall = fmean(run.precision for run in own), fmean(run.recall for run in own)
            out.print(
                f"{name:<12}{models:>8.1f}{accepted:>10.1f}{right:>8.1f}{precision:>11.3f}{recall:>8.3f}{new:>11.1f}"
            )


def _print_overlay(overlay: OverlayFigures | None, real: ProcessFigures | None, sent: Traffic) -> None:
    out = console()
    if overlay is not None:
        state = "connected" if overlay.connected else "NOT connected"
        out.print()
        out.print(
            f"Overlay of {overlay.peers:,} simulated peers, {overlay.churn:.0%} replaced over {overlay.rounds} rounds:"
            f" {state}, lists of {overlay.mean_list} entries, {overlay.known_dead:.1%} of them dead."
        )
    if real is not None:
        out.print(
            f"Overlay of {real.processes} processes: {_connected(real.seconds)}; {real.killed} killed and replaced:"
            f" {_connected(real.after_churn)}."
        )
    out.print(
        f"An exchange of full lists ({sent.neighbours} entries) takes {sent.exchange:,} bytes: {sent.hourly:,} bytes"
        f" per peer and hour at one every {sent.interval:.0f} s."
    )


def _connected(seconds: float | None) -> str:
    return "not connected in time" if seconds is None else f"connected after {seconds} s"
