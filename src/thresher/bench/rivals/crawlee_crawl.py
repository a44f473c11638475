"""The crawl of tier (a) by Crawlee, run as a script with the Python of `.venv-rivals`; prints one JSON object.

Robots files are obeyed, links are extracted by Crawlee's own `enqueue_links`, storage is in memory, and the concurrency
is fixed so that the load of the machine does not reduce it.
"""

import asyncio
import json
import logging
import re
import resource
import sys
import time
from pathlib import Path

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


def peak_memory():
    """Return the peak memory of this process in megabytes."""
    found = re.search(r"VmHWM:\s*([0-9]+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def processor_time():
    """Return the CPU time of this process and its ended children, in seconds."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


async def crawl(plan):
    """Crawl according to the plan; return the figures."""
    pages = 0
    parallel = plan["parallel"]
    crawler = ParselCrawler(
        respect_robots_txt_file=True,
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=parallel, desired_concurrency=parallel, max_concurrency=parallel
        ),
        max_requests_per_crawl=plan["pages"],
        max_request_retries=0,
        use_session_pool=False,
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def handle(context: ParselCrawlingContext) -> None:
        nonlocal pages
        pages += 1
        await context.enqueue_links(strategy="all")

    logging.disable(logging.WARNING)
    started, before = time.perf_counter(), processor_time()
    await crawler.run(plan["start_pages"])
    seconds, cpu = time.perf_counter() - started, processor_time() - before
    memory = peak_memory()
    return {"pages": pages, "seconds": seconds, "cpu_seconds": cpu, "memory_mb": memory}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(crawl(json.loads(sys.argv[1])))))
