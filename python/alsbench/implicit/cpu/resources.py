# SPDX-License-Identifier: Apache-2.0
"""The device, the threads and the progress bar of a model."""

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from threadpoolctl import threadpool_limits

from alsbench._libraries import native
from alsbench.implicit.utils import whole

# OpenMP ends the process where threads cannot be started.
MOST_THREADS = max(1024, os.cpu_count() or 1)


@functools.cache
def device_named(name: str, num_threads: int = 0) -> Any:
    """num_threads: those of a CPU; 0: all. Raises UsageError for a wrong number."""
    return native.AskedDevice(name, _checked(num_threads))


def threads(num_threads: int) -> AbstractContextManager[Any]:
    """Raises UsageError for a wrong number."""
    count = _checked(num_threads)
    return threadpool_limits(count, user_api="openmp") if count > 0 else nullcontext()


def _checked(num_threads: Any) -> int:
    return whole(num_threads, "num_threads", 0, MOST_THREADS)


@contextmanager
def progress(total: int, shown: bool) -> Iterator[Callable[[float | None], None]]:
    """advance(loss), for each iteration."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = False
    if not shown:
        yield lambda loss: None
        return
    with tqdm(total=total) as bar:

        def advance(loss: float | None) -> None:
            bar.update(1)
            if loss is not None:
                bar.set_postfix({"loss": loss})

        yield advance
