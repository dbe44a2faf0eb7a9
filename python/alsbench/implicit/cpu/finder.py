# SPDX-License-Identifier: Apache-2.0
"""Finder: the rows of a side with the largest products with others, among candidates."""

from typing import Any

import numpy as np

from alsbench._libraries import native
from alsbench.implicit.recommender_base import ModelFitError
from alsbench.implicit.utils import whole

# Scores of items that fill a row whose other items are left out.
LEFT_OUT = -np.finfo(np.float32).max
_NONE = np.array([], np.int32)


class Candidates:
    """The rows that may be found: `only` these, unless it is None, but for those in `without`; both ascending.

    without: numbers of rows, or a mask of all. count: how many columns a result has at most. dtype: of the numbers that are found.
    """

    def __init__(self, rows: int, only: Any, without: Any, only_name: str, without_name: str) -> None:
        self.only: np.ndarray | None = None
        self.without = _NONE
        self.count = rows
        self.dtype = np.dtype(np.int32)
        if only is not None:
            if without is not None and np.size(without):
                raise ValueError(f"{only_name} and {without_name}: give one of them")
            only = _numbers(only, rows, only_name)
            self.only, self.dtype = np.unique(only).astype(np.int32), only.dtype
            self.count = len(self.only)
        elif without is not None and np.size(without):
            without = np.asarray(without)
            if without.dtype == bool and without.shape == (rows,):
                without = np.flatnonzero(without)
            self.without = np.unique(_numbers(without, rows, without_name)).astype(np.int32)

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
                if len(fill) < len(places):
                    raise ModelFitError("scores are not finite; factors have NaN or infinite numbers")
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
        """Ids and products, of the shape (count,) or (rows, count); fewer columns where there are fewer candidates."""
        count = whole(count, "N", 0)
        queries = floats(np.atleast_2d(rows))
        if queries.shape[1] != self._factors.shape[1]:
            raise ValueError(f"user_factors have {queries.shape[1]} columns, and item_factors {self._factors.shape[1]}")
        recommender, without = self._recommender(candidates, len(queries))
        ids, scores = recommender.recommend(
            native.ModelSide(queries, np.zeros(len(queries), np.uint8)),
            np.arange(len(queries), dtype=np.int32),
            liked,
            without,
            min(count, candidates.count),
        )
        ids, scores = candidates.filled(np.array(ids), scores.astype(at_least_float32(rows).dtype), liked)
        ids = ids.astype(candidates.dtype, copy=False)
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


def _numbers(rows: Any, count: int, name: str) -> np.ndarray:
    """A column of numbers of rows. Raises IndexError for what is none, as numpy does where it is asked for such rows."""
    rows = np.asarray(rows)
    if not rows.size:
        return _NONE
    if rows.dtype.kind not in "iu" or rows.ndim > 1:
        way = "numpy.flatnonzero makes it of a mask" if rows.dtype == bool else "such as [3, 7]"
        raise IndexError(f"{name}: is of dtype {rows.dtype} and shape {rows.shape}; give a column of integers: {way}")
    if rows.min() < 0 or rows.max() >= count:
        raise IndexError(f"{name}: {rows[(rows < 0) | (rows >= count)][0]} is outside [0, {count})")
    return rows
