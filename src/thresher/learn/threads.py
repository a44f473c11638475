"""Restricts linear algebra to one thread while a small model is fitted."""

from contextlib import AbstractContextManager
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """Keep BLAS to one thread inside a `with`.

    On the few rows a topic has, its threads wait for one another far longer than they compute, twenty times as long on
    a busy machine; and sums in one order give the same model every time.

    >>> with one_thread():
    ...     pass
    """
    from threadpoolctl import threadpool_limits

    limited: AbstractContextManager[Any] = threadpool_limits(1)
    return limited
