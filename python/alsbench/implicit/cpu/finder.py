# SPDX-License-Identifier: Apache-2.0
"""Finder: the rows of a side with the largest products with others, among candidates."""

from typing import Any

import numpy as np

from alsbench._libraries import native

# Scores of items that fill a row whose other items are left out.
LEFT_OUT = -np.finfo(np.float32).max
_NONE = np.array([], np.int32)


class Candidates:
    """The rows that may be found: `only` these, unless it is None, but for those in `without`; both ascending.

    count: how many columns a result has at most.
    """

    def __init__(self, rows: int, only: Any, without: Any, only_name: str, without_name: str) -> None:
        self.only: np.ndarray | None = None
        self.without = _NONE
        self.count = rows
        if only is not None:
            if without is not None and np.size(without):
                raise ValueError(f"{only_name} and {without_name}: give one of them")
            self.only = np.unique(_within(only, rows, only_name)).astype(np.int32)
            self.count = len(self.only)
        elif without is not None and np.size(without):
            self.without = np.unique(_within(without, rows, without_name)).astype(np.int32)

    def filled(self, ids: np.ndarray, scores: np.ndarray, liked: Any) -> tuple[np.ndarray, np.ndarray]:
        """Places that no candidate is left for hold those that were left out: what is liked first."""
        if ids.size and ids[:, -1].min() < 0:
            for row in np.flatnonzero(ids[:, -1] < 0):
                places = np.flatnonzero(ids[row] < 0)
                fill = self.without
                if liked is not None:
                    own = liked.indices[liked.indptr[row] : liked.indptr[row + 1]]
                    allowed = ~np.isin(own, self.without) if self.only is None else np.isin(own, self.only)
                    fill = np.concatenate([own[allowed], fill])
                ids[row, places] = fill[: len(places)]
            scores[np.isneginf(scores)] = LEFT_OUT
        return ids, scores


class Finder:
    """Asked again, it copies no factors; those in float32 never."""

    def __init__(self, factors: np.ndarray, device: Any) -> None:
        self._factors = floats(factors)
        self._device = device
        self._of_all = self._among(np.zeros(len(factors), np.uint8))

    def best(self, rows: np.ndarray, count: int, liked: Any, candidates: Candidates) -> tuple[np.ndarray, np.ndarray]:
        """Ids, int32, and products, of the shape (count,) or (rows, count); fewer columns where there are fewer candidates."""
        queries = floats(np.atleast_2d(rows))
        recommender, without = self._recommender(candidates, len(queries))
        ids, scores = recommender.recommend(
            native.ModelSide(queries, np.zeros(len(queries), np.uint8)),
            np.arange(len(queries), dtype=np.int32),
            liked,
            without,
            min(count, candidates.count),
        )
        ids, scores = candidates.filled(np.array(ids), scores.astype(at_least_float32(rows).dtype), liked)
        return (ids[0], scores[0]) if rows.ndim == 1 else (ids, scores)

    def _recommender(self, candidates: Candidates, queries: int) -> tuple[Any, np.ndarray]:
        """A recommender, and the rows that it must be told to leave out. Few are told, since another one copies factors."""
        if candidates.only is not None:
            left_out = np.ones(len(self._factors), np.uint8)
            left_out[candidates.only] = 0
            return self._among(left_out), _NONE
        if len(candidates.without) * queries <= len(self._factors):
            return self._of_all, candidates.without
        left_out = np.zeros(len(self._factors), np.uint8)
        left_out[candidates.without] = 1
        return self._among(left_out), _NONE

    def _among(self, left_out: np.ndarray) -> Any:
        return native.Recommender(self._device, native.ModelSide(self._factors, left_out))


def at_least_float32(factors: np.ndarray) -> np.ndarray:
    """A plain array: of float32 where the factors are of float16, else of their own type."""
    factors = np.asarray(factors)
    return factors.astype(np.promote_types(factors.dtype, np.float32), copy=False)


def floats(factors: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(factors, dtype=np.float32)


def _within(ids: Any, rows: int, name: str) -> np.ndarray:
    ids = np.asarray(ids)
    if ids.size and (ids.min() < 0 or ids.max() >= rows):
        wrong = ids[(ids < 0) | (ids >= rows)][0]
        raise IndexError(f"{name}: {wrong} is outside [0, {rows})")
    return ids
