"""The web portal's tables in memory: listed pages, accounts, and submissions from readers."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.memory.browsing import MemoryBrowserKeys
from thresher.store.memory.organising import hidden_topics
from thresher.store.memory.tables import Tables
from thresher.store.portal_records import (
    FeedbackRow,
    LinkNumbers,
    ListedPage,
    ListOrder,
    PageSelection,
    ProposalRow,
    Role,
    SessionRow,
    TopicSite,
    UserRow,
)


class MemoryCatalogue:
    """The accepted pages of the portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def ids(self, shelf: PageSelection, order: ListOrder, limit: int, offset: int = 0) -> list[int]:
        """Return the ids of the pages of a shelf from an offset; by authority or hub, only pages with a score."""
        with self._tables.lock:
            hidden = hidden_topics(self._tables)
            pages = [
                page
                for page in self._accepted()
                if (page.topic not in hidden if shelf.topics is None else page.topic in shelf.topics)
                and shelf.host in (None, page.host)
            ]
            keyed = [(self._key(page, order), page.id) for page in pages]
        ordered = sorted(((-key, id_) for key, id_ in keyed if key is not None))
        return [id_ for _, id_ in ordered[offset : offset + limit]]

    def _key(self, page: ListedPage, order: ListOrder) -> float | None:
        if order is ListOrder.BEST:
            return page.confidence
        if order is ListOrder.NEWEST:
            return page.found
        scores = self._tables.scores.get(page.id)
        score = None if scores is None else scores.authority if order is ListOrder.CITED else scores.hub
        return score or None

    def pages(self, ids: Sequence[int]) -> dict[int, ListedPage]:
        """Return accepted pages by id; other ids are absent."""
        wanted = set(ids)
        with self._tables.lock:
            return {page.id: page for page in self._accepted() if page.id in wanted}

    def sites(self, new_since: float, hosts: Sequence[str] | None = None) -> list[TopicSite]:
        """Return for each topic and host the number of pages, and of pages found since a wall time.

        With `hosts`, only those are counted.
        """
        with self._tables.lock:
            hidden = hidden_topics(self._tables)
            pages = [page for page in self._accepted() if page.topic not in hidden]
        pages = [page for page in pages if hosts is None or page.host in hosts]
        every = Counter((page.topic, page.host) for page in pages)
        new = Counter((page.topic, page.host) for page in pages if page.found >= new_since)
        return [TopicSite(*key, number, new[key]) for key, number in sorted(every.items())]

    def changed_hosts(self, seq: int, start: float, end: float, limit: int) -> list[str]:
        """Return hosts with pages that changed after a sequence number, or that were found between two wall times.

        At most `limit` hosts are returned.
        """
        with self._tables.lock:
            changed = {page.host for at, page in self._tables.documents.values() if at > seq}
            return sorted(changed | {page.host for page in self._accepted() if start <= page.found < end})[:limit]

    def links(self, ids: Sequence[int]) -> dict[int, LinkNumbers]:
        """Return link counts of pages; links of a page to itself do not count."""
        with self._tables.lock:
            accepted = {page.id for page in self._accepted()}
            documents = self._tables.documents
            targets = {
                id_: {link.target for link in documents[id_][1].links} if id_ in documents else set() for id_ in ids
            }
            return {
                id_: LinkNumbers(
                    len(self._tables.sources.get(id_, set()) - {id_}), len(targets[id_] & accepted - {id_})
                )
                for id_ in ids
            }

    def _accepted(self) -> list[ListedPage]:
        found = []
        for id_, (_, page) in self._tables.documents.items():
            judged = self._tables.judged(id_)
            if page.gone is not None or "noindex" in page.robots or judged is None or judged.topic is None:
                continue
            found.append(
                ListedPage(
                    id=id_,
                    url=page.url,
                    host=page.host,
                    title=page.title,
                    topic=judged.topic,
                    confidence=judged.confidence,
                    probability=judged.probability,
                    found=self._tables.found.get(id_, page.at),
                    changed=page.at,
                    preview="" if "nosnippet" in page.robots else page.preview,
                    mime=page.mime,
                    size=page.size,
                    language=page.language,
                    robots=page.robots,
                    state=self._tables.state(id_),
                )
            )
        return found


class MemoryUsers:
    """The accounts of the portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, name: str, role: Role, password: str, at: float) -> UserRow | None:
        """Add an account and return it, or None if the name is taken, ignoring case."""
        with self._tables.lock:
            if self.get(name) is not None:
                return None
            number = max(self._tables.users, default=0) + 1
            self._tables.users[number] = UserRow(id=number, name=name, role=role, password=password, made=at)
            return self._tables.users[number]

    def get(self, name: str) -> UserRow | None:
        """Return the account with a name, ignoring case, or None."""
        return next((user for user in self.all() if _folded(user.name) == _folded(name)), None)

    def all(self) -> list[UserRow]:
        """Return all accounts, oldest first."""
        with self._tables.lock:
            return [self._tables.users[number] for number in sorted(self._tables.users)]

    def change(self, user: UserRow, *, keep_admin: bool = False) -> bool:
        """Write the role and password of an account.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """
        with self._tables.lock:
            if keep_admin and user.role is not Role.ADMIN and self._is_last_admin(user.id):
                return False
            if user.id in self._tables.users:
                kept = self._tables.users[user.id]
                self._tables.users[user.id] = replace(kept, role=user.role, password=user.password)
            return True

    def remove(self, user: int, *, keep_admin: bool = False) -> bool:
        """Remove an account and sign it out everywhere.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """
        with self._tables.lock:
            if keep_admin and self._is_last_admin(user):
                return False
            self._tables.users.pop(user, None)
            MemorySessions(self._tables).end(user=user)
            self._tables.feed_keys.pop(user, None)
            MemoryBrowserKeys(self._tables).remove(user)
            return True

    def _is_last_admin(self, user: int) -> bool:
        return [one.id for one in self.all() if one.role is Role.ADMIN] == [user]


class MemorySessions:
    """The signed-in browsers."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def open(self, session: SessionRow) -> None:
        """Add a session and delete all that had expired when it was made."""
        with self._tables.lock:
            kept = {key: row for key, row in self._tables.sessions.items() if row.expires > session.made}
            self._tables.sessions = {**kept, session.digest: session}

    def user(self, digest: bytes, at: float) -> UserRow | None:
        """Return the account of the session with a digest; None if there is none or it has expired."""
        with self._tables.lock:
            session = self._tables.sessions.get(digest)
            return self._tables.users.get(session.user) if session and session.expires > at else None

    def end(self, *, digest: bytes | None = None, user: int | None = None) -> None:
        """End one session, or all sessions of an account."""
        with self._tables.lock:
            self._tables.sessions = {
                key: row for key, row in self._tables.sessions.items() if key != digest and row.user != user
            }


class MemoryFeedKeys:
    """At most one key per account, stored as a digest."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, user: int, digest: bytes, at: float) -> None:
        """Set the key of an account, replacing any previous one."""
        with self._tables.lock:
            self._tables.feed_keys[user] = (digest, at)

    def user(self, digest: bytes) -> UserRow | None:
        """Return the account whose key has a digest, or None if there is none."""
        with self._tables.lock:
            owner = next((user for user, (known, _) in self._tables.feed_keys.items() if known == digest), 0)
            return self._tables.users.get(owner)

    def made(self, user: int) -> float | None:
        """Return when the key of an account was made, or None if it has none."""
        found = self._tables.feed_keys.get(user)
        return found[1] if found else None

    def remove(self, user: int) -> None:
        """Remove the key of an account, if it has one."""
        with self._tables.lock:
            self._tables.feed_keys.pop(user, None)


class MemoryInbox:
    """Submissions from readers."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def say(self, row: FeedbackRow) -> int:
        """Add a reader's feedback on a page and return its number."""
        with self._tables.lock:
            self._tables.feedback.append(replace(row, id=len(self._tables.feedback) + 1))
            return len(self._tables.feedback)

    def propose(self, row: ProposalRow) -> int:
        """Add a proposal and return its number."""
        with self._tables.lock:
            self._tables.proposals.append(replace(row, id=len(self._tables.proposals) + 1))
            return len(self._tables.proposals)

    def mark_feedback(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of feedback; return False if there is none or its state is not `was`."""
        with self._tables.lock:
            rows = self._tables.feedback
            found = [row.id for row in rows if row.id == number and was in (None, row.state)]
            self._tables.feedback = [replace(row, state=state) if row.id in found else row for row in rows]
            return bool(found)

    def mark_proposal(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of a proposal; return False if there is none or its state is not `was`."""
        with self._tables.lock:
            rows = self._tables.proposals
            found = [row.id for row in rows if row.id == number and was in (None, row.state)]
            self._tables.proposals = [replace(row, state=state) if row.id in found else row for row in rows]
            return bool(found)

    def feedback(self) -> list[FeedbackRow]:
        """Return all feedback, oldest first."""
        return list(self._tables.feedback)

    def proposals(self) -> list[ProposalRow]:
        """Return all proposals, oldest first."""
        return list(self._tables.proposals)


def _folded(name: str) -> str:
    """Return a name as SQLite compares it: only ASCII letters are folded."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)
