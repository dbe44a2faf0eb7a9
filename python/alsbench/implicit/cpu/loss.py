# SPDX-License-Identifier: Apache-2.0
"""The loss of implicit ALS without a dense matrix (docs/explanation/implicit.md)."""

from typing import Any

import numpy as np


def calculate_loss(Cui: Any, X: np.ndarray, Y: np.ndarray, regularization: float, num_threads: int = 0) -> float:
    """The loss of factors, a unit of confidence's: over all cells, plus regularization times the sum of squared factors.

    Cui: CSR of confidences, users x items; below 0 where a user does not prefer an item. num_threads: not used.
    """
    X, Y = X.astype(np.float64), Y.astype(np.float64)
    users = np.repeat(np.arange(Cui.shape[0]), np.diff(Cui.indptr))
    sums = np.zeros(2)  # of what cells that are stored add, and of their confidences
    for first in range(0, Cui.nnz, 2**20):
        part = slice(first, first + 2**20)
        scores = np.einsum("ij,ij->i", X[users[part]], Y[Cui.indices[part]])
        confidence = np.abs(Cui.data[part])
        sums += (confidence * ((Cui.data[part] > 0) - scores) ** 2 - scores**2).sum(), confidence.sum()
    squares = np.vdot(X.T @ X, Y.T @ Y)
    norms = np.vdot(X, X) + np.vdot(Y, Y)
    return float((squares + sums[0] + regularization * norms) / (sums[1] + Cui.shape[0] * Cui.shape[1] - Cui.nnz))
