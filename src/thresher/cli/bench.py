"""`thresher bench`: benchmarks of strategies, speed and crash safety."""

import typer

from thresher.cli.bench_accuracy import accuracy
from thresher.cli.bench_answers import answers
from thresher.cli.bench_ask import ask
from thresher.cli.bench_classifier import classifier, classify
from thresher.cli.bench_committee import committee
from thresher.cli.bench_contexts import contexts
from thresher.cli.bench_documents import documents
from thresher.cli.bench_faults import crash, fairness, hostile, manners
from thresher.cli.bench_findings import tell_findings
from thresher.cli.bench_gate import gate
from thresher.cli.bench_organise import organise
from thresher.cli.bench_paths import growth, orders, sessions
from thresher.cli.bench_peers import peers
from thresher.cli.bench_phases import phases
from thresher.cli.bench_portal import portal
from thresher.cli.bench_promise import promise
from thresher.cli.bench_reading import main_text, reading
from thresher.cli.bench_rejudge import rejudge
from thresher.cli.bench_report import report
from thresher.cli.bench_run import run
from thresher.cli.bench_search import search
from thresher.cli.bench_sites import sites
from thresher.cli.bench_speed import crawl, engine, frontier, links, stages
from thresher.cli.bench_webs import strategies, webs
from thresher.cli.main import CommandGroup, app

bench = typer.Typer(help="Run benchmarks.", cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None)
speed = typer.Typer(
    help="Measure speed, as medians of repeated runs.", cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(bench, name="bench")
bench.add_typer(speed, name="speed")
bench.command(epilog="Example: thresher bench webs wikispeedia")(webs)
bench.command(epilog="Example: thresher bench strategies")(strategies)
bench.command(epilog="Example: thresher bench run wikispeedia --topics tune --strategies random,breadth-first")(run)
bench.command(epilog="Example: thresher bench report runs --baseline page")(report)
bench.command("findings", epilog="Example: thresher bench findings runs")(tell_findings)
bench.command(epilog="Example: thresher bench accuracy wikispeedia --topics open --out runs")(accuracy)
bench.command(epilog="Example: thresher bench gate runs")(gate)
bench.command(epilog="Example: thresher bench phases wikispeedia --topics tune --repeats 5")(phases)
bench.command(epilog="Example: thresher bench orders webkb --orders 2 --strategies breadth-first,shark-1,hcla")(orders)
bench.command(epilog="Example: thresher bench sessions --topics report --seeds 2 --budget 500")(sessions)
bench.command(epilog="Example: thresher bench promise manuals --pages 1500")(promise)
bench.command(epilog="Example: thresher bench rejudge bench-promise --cells choose")(rejudge)
bench.command(epilog="Example: thresher bench ask manuals --items 60")(ask)
bench.command(epilog="Example: thresher bench answers wikispeedia --answers 20,50")(answers)
bench.command(epilog="Example: thresher bench search --documents 100000 --documents 1000000")(search)
bench.command(epilog="Example: thresher bench sites --webs generated-sites --seeds 5")(sites)
bench.command(epilog="Example: thresher bench organise --only split --draws 5")(organise)
bench.command(epilog="Example: thresher bench peers --only classify --draws 5")(peers)
bench.command(epilog="Example: thresher bench classifier newsgroups --features 2000 --measures ig")(classifier)
bench.command(epilog="Example: thresher bench portal --documents 100000 --clients 10")(portal)
bench.command("main-text", epilog="Example: thresher bench main-text")(main_text)
bench.command(epilog="Example: thresher bench documents --folder /usr/share/doc")(documents)
bench.command(epilog="Example: thresher bench committee wikispeedia --topics tune")(committee)
bench.command(epilog="Example: thresher bench contexts wikispeedia --topics tune")(contexts)
bench.command(epilog="Example: thresher bench crash --kills 20")(crash)
bench.command(epilog="Example: thresher bench manners --pages 2000")(manners)
bench.command(epilog="Example: thresher bench hostile --json")(hostile)
bench.command(epilog="Example: thresher bench fairness --quick")(fairness)
speed.command(epilog="Example: thresher bench speed frontier --quick")(frontier)
speed.command(epilog="Example: thresher bench speed growth --pages 5000 --strategies breadth-first,hcla")(growth)
speed.command(epilog="Example: thresher bench speed engine --quick")(engine)
speed.command(epilog="Example: thresher bench speed crawl --pages 3000 --rivals .venv-rivals/bin/python")(crawl)
speed.command(epilog="Example: thresher bench speed stages --pages 1000")(stages)
speed.command(epilog="Example: thresher bench speed links --quick")(links)
speed.command(epilog="Example: thresher bench speed reading --collection webkb")(reading)
speed.command(epilog="Example: thresher bench speed classify --quick")(classify)
