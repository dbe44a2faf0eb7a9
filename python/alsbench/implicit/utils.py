# SPDX-License-Identifier: Apache-2.0
"""Shared by the modules of alsbench.implicit: warnings, arguments, random numbers, matrices."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse

from alsbench._libraries import native
from alsbench.errors import UsageError
from alsbench.ratings import values_of

RandomState = int | np.random.RandomState | np.random.Generator | None


class ParameterWarning(Warning):
    """An argument was converted, which takes time."""


MOST = float(np.finfo(np.float32).max)


def whole(value: Any, name: str, least: int, most: int | None = None) -> int:
    """Raises UsageError for what is no whole number from least to most, None: any."""
    if not _is_number(value, "biu") or value < least or (most is not None and value > most):
        end = "on" if most is None else f"to {most}"
        raise UsageError(f"{name} {value!r}: give a whole number from {least} {end}")
    return int(value)


def number(value: Any, name: str, least: float) -> float:
    """Raises UsageError for what is no number from least to the largest float32."""
    if not _is_number(value, "biuf") or not least <= value <= MOST:
        raise UsageError(f"{name} {value!r}: give a number from {least:g} to {MOST:g}")
    return float(value)


def _is_number(value: Any, kinds: str) -> bool:
    """Whether it is one number, of these kinds of numpy's types."""
    return np.ndim(value) == 0 and np.asarray(value).dtype.kind in kinds


def check_random_state(random_state: RandomState) -> np.random.Generator:
    """numpy's generator of a seed, or the generator itself; of a RandomState, one that it seeds."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


def check_csr(matrix: Any, name: str) -> Any:
    """The matrix as CSR. Warns where that takes a conversion. Raises TypeError for what is no sparse matrix."""
    if is_csr(matrix):
        return matrix
    converted = scipy.sparse.csr_matrix(added_up(check_sparse(matrix, name)))
    warnings.warn(
        f"a {type(matrix).__name__} is converted to CSR; give scipy's csr_matrix", ParameterWarning, stacklevel=3
    )
    return converted


def added_up(matrix: Any) -> Any:
    """The sparse matrix as CSR with each cell once: integers and booleans are added in 64 bits, since narrow ones wrap around."""
    if is_csr(matrix) and matrix.has_canonical_format:
        return matrix
    wide = np.promote_types(matrix.dtype, np.int64) if matrix.dtype.kind in "biu" else matrix.dtype
    result = matrix.astype(wide, copy=True).tocsr()
    result.sum_duplicates()
    return result


def check_sparse(matrix: Any, name: str) -> Any:
    """The matrix. Raises TypeError for what is no sparse one: a table of ratings would be taken for users x items."""
    if not hasattr(matrix, "tocsr"):
        raise TypeError(f"{name}: is a {type(matrix).__name__}; {_way(matrix)}")
    return matrix


def _way(matrix: Any) -> str:
    """How to make CSR of it."""
    if type(matrix).__name__ == "DataFrame":
        return (
            "give scipy's CSR of users x items: alsbench.ratings_of(frame[user], frame[item], frame[rating]).matrix of"
            " three columns, or csr_matrix(frame.to_numpy()) of a column for each item"
        )
    return "give scipy's CSR of users x items; csr_matrix(array) makes it of a dense one"


def is_csr(matrix: Any) -> bool:
    """Whether it is scipy's CSR: a csr_matrix, or a csr_array of two dimensions."""
    return scipy.sparse.issparse(matrix) and matrix.format == "csr" and matrix.ndim == 2


_LEAST_WEIGHT = 1e-4  # since a rating of 0 is no preference


def weights(given: Any) -> Any:
    """The ratings r of confidences c = 1 + r: what cells weigh in A_u. 1e-4 at least.

    given: a Csr whose confidences are 1 at least.
    """
    return given.less_one(_LEAST_WEIGHT)


def confidences(matrix: Any, columns: int, alpha: float, name: str) -> Any:
    """The harness's view of a CSR matrix times alpha, widened to so many columns; cells that are there twice are added up.

    Raises UsageError for a matrix with more columns, or with values that are no finite numbers.
    """
    if matrix.shape[1] > columns:
        raise UsageError(f"{name}: has {matrix.shape[1]} columns; the model has {columns} rows for them")
    if matrix.dtype.kind not in "buif":
        raise UsageError(f"{name}: holds {matrix.dtype.name}; give real numbers")
    matrix = added_up(matrix)
    given = native.Csr.of(
        name,
        (matrix.shape[0], columns),
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        values_of(matrix, name),
    )
    return given if alpha == 1.0 else given.times(name, alpha)
