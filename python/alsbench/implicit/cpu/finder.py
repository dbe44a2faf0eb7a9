# SPDX-License-Identifier: Apache-2.0
"""Candidates: the rows that a question may find."""

from typing import Any

import numpy as np

# Scores of items that fill a row whose other items are left out.
LEFT_OUT = -np.finfo(np.float32).max


class Candidates:
    """The rows that may be found, and what fills places that none of them is left for.

    left_out: uint8, 1 for rows that may not. count: how many columns a result has at most.
    """

    def __init__(self, rows: int, only: Any, without: Any, only_name: str, without_name: str) -> None:
        self.left_out = np.zeros(rows, np.uint8)
        self.fill = np.array([], np.int32)
        self.count = rows
        if only is not None:
            if without is not None and np.size(without):
                raise ValueError(f"{only_name} and {without_name}: give one of them")
            only = np.unique(_within(only, rows, only_name))
            self.left_out[:] = 1
            self.left_out[only] = 0
            self.count = len(only)
        elif without is not None and np.size(without):
            self.fill = np.unique(_within(without, rows, without_name)).astype(np.int32)
            self.left_out[self.fill] = 1

    def filled(self, ids: np.ndarray, scores: np.ndarray, liked: Any) -> tuple[np.ndarray, np.ndarray]:
        for row in np.flatnonzero((ids < 0).any(axis=1)):
            places = np.flatnonzero(ids[row] < 0)
            fill = self.fill
            if liked is not None:
                own = liked.indices[liked.indptr[row] : liked.indptr[row + 1]]
                fill = np.concatenate([own[self.left_out[own] == 0], fill])
            ids[row, places] = fill[: len(places)]
        return ids, np.where(np.isneginf(scores), LEFT_OUT, scores)


def _within(ids: Any, rows: int, name: str) -> np.ndarray:
    ids = np.asarray(ids)
    if ids.size and (ids.min() < 0 or ids.max() >= rows):
        wrong = ids[(ids < 0) | (ids >= rows)][0]
        raise IndexError(f"{name}: {wrong} is outside [0, {rows})")
    return ids
