"""Walks over the planned graph: breadth-first, an oracle, and the number of off-topic clicks to a page."""

from collections import deque
from heapq import heappop, heappush

import numpy as np

from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.web import Web

Graph = list[list[int]]


def crawlable(web: Web) -> Graph:
    """Return the links between pages that answer with 200, redirects resolved, in the order of the page."""
    pages = web.pages
    silent = np.array([host.unreachable for host in web.hosts])[pages.host]
    good = (pages.status == 200) & ~pages.has(Flag.DISALLOWED) & ~silent
    final = np.arange(pages.count)
    for page in np.flatnonzero(pages.is_kind(PageKind.REDIRECT)).tolist():
        at, hops = page, 0
        while pages.kind[at] == PageKind.REDIRECT and hops < 10:
            at, hops = int(pages.to[at]), hops + 1
        final[page] = at
    graph: Graph = []
    for page in range(pages.count):
        targets = dict.fromkeys(int(final[target]) for target in web.links(page)) if good[page] else {}
        graph.append([target for target in targets if good[target]])
    return graph


def breadth_first(graph: Graph, starts: list[int]) -> list[int]:
    seen = dict.fromkeys(starts)
    queue = deque(starts)
    while queue:
        for target in graph[queue.popleft()]:
            if target not in seen:
                seen[target] = None
                queue.append(target)
    return list(seen)


def oracle(graph: Graph, starts: list[int], targets: set[int], budget: int) -> list[int]:
    """Take a target that is linked from a fetched page, else step along the shortest path to one."""
    back: Graph = [[] for _ in graph]
    for page, links in enumerate(graph):
        for target in links:
            back[target].append(page)
    order: list[int] = []
    fetched: set[int] = set()
    waiting = dict.fromkeys(starts)
    left = set(targets)
    plan: list[int] = []
    while waiting and len(order) < budget and left:
        page = next((page for page in waiting if page in left), None)
        if page is None:
            plan = plan or _shortest(back, waiting, fetched, left)
            if not plan:
                break
            page = plan.pop(0)
        else:
            plan = []
        waiting.pop(page, None)
        fetched.add(page)
        left.discard(page)
        order.append(page)
        waiting.update((target, None) for target in graph[page] if target not in fetched)
    return order


def _shortest(back: Graph, waiting: dict[int, None], fetched: set[int], left: set[int]) -> list[int]:
    """Return a shortest path from a waiting page to a target, both included, by searching backwards."""
    step: dict[int, int | None] = dict.fromkeys(sorted(left))
    queue = deque(step)
    while queue:
        page = queue.popleft()
        if page in waiting:
            path, at = [], page
            while at is not None:
                path.append(at)
                at = step[at]
            return path
        for source in back[page]:
            if source not in step and source not in fetched:
                step[source] = page
                queue.append(source)
    return []


def area(order: list[int], targets: set[int], budget: int) -> float:
    """Return the mean recall over the first `budget` pages; a walk that ends early stays flat."""
    recall = np.zeros(budget)
    hits = np.cumsum([page in targets for page in order[:budget]]) / len(targets)
    recall[: len(hits)] = hits
    recall[len(hits) :] = hits[-1] if len(hits) else 0.0
    return float(recall.mean())


def off_topic_clicks(graph: Graph, starts: list[int], on_topic: set[int]) -> dict[int, int]:
    """Return for each page the least number of clicks onto off-topic pages on any path to it, itself left out."""
    best: dict[int, int] = {}
    heap = [(0, start) for start in starts]
    clicks = dict.fromkeys(starts, 0)
    while heap:
        cost, page = heappop(heap)
        if page in best:
            continue
        best[page] = cost
        # Leaving a page that is off-topic and was clicked on, not started from, costs one.
        onward = cost + (page not in on_topic and page not in starts)
        for target in graph[page]:
            if target not in best and onward < clicks.get(target, 1 << 30):
                clicks[target] = onward
                heappush(heap, (onward, target))
    return best
