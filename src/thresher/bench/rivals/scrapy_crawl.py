"""The crawl of tier (a) by Scrapy, run as a script with the Python of `.venv-rivals`; prints one JSON object.

Robots files are obeyed and links are extracted with Scrapy's own extractor. Like the other crawlers, it does not log,
store, delay or retry.
"""

import json
import re
import resource
import sys
import time
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.linkextractors import LinkExtractor


class PageSpider(scrapy.Spider):
    """Follows every link breadth-first until there are enough pages."""

    name = "pages"

    def __init__(self, start_pages, budget, **more):
        super().__init__(**more)
        self.start_urls = start_pages
        self._budget = budget
        self._extract = LinkExtractor().extract_links
        self.pages = 0

    def parse(self, response):
        """Count a page and follow its links."""
        self.pages += 1
        if self.pages >= self._budget:
            raise CloseSpider("enough")
        for link in self._extract(response):
            yield scrapy.Request(link.url, self.parse)


def peak_memory():
    """Return the peak memory of this process in megabytes."""
    found = re.search(r"VmHWM:\s*([0-9]+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def processor_time():
    """Return the CPU time of this process so far, in seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    """Crawl according to the JSON object on the command line."""
    plan = json.loads(sys.argv[1])
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "USER_AGENT": "thresher-bench",
            "CONCURRENT_REQUESTS": plan["parallel"],
            "CONCURRENT_REQUESTS_PER_DOMAIN": plan["per_host"],
            "DOWNLOAD_DELAY": 0,
            # Breadth-first, as Scrapy's documentation advises for broad crawls.
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
            "REACTOR_THREADPOOL_MAXSIZE": 20,
            "COOKIES_ENABLED": False,
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "ERROR",
        }
    )
    crawler = process.create_crawler(PageSpider)
    process.crawl(crawler, start_pages=plan["start_pages"], budget=plan["pages"])
    started, before = time.perf_counter(), processor_time()
    process.start()
    seconds, cpu = time.perf_counter() - started, processor_time() - before
    memory = peak_memory()
    print(json.dumps({"pages": crawler.spider.pages, "seconds": seconds, "cpu_seconds": cpu, "memory_mb": memory}))


if __name__ == "__main__":
    main()
