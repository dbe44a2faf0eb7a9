# SPDX-License-Identifier: Apache-2.0
"""The device, the threads and the progress bar of a model."""

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from threadpoolctl import threadpool_limits

from alsbench._libraries import native


@functools.cache
def device_named(name: str, threads: int = 0) -> Any:
    """threads: those of a CPU; 0: all."""
    return native.AskedDevice(name, max(threads, 0))


def threads(count: int) -> AbstractContextManager[Any]:
    return threadpool_limits(count, user_api="openmp") if count > 0 else nullcontext()


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
