# SPDX-License-Identifier: Apache-2.0
"""Ratings: matrices of users x items, where they come from, and how they reach the trainer.

A matrix is scipy's CSR: row u has the ratings of user u, in float32, with ascending indices and no cell twice.
A rating of 0 that is stored is a rating; a cell that is not stored has none.
"""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import scipy.sparse

from alsbench._libraries import native
from alsbench.errors import UsageError

Duplicates = Literal["error", "last", "mean", "sum"]
SplitBy = Literal["random", "time", "user-time", "leave-last-out", "leave-one-out"]


@dataclass(frozen=True)
class Ratings:
    """Ratings with the ids that rows and columns stand for.

    matrix: csr_array, users x items, float32.
    test: csr_array of the same shape with ratings that are not trained on, or None.
    users, items: the original id of each row and column, ascending.
    """

    matrix: scipy.sparse.csr_array
    users: np.ndarray = field(repr=False)
    items: np.ndarray = field(repr=False)
    test: scipy.sparse.csr_array | None = None


def to_native(matrix: Any, name: str) -> Any:
    """The trainer's view of a matrix: of float32 and int32 arrays nothing is copied but indptr, which it has in 64 bits.

    Other numbers are converted to float32, as the program does with files of them.
    A dense array has a rating in each cell that is not NaN; it is copied.

    Raises TypeError for what is no such matrix, UsageError for one with unsorted or repeated indices or values that are not finite.
    """
    if isinstance(matrix, np.ndarray):
        return _dense_to_native(matrix, name)
    if not scipy.sparse.issparse(matrix) or matrix.format != "csr":
        what = (
            f"a sparse matrix in {matrix.format} format"
            if scipy.sparse.issparse(matrix)
            else f"a {type(matrix).__name__}"
        )
        raise TypeError(
            f"{name}: is {what}; give scipy's CSR: tocsr() makes it, and adds up cells that are there twice"
        )
    if matrix.ndim != 2:
        raise TypeError(f"{name}: has {matrix.ndim} dimensions; give users x items")
    return native.Csr.of(
        name,
        matrix.shape,
        _integers(matrix.indptr, np.int64),
        _integers(matrix.indices, np.int32),
        _values(matrix.data, name),
    )


def _dense_to_native(matrix: np.ndarray, name: str) -> Any:
    if matrix.ndim != 2:
        raise TypeError(f"{name}: has {matrix.ndim} dimensions; give users x items")
    values = _values(matrix, name)
    known = ~np.isnan(values)
    indptr = np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int64)
    return native.Csr.of(name, matrix.shape, indptr, np.nonzero(known)[1].astype(np.int32), values[known])


def _integers(values: np.ndarray, dtype: type) -> np.ndarray:
    if values.dtype != dtype and values.size and values.max() > np.iinfo(dtype).max:
        raise UsageError(f"an index of {values.max()} is beyond 2^31 - 1, the most columns that a matrix may have")
    return np.ascontiguousarray(values, dtype=dtype)


def _values(values: np.ndarray, name: str) -> np.ndarray:
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name}: its values are of dtype {values.dtype}; give numbers, best as float32")
    with np.errstate(over="ignore"):  # an infinite value is named with its place
        return np.ascontiguousarray(values, dtype=np.float32)


def from_native(matrix: Any) -> scipy.sparse.csr_array:
    """scipy's view of a matrix of the harness: values and indices are not copied."""
    indptr = matrix.indptr
    if indptr[-1] <= np.iinfo(np.int32).max:  # else scipy has the indices in 64 bits, too, and copies them
        indptr = indptr.astype(np.int32)
    result = scipy.sparse.csr_array((matrix.data, matrix.indices, indptr), shape=matrix.shape, copy=False)
    result.has_sorted_indices = result.has_canonical_format = True
    return result


def load_ratings(
    path: str | os.PathLike | None = None,
    *,
    dataset: str | None = None,
    scale: float = 1.0,
    format: str | None = None,
    columns: str | Mapping[str, str | int] | None = None,
    test: str | os.PathLike | None = None,
    test_fraction: float = 0.1,
    by: SplitBy = "random",
    seed: int = 42,
    duplicates: Duplicates = "error",
) -> Ratings:
    """The ratings that `alsbench train` would train on: a file of any format, or a generated data set, through the program's cache.

    path: a file or folder of ratings; or in its place dataset, the name of a generated set (`alsbench list datasets`), and its scale.
    format: that of the file; None finds it by the content.
    columns: which column of a text file is user, item, rating and time, by name or number from 1,
        such as {"user": "buyer_id", "item": 1}; what is left out is found.
    test: a file of test ratings; without it test_fraction of the ratings are held out.
    by: which ones, as train_test_split says; the times are those of the file.
    duplicates: what becomes of cells that are rated twice.

    >>> ratings = alsbench.load_ratings(dataset="ml-100k", scale=0.1)
    >>> ratings.matrix.shape
    (298, 532)

    Warns where every user has one rating, where a value such as -1 stands apart, and where half of the test users are unknown.
    Raises UsageError that names file, line, value and remedy.
    """
    if (path is None) == (dataset is None):
        raise UsageError("give either path or dataset")
    request = native.DataRequest()
    request.path, request.dataset, request.scale = os.fspath(path or ""), dataset or "", scale
    request.format, request.test_path, request.test_fraction = format or "", os.fspath(test or ""), test_fraction
    request.columns = columns if isinstance(columns, str) else ",".join(f"{k}={v}" for k, v in (columns or {}).items())
    request.split_by, request.seed, request.duplicates = by, seed, duplicates
    loaded = native.load_ratings(request)
    for warning in loaded.warnings() if path is not None else ():
        warnings.warn(f"{request.path}: {warning}", UserWarning, stacklevel=2)
    matrix, held_out = from_native(loaded.train), from_native(loaded.test)
    users, items = (
        np.array(ids) if ids else np.arange(size) for ids, size in zip((loaded.users, loaded.items), matrix.shape)
    )
    return Ratings(matrix, users, items, held_out if held_out.nnz else None)


def ratings_of(users: Any, items: Any, values: Any, *, duplicates: Duplicates = "error") -> Ratings:
    """The matrix of triples: values[i] is the rating of users[i] for items[i].

    users, items: ids of any kind that numpy sorts, integers or texts; shape (n,).
    values: numbers, shape (n,).
    duplicates: what becomes of cells that are rated twice.

    >>> ratings = alsbench.ratings_of(["ann", "bob", "ann"], [7, 7, 9], [5, 3, 4])
    >>> ratings.matrix.toarray()
    array([[5., 4.],
           [3., 0.]], dtype=float32)
    >>> ratings.users, ratings.items
    (array(['ann', 'bob'], dtype='<U3'), array([7, 9]))

    Raises UsageError for lengths that differ, values that are not finite, and cells that are rated twice.
    """
    users, items, values = (np.asarray(column) for column in (users, items, values))
    if not users.shape == items.shape == values.shape or values.ndim != 1:
        raise UsageError(
            f"users, items and values have shapes {users.shape}, {items.shape} and {values.shape}; give three columns of one length"
        )
    if not values.size:
        raise UsageError("there are no ratings; give at least one")
    numbers = _values(values, "values")
    if (wrong := np.flatnonzero(~np.isfinite(numbers))).size:
        raise UsageError(
            f"values: number {wrong[0]} is {values[wrong[0]]}; remove the rating, or give it a finite value"
        )
    user_ids, rows = np.unique(users, return_inverse=True)
    item_ids, columns = np.unique(items, return_inverse=True)
    cells = native.Csr.of_cells(
        rows.astype(np.int32), columns.astype(np.int32), numbers, (user_ids.size, item_ids.size), duplicates
    )
    return Ratings(from_native(cells), user_ids, item_ids)


def from_arrow(
    table: Any, *, user: str = "user", item: str = "item", rating: str = "rating", duplicates: Duplicates = "error"
) -> Ratings:
    """The matrix of a pyarrow.Table, whose columns user, item and rating are named; see ratings_of.

    Raises UsageError for a column that is missing or has nulls.
    """

    def column(name: str) -> np.ndarray:
        if name not in table.column_names:
            raise UsageError(f"the table has no column {name!r}; it has {', '.join(map(repr, table.column_names))}")
        if nulls := table[name].null_count:
            raise UsageError(f"column {name!r} has {nulls} nulls; remove these rows, or fill them")
        return table[name].to_numpy()

    users, items = column(user), column(item)
    return ratings_of(_texts(users), _texts(items), column(rating), duplicates=duplicates)


def _texts(ids: np.ndarray) -> np.ndarray:
    """Texts arrive as objects, which numpy sorts slowly."""
    return ids.astype(str) if ids.dtype == object else ids


def read_parquet(
    path: Any, *, user: str = "user", item: str = "item", rating: str = "rating", duplicates: Duplicates = "error"
) -> Ratings:
    """The matrix of a Parquet file or folder, of which three columns are read; see from_arrow."""
    import pyarrow.parquet

    return from_arrow(
        pyarrow.parquet.read_table(path, columns=[user, item, rating]),
        user=user,
        item=item,
        rating=rating,
        duplicates=duplicates,
    )


def train_test_split(
    matrix: Any, test_fraction: float = 0.1, seed: int = 42, *, by: SplitBy = "random", times: Any = None
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Splits ratings into those to train on and those to test with, both of the matrix's shape.

    test_fraction: the share of ratings to test with, to the nearest number; leave-last-out and leave-one-out take none.
    by: which ratings are held out, the same cells that `alsbench train --by` holds out:
      random: of all, by a hash of each cell and the seed; time: the latest of all; user-time: the latest of each user;
      leave-last-out: the last one of each user; leave-one-out: one of each user, by the hash.
      A user keeps at least one rating, unless the split is by random or time.
    times: when each rating was made, whole numbers in the order of matrix.data, shape (nnz,); equal times follow that order.

    Raises UsageError for a fraction outside [0, 1), and for times that are missing or do not fit the matrix.
    """
    if not 0 <= test_fraction < 1:
        raise UsageError(f"test_fraction {test_fraction} is outside [0, 1)")
    ratings = to_native(matrix, "matrix")
    parts = ratings.split(by, test_fraction, seed, _times(times, ratings.data.size, by))
    return from_native(parts[0]), from_native(parts[1])


def _times(times: Any, ratings: int, by: SplitBy) -> np.ndarray:
    if by not in ("time", "user-time", "leave-last-out"):
        return np.empty(0, np.int64)
    if times is None:
        raise UsageError(f"the split by {by} needs times; give one for each rating, in the order of matrix.data")
    column = np.asarray(times)
    if column.shape != (ratings,):
        raise UsageError(f"times have shape {column.shape}, but there are {ratings} ratings; give one for each")
    if column.dtype.kind == "M":
        column = column.astype("datetime64[ns]").astype(np.int64)
    if column.dtype.kind not in "iu":
        raise UsageError(f"times are of dtype {column.dtype}; give whole numbers or datetime64")
    return np.ascontiguousarray(column, dtype=np.int64)
