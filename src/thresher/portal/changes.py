"""Undoable changes other than page decisions; each is recorded as a deed with the text before and after."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from thresher.peers.keys import own_key
from thresher.portal.view import RequestContext
from thresher.portals import editing_settings, editing_topics, save_settings, save_topics
from thresher.runs.peering import forgotten
from thresher.site_types import SiteVerdict
from thresher.store.decisions import DeedRow, NamedTopics
from thresher.store.peer_records import PeerRow, PeerState
from thresher.store.portal_records import Role, UserRow
from thresher.store.records import ArchetypeState
from thresher.taxonomy.topic_tree import Taxonomy, parsed
from thresher.taxonomy.topics_file import FILE as TOPICS
from thresher.taxonomy.topics_file import read_topics, write_topics

CHANGED: Final = "manage.changed_since"

Renames = Sequence[tuple[str, str]]
"""Topics that were renamed, moved or merged, in order, as pairs of the written path before and after."""


def noted(view: RequestContext, kind: str, about: str, before: Any, after: Any) -> int:
    """Record a deed with the values before and after as JSON, and return its number."""
    row = DeedRow(
        kind=kind,
        about=about[:2000],
        before=msgspec.json.encode(before).decode(),
        after=msgspec.json.encode(after).decode(),
        at=view.library.clock(),
        user=view.user.id if view.user else None,
    )
    return view.library.store.deeds.add(row)


def change_topics(view: RequestContext, about: str, tree: Taxonomy, renamed: Renames = ()) -> int:
    """Save a new topic tree and return the number of the deed; decisions follow the topics that were `renamed`.

    The caller must hold `editing_topics`, and the tree must derive from the one it yields.
    """
    return _write_topics(view, "topics", about, tree, renamed)


def change_training(view: RequestContext, about: str, tree: Taxonomy) -> int:
    """Save a topic tree with new training pages or words, as reviewers may, and return the number of the deed.

    The caller must hold `editing_topics`, and the tree must derive from the one it yields.
    """
    return _write_topics(view, "training", about, tree, ())


def _write_topics(view: RequestContext, kind: str, about: str, tree: Taxonomy, renamed: Renames) -> int:
    library = view.library
    before = write_topics(library.fresh_topics())
    save_topics(library.portal, tree)
    colours = library.store.topic_history.colours()
    rows = _rename(view, renamed)
    told = {
        "text": before,
        "decisions": rows,
        "colours": {old: colours[old] for old, _ in renamed if old in colours},
    }
    library.forget()
    return noted(view, kind, about, told, {"text": write_topics(tree), "renamed": renamed})


def _rename(view: RequestContext, renamed: Renames) -> list[NamedTopics]:
    """Make decisions and addresses follow renamed topics; return the topics that the decisions named before."""
    store = view.library.store
    rows: dict[int, NamedTopics] = {}
    for before, after in renamed:
        for row in store.decisions.rename(before, after):
            rows.setdefault(row.number, row)
    store.topic_history.move(renamed, view.library.clock())
    return list(rows.values())


def _rename_back(view: RequestContext, deed: DeedRow) -> None:
    """Restore the topics that decisions and addresses named before a deed.

    If two topics were merged, decisions made since then belong to the merged topic and stay with it.
    """
    store, before = view.library.store, msgspec.json.decode(deed.before)
    tree = read_topics(before["text"], TOPICS)
    since = [row.id for row in store.decisions.all() if row.at >= deed.at]
    for old, new in reversed(msgspec.json.decode(deed.after)["renamed"]):
        if tree.get(parsed(new)) is not None:
            store.topic_history.forget(old)
        else:
            store.decisions.rename(new, old, since)
            store.topic_history.move([(new, old)], view.library.clock())
    store.decisions.restore([NamedTopics(*row) for row in before["decisions"]])
    store.topic_history.paint(before["colours"])


def change_settings(view: RequestContext, about: str, before: str, text: str) -> int:
    """Save the settings file and return the number of the deed.

    The caller must hold `editing_settings`, which yields the text `before`.
    """
    save_settings(view.library.portal, text)
    return noted(view, "settings", about, before, text)


def undo(view: RequestContext, row: DeedRow) -> str | None:
    """Undo a deed, or redo it if it was undone; return the message key of why that is impossible, or None."""
    back = row.undone is None
    fault = _WAYS[row.kind](view, row, back)
    if fault is None:
        view.library.store.deeds.undone(row.id, view.library.clock() if back else None)
        view.library.forget()
    return fault


def _topics(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    before, after = msgspec.json.decode(row.before), msgspec.json.decode(row.after)
    now, wanted = (after, before) if back else (before, after)
    if after["renamed"] and "decisions" not in before:
        # An older version did not record enough to undo this.
        return CHANGED
    with editing_topics(view.library.portal) as tree:
        if write_topics(tree) != now["text"]:
            return CHANGED
        save_topics(view.library.portal, read_topics(wanted["text"], TOPICS))
        if after["renamed"] and back:
            _rename_back(view, row)
        elif after["renamed"]:
            _rename(view, after["renamed"])
    return None


def _settings(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    before, after = msgspec.json.decode(row.before), msgspec.json.decode(row.after)
    with editing_settings(view.library.portal) as text:
        if text != (after if back else before):
            return CHANGED
        save_settings(view.library.portal, before if back else after)
    return None


def _archetype(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    topic, url = msgspec.json.decode(row.about)
    wanted = ArchetypeState(msgspec.json.decode(row.before if back else row.after))
    store = view.library.store
    found = [one for one in store.archetypes.all() if (one.topic, one.url) == (topic, url)]
    if not found:
        return CHANGED
    store.archetypes.put([replace(found[0], state=wanted, at=view.library.clock())])
    return None


def _inbox(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    kind, number = row.about.split()
    before, after = msgspec.json.decode(row.before), msgspec.json.decode(row.after)
    store = view.library.store
    if decision := after.get("decision"):
        if back:
            store.decisions.undo(decision, view.library.clock())
        else:
            store.decisions.redo(decision)
    if (deed := after.get("deed")) and (inner := store.deeds.get(deed)) and (inner.undone is None) is back:
        fault = undo(view, inner)
        if fault is not None:
            return fault
    mark = store.inbox.mark_proposal if kind == "proposal" else store.inbox.mark_feedback
    mark(int(number), (before if back else after)["state"])
    return None


def _remove(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    """Undo or redo the decisions of a removal; pages that were judged since then keep their judgement."""
    view.library.store.decisions.mark_all(msgspec.json.decode(row.after), view.library.clock() if back else None)
    return None


def _site(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    """Restore the previous verdict on a site."""
    before, after = (msgspec.json.decode(text, type=SiteVerdict | None) for text in (row.before, row.after))
    now, wanted = (after, before) if back else (before, after)
    sites = view.library.store.sites
    found = next((said for said in sites.verdicts() if said.site == row.about), None)
    if found != now:
        return CHANGED
    if wanted is None:
        sites.unsay(row.about)
    else:
        sites.say(wanted)
    return None


def peer_told(row: PeerRow | None) -> Any:
    """Return the record of another portal as a deed stores it."""
    return msgspec.to_builtins(row)


def _peer(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    """Restore the previous state of another portal: allowed, blocked or unknown; its models must be fetched again."""
    before, after = (msgspec.json.decode(text, type=PeerRow | None) for text in (row.before, row.after))
    now, wanted = (after, before) if back else (before, after)
    store, kept = view.library.store, now or wanted
    found = store.peers.get(kept.key) if kept is not None else None
    if _standing(found) != _standing(now):
        return CHANGED
    if wanted is not None:
        store.peers.put(wanted)
    if kept is not None and (wanted is None or wanted.state is not PeerState.ALLOWED):
        portal = view.library.portal
        forgotten(portal, store, [kept], own_key(portal).public, keep=wanted is not None)
    return None


def _standing(row: PeerRow | None) -> tuple[str, str] | None:
    """Return the part of a portal's record that people decide; its address and last message change on their own."""
    return (row.name, row.state.value) if row is not None else None


def told_of(user: UserRow) -> dict[str, Any]:
    """Return the record of an account as a deed stores it; `made` distinguishes accounts of the same name."""
    return {"name": user.name, "role": user.role.value, "password": user.password, "made": user.made}


def _user(view: RequestContext, row: DeedRow, back: bool) -> str | None:
    """Restore the previous state of an account; passwords are stored as hashes."""
    before, after = msgspec.json.decode(row.before), msgspec.json.decode(row.after)
    now, wanted = (after, before) if back else (before, after)
    users = view.accounts.users
    found = users.get((now or wanted)["name"])
    if not _is_as_told(found, now):
        return CHANGED
    if found is None:
        made = wanted.get("made", view.library.clock())
        return None if users.add(wanted["name"], Role(wanted["role"]), wanted["password"], made) else CHANGED
    if wanted is None:
        return None if users.remove(found.id, keep_admin=True) else "manage.last_admin"
    changed = replace(found, role=Role(wanted["role"]))
    return None if users.change(changed, keep_admin=True) else "manage.last_admin"


def _is_as_told(user: UserRow | None, told: dict[str, Any] | None) -> bool:
    """Return whether an account is as a deed left it; the password may differ, since people change their own."""
    if user is None or told is None:
        return user is None and told is None
    same = (user.name, user.role.value) == (told["name"], told["role"])
    return same and user.made == told.get("made", user.made)


_WAYS: Final[dict[str, Callable[[RequestContext, DeedRow, bool], str | None]]] = {
    "topics": _topics,
    "training": _topics,
    "settings": _settings,
    "archetype": _archetype,
    "inbox": _inbox,
    "user": _user,
    "remove": _remove,
    "site": _site,
    "peer": _peer,
}
