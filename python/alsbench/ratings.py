# SPDX-License-Identifier: Apache-2.0
"""Ratings: matrices of users x items, where they come from, and how they reach the trainer.

A matrix is scipy's CSR: row u has the ratings of user u, in float32, with ascending indices and no cell twice.
A rating of 0 that is stored is a rating; a cell that is not stored has none.
"""

import datetime
import decimal
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import scipy.sparse

from alsbench._libraries import native
from alsbench.arrow import folders_with_texts, reading, remedy_in_python
from alsbench.arrow_columns import numbers_of, plain
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


def to_native(matrix: Any, name: str, *, rated: bool = True) -> Any:
    """The trainer's view of a matrix: of float32 and int32 arrays nothing is copied but indptr, which it has in 64 bits.

    Other numbers are converted to float32, as the program does with files of them.
    A dense array has a rating in each cell that is not NaN and not masked; it is copied.
    rated: whether cells hold ratings. A dense array most of whose ratings are 0 is warned of.

    Raises TypeError for what is no such matrix, UsageError for one with unsorted or repeated indices or values that are not finite.
    """
    if isinstance(matrix, np.ndarray):
        dense = _dense_to_native(dense_of(matrix, name), name)
        if rated:
            _doubt_zeros(dense.data, name)
        return dense
    if not scipy.sparse.issparse(matrix) or matrix.format != "csr":
        raise TypeError(f"{name}: is {_described(matrix)}")
    if matrix.ndim != 2:
        raise TypeError(f"{name}: has {matrix.ndim} dimensions; give users x items")
    return native.Csr.of(
        name,
        matrix.shape,
        _integers(matrix.indptr, np.int64),
        _integers(matrix.indices, np.int32),
        values_of(matrix, name),
    )


def values_of(matrix: Any, name: str) -> np.ndarray:
    """The values that CSR stores, as float32. Raises UsageError, with its place, for a finite one that is infinite as a float."""
    return _values(matrix.data, name, partial(_stored_cell, matrix))


def _described(matrix: Any) -> str:
    """Name of the thing given in the place of a matrix, and how to make one of it."""
    if scipy.sparse.issparse(matrix):
        return (
            f"a sparse matrix in {matrix.format} format; give scipy's CSR: tocsr() makes it, and adds up cells that are"
            " there twice"
        )
    kind = type(matrix).__name__
    ways = {
        "DataFrame": "ratings_of(frame[user], frame[item], frame[rating]).matrix of three columns, or frame.to_numpy() of"
        " users x items with NaN where there is no rating",
        "Table": "from_arrow(table).matrix",
        "Ratings": "its matrix",
    }
    usual = "scipy's CSR of users x items, or a dense numpy array with NaN where there is no rating"
    return f"a {kind}; give {ways.get(kind, usual)}"


def dense_of(matrix: np.ndarray, name: str) -> np.ndarray:
    """A plain array of float32, with NaN where a masked one is masked."""
    data = np.ma.getdata(matrix)
    values = _values(data, name, lambda index: _cell(*np.unravel_index(index, data.shape)))
    return np.where(np.ma.getmaskarray(matrix), np.float32(np.nan), values) if np.ma.isMaskedArray(matrix) else values


def _dense_to_native(matrix: np.ndarray, name: str) -> Any:
    if matrix.ndim != 2:
        raise TypeError(f"{name}: has {matrix.ndim} dimensions; give users x items")
    known = ~np.isnan(matrix)
    indptr = np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int64)
    return native.Csr.of(name, matrix.shape, indptr, np.nonzero(known)[1].astype(np.int32), matrix[known])


def _doubt_zeros(given: np.ndarray, name: str) -> None:
    """Warns of a dense array in which 0 may stand for no rating, as in most other libraries."""
    if 2 * (zeros := given.size - np.count_nonzero(given)) > given.size:
        warnings.warn(
            f"{name}: {zeros} of its {given.size} ratings are 0: if a cell of 0 has no rating, give "
            f"scipy.sparse.csr_array({name}), or NaN there",
            UserWarning,
            stacklevel=level_of_caller(),
        )


def level_of_caller() -> int:
    """The stacklevel, for who calls this, of the first frame outside of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("alsbench."):
        frame, level = frame.f_back, level + 1
    return level


def _integers(values: np.ndarray, dtype: type) -> np.ndarray:
    if values.size and values.dtype.kind not in "iu":
        raise TypeError(f"indices are of dtype {values.dtype}; give integers")
    if values.dtype != dtype and values.size:
        for index in (values.min(), values.max()):
            if not 0 <= index <= np.iinfo(dtype).max:
                raise UsageError(f"an index of {index} is outside [0, {np.iinfo(dtype).max}], those of a matrix")
    return np.ascontiguousarray(values, dtype=dtype)


def _cell(*index: Any) -> str:
    return ", ".join(f"{axis} {number}" for axis, number in zip(("row", "column"), index, strict=False))


def _stored_cell(matrix: Any, index: int) -> str:
    return _cell(np.searchsorted(matrix.indptr, index, side="right") - 1, matrix.indices[index])


def _values(values: np.ndarray, name: str, place: Callable[[int], str] = "number {}".format) -> np.ndarray:
    """The values as float32. Raises UsageError, with its place, for a finite one that is infinite as a float."""
    if values.dtype == object and all(isinstance(each, decimal.Decimal) for each in values.flat):
        values = values.astype(np.float64)
    if values.dtype.kind not in "fiub":
        raise TypeError(f"{name}: its values are of dtype {values.dtype}; give numbers, best as float32")
    with np.errstate(over="ignore"):  # an infinite value is named with its place
        floats = np.ascontiguousarray(np.asarray(values), dtype=np.float32)
    wider = values.dtype.kind == "f" and values.dtype.itemsize > floats.itemsize
    if wider and (beyond := np.flatnonzero(np.isfinite(values) & ~np.isfinite(floats))).size:
        raise UsageError(
            f"{name}: {place(beyond[0])} has the value {np.ravel(values)[beyond[0]]}, which is too large for a float; "
            "divide the ratings"
        )
    return floats


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
    values: str | Mapping[str, float | None] | None = None,
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
    values: the rating that each name in the column of ratings stands for, such as {"view": 1, "addtocart": 5};
        lines of a name that is None are left out.
    test: a file of test ratings; without it test_fraction of the ratings are held out.
    by: which ones, as train_test_split says; the times are those of the file.
    duplicates: what becomes of cells that are rated twice.

    >>> ratings = alsbench.load_ratings(dataset="ml-100k", scale=0.1)
    >>> ratings.matrix.shape
    (298, 532)

    Ids of a column of integers are integers, all others texts. users and items are ascending.
    Warns where every user has one rating, where a value such as -1 stands apart, and where half of the test users are unknown.
    Raises UsageError that names file, line, value and remedy.
    """
    if (path is None) == (dataset is None):
        raise UsageError("give either path or dataset")
    for each in (path, test):
        if each is not None and (remedy := remedy_in_python(os.fspath(each))):
            raise UsageError(f"{os.fspath(each)}: {remedy}")
    request = native.DataRequest()
    request.path, request.dataset, request.scale = os.fspath(path or ""), dataset or "", scale
    request.format, request.test_path, request.test_fraction = format or "", os.fspath(test or ""), test_fraction
    request.columns = columns if isinstance(columns, str) else ",".join(f"{k}={v}" for k, v in (columns or {}).items())
    request.values = values if isinstance(values, str) else _named_values(values or {})
    request.split_by, request.seed, request.duplicates = by, seed, duplicates
    loaded = native.load_ratings(request)
    for warning in loaded.warnings(request) if path is not None else ():
        warnings.warn(f"{request.path}: {warning}", UserWarning, stacklevel=2)
    matrix, held_out = from_native(loaded.train), from_native(loaded.test)
    users, items = (
        _ids_of_file(ids) if ids else np.arange(size) for ids, size in zip((loaded.users, loaded.items), matrix.shape)
    )
    return Ratings(matrix, users, items, held_out if held_out.nnz else None)


def _named_values(values: Mapping[str, float | None]) -> str:
    if wrong := [name for name in values if "," in name]:
        raise UsageError(f"values: the name {wrong[0]!r} has a comma; rename it in the file")
    return ",".join(f"{name}={'none' if value is None else value}" for name, value in values.items())


def ratings_of(users: Any, items: Any, values: Any, *, duplicates: Duplicates = "error") -> Ratings:
    """The matrix of triples: values[i] is the rating of users[i] for items[i].

    users, items: ids of any kind that can be sorted, such as integers, texts or times; shape (n,).
    values: numbers, shape (n,).
    duplicates: what becomes of cells that are rated twice.

    >>> ratings = alsbench.ratings_of(["ann", "bob", "ann"], [7, 7, 9], [5, 3, 4])
    >>> ratings.matrix.toarray()
    array([[5., 4.],
           [3., 0.]], dtype=float32)
    >>> ratings.users, ratings.items
    (array(['ann', 'bob'], dtype='<U3'), array([7, 9]))

    Warns of a value that stands apart, such as -1 among 1 to 10, and of ids such as 'NULL'.
    Raises UsageError for lengths that differ, ids that are missing (NaN, NaT, None, masked), values that are not finite, and cells that are rated twice.
    """
    lengths = [_shape(*each) for each in ((users, "users"), (items, "items"), (values, "values"))]
    if len(set(lengths)) > 1 or len(lengths[0]) != 1:
        raise UsageError(
            f"users, items and values have shapes {lengths[0]}, {lengths[1]} and {lengths[2]}; give three columns of one length"
        )
    if not lengths[0][0]:
        raise UsageError("there are no ratings; give at least one")
    return _ratings_of(_numbered(users, "users"), _numbered(items, "items"), values, duplicates)


def _shape(column: Any, name: str) -> tuple[int, ...]:
    if hasattr(column, "shape"):
        return tuple(column.shape)
    try:
        return (len(column),)
    except TypeError:
        raise TypeError(
            f"{name}: is a {type(column).__name__}; give a column, such as a list or a numpy array"
        ) from None


Numbered = tuple[np.ndarray, np.ndarray]  # the ids, ascending, and the number of that of each rating


def _ratings_of(users: Numbered, items: Numbered, values: Any, duplicates: Duplicates, name: str = "values") -> Ratings:
    numbers = _values(np.ma.getdata(values) if np.ma.isMaskedArray(values) else np.asarray(values), name)
    masked = np.ma.getmaskarray(values) if np.ma.isMaskedArray(values) else np.zeros(numbers.shape, bool)
    if (wrong := np.flatnonzero(~np.isfinite(numbers) | masked)).size:
        what = "masked" if masked[wrong[0]] else np.asarray(values)[wrong[0]]
        raise UsageError(f"{name}: number {wrong[0]} is {what}; remove the rating, or give it a finite value")
    (user_ids, rows), (item_ids, columns) = users, items
    cells = native.Csr.of_cells(
        rows.astype(np.int32), columns.astype(np.int32), numbers, (user_ids.size, item_ids.size), duplicates
    )
    for warning in cells.warnings(_texts_in(user_ids), _texts_in(item_ids)):
        warnings.warn(warning, UserWarning, stacklevel=level_of_caller())
    return Ratings(from_native(cells), user_ids, item_ids)


def _texts_in(ids: np.ndarray) -> list[str]:
    return ids.tolist() if isinstance(ids[0], str) else []


def _numbered(ids: Any, name: str) -> Numbered:
    masked = np.ma.getmaskarray(ids) if np.ma.isMaskedArray(ids) else None
    texts = isinstance(ids, (list, tuple)) and any(isinstance(each, (str, bytes)) for each in ids)
    column = np.asarray(
        ids, dtype=object if texts else None
    )  # a numpy text is as wide as the longest, and ends before NULs
    if column.dtype.kind == "T":  # numpy's StringDType, which may have a text that is missing
        column = column.astype(object)
    if isinstance(ids, (list, tuple)) and _are_merged(ids, column):
        column = np.asarray(ids, dtype=object)
    if column.ndim != 1:
        raise TypeError(f"{name}: have {column.ndim} dimensions; give one id a rating")
    if (wrong := np.flatnonzero(_missing(column) if masked is None else masked)).size:
        what = column[wrong[0]] if masked is None else "masked"
        raise UsageError(f"{name}: number {wrong[0]} is {what}, which is no id; remove the rating, or give it one")
    if column.dtype.kind == "f":
        _refuse_merged(column, name)
    if column.dtype != object:
        return np.unique(column, return_inverse=True)
    kinds = {type(each) for each in column.tolist()}
    for kind in kinds:
        if issubclass(kind, (float, np.floating)):
            floats = (each if type(each) is kind else 0 for each in column.tolist())
            _refuse_merged(np.fromiter(floats, np.dtype(kind), column.size), name)
    if len(kinds) > 1 and any(issubclass(kind, str) for kind in kinds):
        raise TypeError(
            f"{name}: are of types {', '.join(sorted(k.__name__ for k in kinds))}; give all as texts or integers"
        )
    try:
        distinct = sorted(set(column.tolist()))
    except TypeError:
        raise TypeError(f"{name}: are of dtype object and cannot be ordered; give integers or texts") from None
    numbers = {each: number for number, each in enumerate(distinct)}
    found = np.fromiter((numbers[each] for each in column.tolist()), np.int64, column.size)
    return _array_of(distinct), found


def _refuse_merged(column: np.ndarray, name: str) -> None:
    """Raises UsageError of floats so large that two integers may have become one: pyarrow's CSV reader has such ids."""
    limit = 2.0 ** (np.finfo(column.dtype).nmant + 1)
    if (wrong := np.flatnonzero(np.abs(column) >= limit)).size:
        raise UsageError(
            f"{name}: number {wrong[0]} is {column[wrong[0]]}, and {column.dtype} does not tell integers of this size "
            "apart; read the column as integers or texts"
        )


def _missing(column: np.ndarray) -> np.ndarray:
    """Where a column has no value: NaN, NaT, None or pandas.NA."""
    if column.dtype.kind in "fc":
        return np.isnan(column)
    if column.dtype.kind in "mM":
        return np.isnat(column)
    if column.dtype != object:
        return np.zeros(column.shape, bool)
    return np.fromiter((is_missing(each) for each in column.tolist()), bool, column.size)


def is_missing(value: Any) -> bool:
    """Whether it stands for no value: None, NaN, NaT or pandas.NA."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value))
        or (isinstance(value, (float, np.floating)) and value != value)
    )


def _are_merged(ids: Sequence, array: np.ndarray) -> bool:
    """Whether numpy made floats of integers, as it does where some are from 2^63 on and others are smaller."""
    return array.dtype.kind == "f" and all(isinstance(each, (int, np.integer)) for each in ids)


def _array_of(ids: list) -> np.ndarray:
    """numpy's array of ids. Texts are objects where one is so long that an array of its width would take much more than they do."""
    if not isinstance(ids[0], str):
        array = np.array(ids)
        if _are_merged(ids, array) and ids[0] >= 0 and ids[-1] < 2**64:
            array = np.array(ids, np.uint64)
        elif array.ndim == 1 and array.dtype.kind in "fS" and array.tolist() != ids:
            array = np.array(ids, object)  # integers beside floats, and bytes that end with NUL
        return array if array.ndim == 1 else np.fromiter(ids, object, len(ids))  # tuples
    lengths = [len(text) for text in ids]
    wide = max(lengths) * len(ids) > 4 * sum(lengths) + 2**20
    return np.array(ids, dtype=object if wide or any(text.endswith("\0") for text in ids) else None)


def _ids_of_file(ids: list[str]) -> np.ndarray:
    """The program orders a column by number where all of its ids are integers."""
    texts = _array_of(ids)
    if texts.dtype == object:
        return texts
    try:
        numbers = texts.astype(np.int64 if len(max(ids, key=len)) < 19 else np.uint64)
    except (ValueError, OverflowError):
        return texts
    return numbers if np.array_equal(numbers.astype(texts.dtype), texts) else texts


def from_arrow(
    table: Any, *, user: str = "user", item: str = "item", rating: str = "rating", duplicates: Duplicates = "error"
) -> Ratings:
    """The matrix of a pyarrow.Table, whose columns user, item and rating are named; see ratings_of.

    Raises UsageError for a column that is missing or there twice, has nulls, or has ids that are NaN; TypeError for another table.
    """
    if not hasattr(table, "column_names"):
        ways = "table.to_arrow() makes it of one of Polars, pyarrow.Table.from_pandas(table) of one of pandas"
        raise TypeError(f"the table is a {type(table).__name__}; give a pyarrow.Table: {ways}")

    def column(name: str) -> Any:
        if (count := list(table.column_names).count(name)) != 1:
            what = f"{count} columns" if count else "no column"
            raise UsageError(f"the table has {what} {name!r}; it has {', '.join(map(repr, table.column_names))}")
        values = plain(table[name])
        if nulls := values.null_count:
            first = values.is_null().index(True).as_py()
            raise UsageError(
                f"column {name!r}: has {nulls} nulls, the first is number {first}; remove these rows, or fill them"
            )
        return values

    columns = column(user), column(item), column(rating)
    if not len(table):
        raise UsageError("there are no ratings; give at least one")
    users, items = (_numbered_by_arrow(ids, name) for ids, name in zip(columns, (user, item)))
    return _ratings_of(users, items, numbers_of(columns[2]).to_numpy(), duplicates, f"column {rating!r}")


def _numbered_by_arrow(ids: Any, name: str) -> Numbered:
    """Texts are numbered by Arrow's dictionary, so each of them is held once."""
    import pyarrow

    if not (pyarrow.types.is_string(ids.type) or pyarrow.types.is_large_string(ids.type)):
        return _numbered(ids.to_numpy(), f"column {name!r}")
    encoded = ids.combine_chunks().dictionary_encode()
    if isinstance(encoded, pyarrow.ChunkedArray):
        encoded = encoded.combine_chunks()
    texts = encoded.dictionary.to_pylist()
    order = sorted(range(len(texts)), key=texts.__getitem__)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return _array_of([texts[i] for i in order]), place[encoded.indices.to_numpy(zero_copy_only=False)]


def read_parquet(
    path: Any, *, user: str = "user", item: str = "item", rating: str = "rating", duplicates: Duplicates = "error"
) -> Ratings:
    """The matrix of a Parquet file or folder, of which three columns are read; see from_arrow.

    Raises UsageError that names the file, also where it cannot be read, and MachineError without pyarrow.
    """
    with reading(path):
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetDataset(path)
        if texts := folders_with_texts(file, but=[rating]):
            file = pyarrow.parquet.ParquetDataset(path, partitioning=texts)
        names = file.schema.names
        for name in (user, item, rating):
            if name not in names:
                raise UsageError(
                    f"{path}: has no column {name!r}; it has {', '.join(map(repr, names))}: "
                    "say which they are with user=, item= and rating="
                )
        table = file.read(columns=[user, item, rating])
    try:
        return from_arrow(table, user=user, item=item, rating=rating, duplicates=duplicates)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def train_test_split(
    matrix: Any, test_fraction: float = 0.1, seed: int = 42, *, by: SplitBy = "random", times: Any = None
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Splits ratings into those to train on and those to test with, both of the matrix's shape.

    test_fraction: the share of ratings to test with, to the nearest number; leave-last-out and leave-one-out take none.
    by: which ratings are held out, the same cells that `alsbench train --by` holds out:
      random: of all, by a hash of each cell and the seed; time: the latest of all; user-time: the latest of each user;
      leave-last-out: the last one of each user; leave-one-out: one of each user, by the hash.
      A user keeps at least one rating, unless the split is by random or time.
    times: when each rating was made, in the order of matrix.data, shape (nnz,); equal times follow that order.
      Numbers, datetime64 of any unit, or dates and times of pandas, Arrow and datetime, with or without a time zone.

    Raises UsageError for a fraction outside [0, 1), and for times that are missing, NaN or NaT, or do not fit the matrix;
    TypeError for times of another type.
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
    column = _plain_times(times)
    if column.shape != (ratings,):
        raise UsageError(f"times have shape {column.shape}, but there are {ratings} ratings; give one for each")
    masked = np.ma.getmaskarray(times) if np.ma.isMaskedArray(times) else np.zeros(ratings, bool)
    if (wrong := np.flatnonzero(_missing(column) | masked)).size:
        what = "masked" if masked[wrong[0]] else column[wrong[0]]
        raise UsageError(f"times: number {wrong[0]} is {what}; remove the rating, or give it a time")
    if column.dtype.kind == "M":
        return np.ascontiguousarray(column).view(np.int64)  # of whatever unit: only their order counts
    if column.dtype.kind not in "iuf":
        raise TypeError(f"times are of dtype {column.dtype}; give numbers, datetime64 or datetime")
    if np.can_cast(column.dtype, np.int64):
        return np.ascontiguousarray(column, dtype=np.int64)
    return np.unique(column, return_inverse=True)[1].astype(np.int64)  # fractions, and numbers beyond 2^63


def _plain_times(times: Any) -> np.ndarray:
    """A column as numpy has it; those with a time zone in UTC. Their unit is kept."""
    dtype = getattr(times, "dtype", None)
    if dtype is not None and getattr(dtype, "tz", None) is not None:  # of pandas
        return np.asarray(times, dtype=f"datetime64[{dtype.unit}]")
    column = np.array(times)
    if column.dtype != object or column.ndim != 1:
        return column
    if (wrong := np.flatnonzero(_missing(column))).size:
        raise UsageError(f"times: number {wrong[0]} is {column[wrong[0]]}; remove the rating, or give it a time")
    if not all(isinstance(each, datetime.date) for each in column):
        return column
    zones = {getattr(each, "tzinfo", None) is not None for each in column}
    if len(zones) > 1:
        raise UsageError("times: some have a time zone, and others none; give all of them one, or none")
    if True in zones:
        column[:] = [each.astimezone(datetime.UTC).replace(tzinfo=None) for each in column]
    if any(getattr(each, "nanosecond", 0) for each in column):  # of pandas; numpy's nanoseconds end in 2262
        return np.unique(column, return_inverse=True)[1]
    return column.astype("datetime64[us]")
