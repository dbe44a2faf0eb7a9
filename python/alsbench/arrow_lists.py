# SPDX-License-Identifier: Apache-2.0
"""Lists of `alsbench recommend` and `similar` as batches of Arrow: rows in the array that the program writes, ids in its model."""

import collections
import contextlib
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_ANSWERS = 1 << 18  # of a batch
_FILES = {"user": "users.txt", "item": "items.txt"}


class ModelChanged(Exception):
    """The ids may be those of another model than the program has read."""


def ids_of(lines: Sequence[str], number: Any) -> Any:
    """An array of Arrow: of that type of whole numbers where all ids are such, else of strings."""
    import pyarrow

    texts = pyarrow.array(lines, pyarrow.string())
    try:
        numbers = texts.cast(number)
    except pyarrow.ArrowInvalid:
        return texts
    return numbers if numbers.cast(pyarrow.string()).equals(texts) else texts  # "07" is not 7


class ModelIds:
    """The ids in the folder of a model, which the program reads after this was made and before it writes."""

    def __init__(self, folder: str | os.PathLike) -> None:
        self._folder = pathlib.Path(folder)
        self._record = self._stamp()

    def of(self, side: str) -> Any:
        """An array of Arrow of each row's id: int64 where all of them are such numbers, else string.

        Raises ModelChanged where the folder no longer has the model that it had.
        """
        import pyarrow

        lines = (self._folder / _FILES[side]).read_bytes().decode().split("\n")[:-1]
        if self._stamp() != self._record:
            raise ModelChanged(f"{self._folder}: another model took this one's place meanwhile; run it again")
        return ids_of(lines, pyarrow.int64())

    def _stamp(self) -> tuple[int, ...] | None:
        """Of the file that replacing a model removes first and writes last."""
        with contextlib.suppress(OSError):
            stat = os.stat(self._folder / "record.json")
            return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns
        return None


def batches(pipe: Any, ids: ModelIds) -> Iterator[Any]:
    """Batches of the columns that the lines have: id, rank, id of the answer, score; one at least, unless the pipe is empty.

    Raises EOFError where the pipe ends early.
    """
    import numpy as np

    if not pipe.read(np.lib.format.MAGIC_LEN):
        return
    kind: Any
    (count,), _, kind = np.lib.format.read_array_header_1_0(pipe)
    asker, answer, _ = kind.names
    askers = ids.of(asker)
    answers = askers if answer == "similar" else ids.of(answer)
    at_a_time = max(1, _ANSWERS // kind[answer].shape[0])
    lists = (_read(pipe, kind, min(at_a_time, count - begin)) for begin in range(0, count, at_a_time))
    yield from _on_all_threads(lambda some: _batch(some, askers, answers), lists)


def _on_all_threads(function: Callable[[Any], Any], values: Iterable[Any]) -> Iterator[Any]:
    """function(value) of each, in order."""
    threads = len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(threads) as pool:
        made: collections.deque = collections.deque()
        for value in values:
            made.append(pool.submit(function, value))
            if len(made) > threads:
                yield made.popleft().result()
        while made:
            yield made.popleft().result()


def _read(pipe: Any, kind: Any, count: int) -> Any:
    """An array of that kind and length."""
    import numpy as np

    whole: Any = np.empty(count * kind.itemsize, np.uint8)
    rest = memoryview(whole)
    while rest:
        size = pipe.readinto(rest)
        if not size:
            raise EOFError("the program wrote less than it had said")
        rest = rest[size:]
    return whole.view(kind)


def _batch(lists: Any, askers: Any, answers: Any) -> Any:
    import numpy as np
    import pyarrow

    asker, answer, score = lists.dtype.names
    there = lists[answer] >= 0  # others are places without an answer
    lengths = np.count_nonzero(there, axis=1)
    ranks = np.broadcast_to(np.arange(1, there.shape[1] + 1, dtype=np.int32), there.shape)
    columns = {
        asker: askers.take(pyarrow.array(np.repeat(lists[asker], lengths))),
        "rank": pyarrow.array(ranks[there]),
        answer: answers.take(pyarrow.array(lists[answer][there])),
        score: pyarrow.array(lists[score][there]),
    }
    return pyarrow.record_batch(list(columns.values()), names=list(columns))
