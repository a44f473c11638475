"""The repository in memory, for tests and temporary crawls."""

from thresher.store.memory.store import MemoryStore

__all__ = ["MemoryStore"]
