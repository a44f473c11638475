"""Limits linear algebra to one thread while a small model is fitted."""

from contextlib import AbstractContextManager
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a `with` block.

    With the few rows of a topic, threads wait for one another far longer than they compute, twenty times as long on a
    busy machine; and summing in a fixed order gives the same model every time.

    >>> with one_thread():
    ...     pass
    """
    from threadpoolctl import threadpool_limits

    limited: AbstractContextManager[Any] = threadpool_limits(1)
    return limited
