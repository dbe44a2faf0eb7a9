# SPDX-License-Identifier: Apache-2.0
"""Questions of a few rows, by numpy: starting the harness takes longer than answering them."""

from typing import Any

import numpy as np
import scipy.linalg

FEW = 8


def best_of_few(
    queries: np.ndarray, factors: np.ndarray, left_out: np.ndarray, liked: Any, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """What Recommender.recommend of the native module answers: ids, int32, and scores; -1 and minus infinity without any left."""
    scores = queries @ factors.T
    scores[:, left_out.view(bool)] = -np.inf
    if liked is not None:
        scores[np.repeat(np.arange(len(queries)), np.diff(liked.indptr)), liked.indices] = -np.inf
    ids = np.full((len(queries), count), -1, np.int32)
    best = np.full((len(queries), count), -np.inf, scores.dtype)
    for row, own in enumerate(scores):
        least = np.partition(own, -count)[-count] if count < len(own) else -np.inf
        candidates = np.flatnonzero(own >= least) if np.isfinite(least) else np.flatnonzero(np.isfinite(own))
        order = candidates[np.argsort(-own[candidates], kind="stable")][:count]
        ids[row, : len(order)], best[row, : len(order)] = order, own[order]
    return ids, best


def solved(ratings: Any, fixed: np.ndarray, gram: np.ndarray, regularization: float) -> np.ndarray:
    """Rows that minimise the objective, float64; zeros for those without ratings. ratings: values are confidences times signs.

    gram: of all of `fixed`.

    Raises numpy.linalg.LinAlgError where an equation has no solution.
    """
    rows = np.zeros((ratings.shape[0], fixed.shape[1]))
    damped = gram.astype(np.float64) + regularization * np.eye(fixed.shape[1])
    for row, (begin, end) in enumerate(zip(ratings.indptr[:-1], ratings.indptr[1:], strict=True)):
        if begin == end:
            continue
        y, c = fixed[ratings.indices[begin:end]].astype(np.float64), ratings.data[begin:end].astype(np.float64)
        matrix = damped + y.T @ ((np.abs(c) - 1)[:, None] * y)
        rows[row] = scipy.linalg.cho_solve(scipy.linalg.cho_factor(matrix), np.maximum(c, 0) @ y)
    return rows
