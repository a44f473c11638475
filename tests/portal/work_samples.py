"""How the keeper's routes about work are tried: who may use them, addresses, and forms with hostile values."""

from tests.portal.made import HOSTILE
from thresher.store.portal_records import Role

WORK_ROLES = {
    "/crawl": Role.REVIEWER,
    "/crawl.json": Role.REVIEWER,
    "/crawl/events": Role.REVIEWER,
    "/crawl/log": Role.REVIEWER,
    "/crawl/work/{number}": Role.REVIEWER,
    "/report": Role.REVIEWER,
    "/report.atom": Role.REVIEWER,
    "/report/{day}": Role.REVIEWER,
    "/start": Role.ADMIN,
    "/start/import": Role.ADMIN,
    "/start/tidy": Role.ADMIN,
    "/start/contact": Role.ADMIN,
    "/start/go": Role.ADMIN,
    "/remove": Role.REVIEWER,
    "/removed": Role.REVIEWER,
    "/crawl/judge": Role.REVIEWER,
    "/crawl/judge/undo": Role.REVIEWER,
    "/graph": Role.REVIEWER,
    "/graph.json": Role.REVIEWER,
    "/graph.gexf": Role.REVIEWER,
    "/graph/page/{name}": Role.REVIEWER,
    "/crawl/start": Role.ADMIN,
    "/crawl/pause": Role.ADMIN,
    "/crawl/continue": Role.ADMIN,
    "/crawl/stop": Role.ADMIN,
    "/crawl/schedules": Role.ADMIN,
    "/crawl/schedules/remove": Role.ADMIN,
    "/crawl/schedules/restore": Role.ADMIN,
}

EVIL = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"

WORK_SAMPLES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "/crawl": (("/crawl", "/crawl?removed=1", f"/crawl?removed={EVIL}"), {}),
    "/crawl.json": (("/crawl.json",), {}),
    "/crawl/events": (("/crawl/events?seconds=0",), {}),
    "/crawl/log": (("/crawl/log",), {}),
    "/crawl/work/{number}": (
        ("/crawl/work/1", "/crawl/work/99999999999999999999", "/crawl/work/%22%3E%3Cscript%3Ealert(1)"),
        {},
    ),
    "/report": (("/report",), {}),
    "/report.atom": (("/report.atom",), {}),
    "/report/{day}": (("/report/2026-11-16", "/report/9999-12-31", "/report/0001-01-01", "/report/%22%3E%3Cb%3E"), {}),
    "/start": (("/start", f"/start?done={EVIL}"), {}),
    "/start/import": ((), {"links": f"{HOSTILE}\nhttp://ok.test/", "words": HOSTILE}),
    "/start/tidy": ((), {"path": "Boats", "name": HOSTILE}),
    "/start/contact": ((), {"contact": f"a@b.test{HOSTILE[:150]}", "title": HOSTILE[:150]}),
    "/start/go": ((), {"pages": "0"}),
    "/crawl/judge": ((), {"page": HOSTILE[:40], "kind": "right"}),
    "/crawl/judge/undo": ((), {"number": "99"}),
    "/graph": (("/graph", "/graph?as=list", f"/graph?n=5000&as={EVIL}", f"/graph?n={EVIL}"), {}),
    "/graph.json": (("/graph.json?n=10",), {}),
    "/graph.gexf": (("/graph.gexf", f"/graph.gexf?branch={EVIL}&sure=0.5&marked=true"), {}),
    "/graph/page/{name}": (("/graph/page/%22%3E%3Cb%3E", "/graph/page/4c5e2c5d3155a230"), {}),
    "/crawl/start": ((), {"kind": HOSTILE, "pages": "1"}),
    "/crawl/pause": ((), {"x": "y"}),
    "/crawl/continue": ((), {"x": "y"}),
    "/crawl/stop": ((), {"work": "99"}),
    "/crawl/schedules": ((), {"kind": "run", "days": HOSTILE, "at": "22:00"}),
    "/crawl/schedules/remove": ((), {"schedule": "99"}),
    "/crawl/schedules/restore": ((), {"schedule": "99"}),
}
