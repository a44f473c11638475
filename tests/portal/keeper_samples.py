"""How the routes of review and management are tried: who may use them, addresses, and forms with hostile values."""

from tests.portal.made import HOSTILE
from thresher.store.portal_records import Role

KEEPER_ROLES = {
    "/review": Role.REVIEWER,
    "/review/decide": Role.REVIEWER,
    "/review/undo": Role.REVIEWER,
    "/review/lesson": Role.REVIEWER,
    "/review/log": Role.REVIEWER,
    "/review/log.{kind}": Role.REVIEWER,
    "/review/moved": Role.REVIEWER,
    "/manage": Role.REVIEWER,
    "/manage/changes": Role.REVIEWER,
    "/manage/undo": Role.REVIEWER,
    "/manage/topics": Role.ADMIN,
    "/manage/topics/preview": Role.ADMIN,
    "/manage/topics/change": Role.ADMIN,
    "/manage/training": Role.REVIEWER,
    "/manage/training/add": Role.REVIEWER,
    "/manage/training/remove": Role.REVIEWER,
    "/manage/training/trim": Role.REVIEWER,
    "/manage/words": Role.REVIEWER,
    "/manage/words/mark": Role.REVIEWER,
    "/manage/archetypes": Role.ADMIN,
    "/manage/archetypes/decide": Role.ADMIN,
    "/manage/archetypes/roll-back": Role.ADMIN,
    "/manage/organise": Role.ADMIN,
    "/manage/organise/split": Role.ADMIN,
    "/manage/organise/filter": Role.ADMIN,
    "/manage/organise/dedupe": Role.ADMIN,
    "/manage/organise/{number}": Role.ADMIN,
    "/manage/organise/apply": Role.ADMIN,
    "/manage/organise/undo": Role.ADMIN,
    "/manage/sites": Role.REVIEWER,
    "/manage/sites.{kind}": Role.REVIEWER,
    "/manage/sites/show": Role.REVIEWER,
    "/manage/sites/review": Role.REVIEWER,
    "/manage/sites/decide": Role.REVIEWER,
    "/manage/sites/run": Role.ADMIN,
    "/manage/sites/learn": Role.ADMIN,
    "/manage/peers": Role.ADMIN,
    "/manage/peers/ask": Role.ADMIN,
    "/manage/peers/use": Role.ADMIN,
    "/manage/peers/allow": Role.ADMIN,
    "/manage/peers/forget": Role.ADMIN,
    "/manage/peers/{number}": Role.ADMIN,
    "/manage/inbox": Role.REVIEWER,
    "/manage/inbox/proposal": Role.REVIEWER,
    "/manage/inbox/feedback": Role.REVIEWER,
    "/manage/settings": Role.ADMIN,
    "/manage/users": Role.ADMIN,
    "/manage/users/add": Role.ADMIN,
    "/manage/users/change": Role.ADMIN,
    "/manage/users/remove": Role.ADMIN,
    "/manage/users/sign-out": Role.ADMIN,
    "/manage/sql": Role.ADMIN,
    "/manage/sql.{kind}": Role.ADMIN,
}


def keeper_samples(name: str, evil: str) -> dict[str, tuple[tuple[str, ...], dict[str, str]]]:
    """Return the addresses and the fields of each route; `name` is that of a page, `evil` a text for addresses."""
    decided = {"page": name, "kind": "right", "asked": HOSTILE, "topic": HOSTILE, "order": HOSTILE, "part": "true"}
    return {
        "/review": (
            ("/review", f"/review?page={name}&done=1", f"/review?topic={evil}&page={evil}", "/review?order=top"),
            {},
        ),
        "/review/decide": ((), decided),
        "/review/undo": ((), {"number": "1", "back": HOSTILE}),
        "/review/lesson": ((), {"action": HOSTILE}),
        "/review/log": (("/review/log", f"/review/log?{evil}={evil}"), {}),
        "/review/log.{kind}": (("/review/log.json", "/review/log.csv", "/review/log.exe"), {}),
        "/review/moved": (("/review/moved",), {}),
        "/remove": (
            (f"/remove?page={name}&back=/{evil}", f"/remove?site={evil}", "/remove?site=b.test"),
            {"page": name, "back": HOSTILE, "alone": HOSTILE},
        ),
        "/removed": (("/removed?number=1", f"/removed?number=2&back=/{evil}", f"/removed?number={evil}"), {}),
        **_manage_samples(evil),
    }


def _manage_samples(evil: str) -> dict[str, tuple[tuple[str, ...], dict[str, str]]]:
    topic = {"topic": HOSTILE, "to": HOSTILE}
    asked = "SELECT%20url%20FROM%20documents"
    return {
        "/manage": (("/manage",), {}),
        "/manage/changes": (("/manage/changes",), {}),
        "/manage/undo": ((), {"number": "1", "back": HOSTILE}),
        "/manage/topics": (("/manage/topics", "/manage/topics?done=1"), {}),
        "/manage/topics/preview": (
            (
                f"/manage/topics/preview?edit=add&topic=&to={evil}",
                f"/manage/topics/preview?edit=rename&topic={evil}&to={evil}",
                f"/manage/topics/preview?edit=note&topic=Boats&to={evil}",
            ),
            {},
        ),
        "/manage/topics/change": ((), {"edit": "add", **topic}),
        "/manage/training": ((f"/manage/training?topic={evil}&url={evil}", "/manage/training?topic=Boats"), {}),
        "/manage/training/add": ((), {"urls": HOSTILE, **topic}),
        "/manage/training/remove": ((), {"url": HOSTILE, **topic}),
        "/manage/training/trim": (
            (f"/manage/training/trim?topic=Boats&url={evil}",),
            {"url": HOSTILE, "without": HOSTILE, **topic},
        ),
        "/manage/words": (("/manage/words", f"/manage/words?topic={evil}", "/manage/words?topic=Boats"), {}),
        "/manage/words/mark": ((), {"topic": "Boats", "word": HOSTILE[:150], "mark": "good"}),
        "/manage/archetypes": (("/manage/archetypes",), {}),
        "/manage/archetypes/decide": ((), {"url": HOSTILE, "state": "accepted", **topic}),
        "/manage/archetypes/roll-back": ((), {"step": "77"}),
        **_organise_samples(evil),
        **_peer_samples(),
        "/manage/inbox": (("/manage/inbox",), {}),
        "/manage/inbox/proposal": ((), {"number": "1", "answer": "accepted", "note": HOSTILE, **topic}),
        "/manage/inbox/feedback": ((), {"number": "1", "answer": "declined", "note": HOSTILE}),
        "/manage/settings": (
            ("/manage/settings", f"/manage/settings?find={evil}"),
            {"key": "portal.about", "value": HOSTILE},
        ),
        "/manage/users": (("/manage/users",), {}),
        "/manage/users/add": ((), {"name": HOSTILE, "password": HOSTILE, "role": "reader"}),
        "/manage/users/change": ((), {"name": HOSTILE, "role": HOSTILE}),
        "/manage/users/remove": ((), {"name": HOSTILE}),
        "/manage/users/sign-out": ((), {"name": HOSTILE}),
        "/manage/sql": (
            (f"/manage/sql?q={asked}", f"/manage/sql?q={evil}", "/manage/sql"),
            {"q": "SELECT title, url FROM documents"},
        ),
        "/manage/sql.{kind}": ((), {"q": "SELECT url FROM documents"}),
    }


def _organise_samples(evil: str) -> dict[str, tuple[tuple[str, ...], dict[str, str]]]:
    number = "99999999999999999999"
    return {
        "/manage/organise": (("/manage/organise", f"/manage/organise?topic={evil}"), {}),
        "/manage/organise/split": ((), {"topic": HOSTILE, "rest": HOSTILE[:20]}),
        "/manage/organise/filter": ((), {"topic": HOSTILE, "by": HOSTILE[:20]}),
        "/manage/organise/dedupe": ((), {"similar": HOSTILE}),
        "/manage/organise/{number}": (
            (f"/manage/organise/{number}", "/manage/organise/%22%3E%3Cscript%3Ealert(1)"),
            {},
        ),
        "/manage/organise/apply": ((), {"number": "77"}),
        "/manage/organise/undo": ((), {"step": "77"}),
        "/manage/sites": (
            ("/manage/sites", f"/manage/sites?topic={evil}&state={evil}", "/manage/sites?state=all&page=9"),
            {},
        ),
        "/manage/sites.{kind}": (
            tuple(f"/manage/sites.{kind}?state=all" for kind in ("json", "csv", "html", "exe")),
            {},
        ),
        "/manage/sites/show": ((f"/manage/sites/show?site={evil}", "/manage/sites/show?site=evil.test"), {}),
        "/manage/sites/review": (("/manage/sites/review", f"/manage/sites/review?topic={evil}&after={evil}"), {}),
        "/manage/sites/decide": ((), {"site": HOSTILE, "accepted": "true", "topic": HOSTILE}),
        "/manage/sites/run": ((), {"want": HOSTILE}),
        "/manage/sites/learn": ((), {"x": "y"}),
    }


def _peer_samples() -> dict[str, tuple[tuple[str, ...], dict[str, str]]]:
    return {
        "/manage/peers": (("/manage/peers", "/manage/peers?done=1"), {}),
        "/manage/peers/ask": ((), {"address": HOSTILE, "name": HOSTILE[:50], "key": HOSTILE[:150]}),
        "/manage/peers/use": ((), {"loss": HOSTILE[:15], "error": "2"}),
        "/manage/peers/allow": ((), {"key": "ab" * 32, "name": HOSTILE[:50]}),
        "/manage/peers/forget": ((), {"key": HOSTILE[:150], "block": "true"}),
        "/manage/peers/{number}": (("/manage/peers/1", "/manage/peers/ask", "/manage/peers/nothing"), {}),
    }
