"""Both implementations of the store keep the contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.contract import StoreContract, crawl
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.store.repository import open_store

__all__ = ["crawl"]


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = open_store(tmp_path, create=True)
        yield store
        store.close()
