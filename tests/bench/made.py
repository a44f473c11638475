"""Records made by hand, with figures that can be counted on fingers."""

from collections.abc import Sequence

from thresher.bench.measures import harvest_rate, oracle_share, target_recall
from thresher.bench.records import FetchedPage, Mode, Record, Run, Training


def crawl(marks: str) -> list[FetchedPage]:
    """Make a log: `T` a target, `r` relevant but no target, `.` neither; every page on a host of its own."""
    return [FetchedPage(f"http://h{n}.test/", mark in "Tr", mark == "T") for n, mark in enumerate(marks)]


def record(
    strategy: str,
    marks: str,
    *,
    topic: str = "Music",
    seed: int = 0,
    web: str = "hand",
    mode: Mode = "normal",
    budget: int = 10,
    targets: int = 5,
    oracle: str = "TTTTT",
    cpu: float = 2.0,
    settings: str = "5e77",
    topic_set: str = "",
    note: str = "",
    classifier: str = "logistic",
    training: Training = "pages",
    examples: int = 10,
    negatives: int = 0,
    start: int = 5,
    wrong: int = 0,
    changed: Sequence[str] = (),
) -> Record:
    log = crawl(marks)
    length = budget or len(log)
    best = [mark == "T" for mark in oracle]
    run = Run(
        web=web,
        topic=topic,
        strategy=strategy,
        seed=seed,
        budget=budget,
        mode=mode,
        targets=targets,
        pages=len(log),
        harvest_rate=harvest_rate(log, length),
        target_recall=target_recall(log, targets, length),
        oracle_share=oracle_share([visit.target for visit in log], best, targets, length),
        cpu_ms_per_page=cpu,
        classifier=classifier,
        training=training,
    )
    return Record(
        run=run,
        log=log,
        oracle=best,
        examples=[f"http://{topic.lower()}.test/example{seed}-{n}" for n in range(examples)],
        negatives=[f"http://other.test/{n}" for n in range(negatives or 3 * examples)],
        starts=[f"http://{topic.lower()}.test/start{seed}-{n}" for n in range(start)],
        data="da7a",
        settings={"bench": {"examples": 10}},
        settings_digest=settings,
        versions={"thresher": "0.1.0", "python": "3.11"},
        seconds=0.5,
        topic_set=topic_set,
        note=note,
        wrong=wrong,
        changed=list(changed),
    )
