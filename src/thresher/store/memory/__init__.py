"""The repository in memory, for tests and throw-away crawls."""

from thresher.store.memory.store import MemoryStore

__all__ = ["MemoryStore"]
