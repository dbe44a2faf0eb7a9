# SPDX-License-Identifier: Apache-2.0
"""Models of other libraries, and factors and recommendations as tables of Arrow. docs/reference/models.md is its page.

All but read_implicit needs pyarrow: pip install 'alsbench[arrow]'.
"""

import contextlib
import itertools
import os
import pathlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from alsbench.arrow import need_packages, reading
from alsbench.arrow_lists import ids_of
from alsbench.errors import MachineError, UsageError
from alsbench.model import Model, Objective

_SIDES = ("userFactors", "itemFactors")
FACTOR_KINDS = ("parquet", "arrow")
_MOST_NUMBERS = 2**31 - 1  # in the lists of one array of Arrow
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, OSError)
_ONE_ARRAY = (TypeError, AttributeError, IndexError)  # of numpy.load's result where it is no archive


def read_implicit(path: str | os.PathLike, device: str = "auto") -> Model:
    """The model of an .npz file that AlternatingLeastSquares.save of `implicit` wrote, or that of alsbench.implicit.

    Rows of zeros are cold. The model has no ids. It knows its objective, so rows can be folded in.

    Raises UsageError where the file is no such model.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            users, items = stored["user_factors"], stored["item_factors"]
            alpha, regularization = (float(stored[name]) for name in ("alpha", "regularization"))
    except FileNotFoundError:
        raise
    except (*_DAMAGED, *_ONE_ARRAY) as error:
        said: object = error.args[0] if isinstance(error, KeyError) else error
        if isinstance(error, _ONE_ARRAY) or (pathlib.Path(path).is_file() and not zipfile.is_zipfile(path)):
            said = "holds no archive of arrays"
        raise UsageError(
            f"{os.fspath(path)}: {said}; give a file that AlternatingLeastSquares.save of implicit 0.7 wrote"
        ) from None
    for factors, name in ((users, "user_factors"), (items, "item_factors")):
        _check(factors, f"{os.fspath(path)}: {name}")
    objective = Objective("implicit-als", f"confidence=direct,alpha={alpha!r}", regularization, 0.0)
    return _model(
        users, items, "implicit", device, objective, source=f"{pathlib.Path(path).name}, which implicit saved"
    )


def read_spark(
    folder: str | os.PathLike,
    device: str = "auto",
    *,
    feedback: str = "explicit",
    regularization: float | None = None,
    alpha: float = 1.0,
) -> Model:
    """The model of a folder that ALSModel.save of Spark wrote: `userFactors` and `itemFactors` in Parquet, ids ascending.

    The folder does not say what was trained. feedback, regularization and alpha are Spark's implicitPrefs, regParam and alpha;
    rows can be folded in where regularization is given, and models of explicit feedback predict NaN for cold rows, as Spark does.

    Raises UsageError where the folder is no such model.
    """
    (user_ids, users), (item_ids, items) = (_read_factors(pathlib.Path(folder) / side) for side in _SIDES)
    if feedback not in ("explicit", "implicit"):
        raise UsageError(f"feedback: is {feedback!r}; give explicit or implicit")
    objective = None
    if regularization is not None:
        algorithm, hyper = (
            ("als", "") if feedback == "explicit" else ("implicit-als", f"alpha={alpha!r},regularisation=weighted")
        )
        objective = Objective(algorithm, hyper, float(regularization), 0.0)
    source = f"{pathlib.Path(folder).resolve().name}, which Spark saved"
    return _model(users, items, feedback, device, objective, user_ids, item_ids, source)


def write_factors(model: Model, folder: str | os.PathLike, to: str = "parquet") -> tuple[int, int]:
    """Writes FOLDER/userFactors and FOLDER/itemFactors, of factor_tables, as Spark lays out a model's factors.

    to: "parquet", or "arrow" for files of Arrow. Both folders are there as a whole, or none. Returns their numbers of rows.

    Raises UsageError where one of the two is there, and MachineError where they cannot be written.
    """
    need_packages()
    if to not in FACTOR_KINDS:
        raise UsageError(f"to: is {to!r}; give {' or '.join(FACTOR_KINDS)}")
    places = [pathlib.Path(folder) / side for side in _SIDES]
    for place in places:
        if place.exists():
            raise UsageError(f"{place}: is there already; name another folder, or remove it")
    tables = factor_tables(model)
    try:
        with contextlib.ExitStack() as unless_done:
            if not (out := places[0].parent).exists():
                out.mkdir(parents=True)
                unless_done.callback(out.rmdir)
            new = pathlib.Path(tempfile.mkdtemp(prefix=".", dir=out))
            unless_done.callback(shutil.rmtree, new)
            for place, table in zip(places, tables, strict=True):
                (new / place.name).mkdir()
                _write_table(table, new / place.name / f"part-00000.{to}")
            for place in places:
                (new / place.name).rename(place)
                unless_done.callback(place.rename, new / place.name)
            unless_done.pop_all()
        new.rmdir()
    except OSError as error:
        raise MachineError(f"cannot write into '{folder}': {error}; choose a writable folder with free space") from None
    return tables[0].num_rows, tables[1].num_rows


def _write_table(table: Any, path: pathlib.Path) -> None:
    if path.suffix == ".parquet":
        import pyarrow.parquet

        return pyarrow.parquet.write_table(table, path)
    import pyarrow.feather

    pyarrow.feather.write_feather(table, path, compression="uncompressed")


def factor_tables(model: Model) -> tuple[Any, Any]:
    """Tables of Arrow of the users and of the items: `id`, and `features`, a list of float32 for each row that is not cold.

    Ids are int32 where all of them are such numbers, as Spark has them, else texts; rows' numbers where the model has none.
    """
    need_packages()
    return (
        _factor_table(model.users, model.user_factors, model.cold_users),
        _factor_table(model.items, model.item_factors, model.cold_items),
    )


def recommendation_table(model: Model, userid: Any, items: np.ndarray, scores: np.ndarray) -> Any:
    """The answer of model.recommend(userid) as a table of Arrow: `user`, `rank` from 1 on, `item` and `score`.

    Places without an item are left out. Ids are those of factor_tables.
    """
    need_packages()
    import pyarrow

    users = np.atleast_1d(np.asarray(userid))
    items, scores = np.atleast_2d(items), np.atleast_2d(scores)
    if items.shape != scores.shape or len(items) != len(users):
        raise UsageError(
            f"items and scores have shapes {items.shape} and {scores.shape}; give what recommend returned for {len(users)} users"
        )
    there = items >= 0
    rows, ranks = np.nonzero(there)
    user_ids, item_ids = _ids(model.users, len(model.user_factors)), _ids(model.items, len(model.item_factors))
    return pyarrow.table(
        {
            "user": user_ids.take(pyarrow.array(users[rows])),
            "rank": pyarrow.array((ranks + 1).astype(np.int32)),
            "item": item_ids.take(pyarrow.array(items[there])),
            "score": pyarrow.array(scores[there]),
        }
    )


def _model(
    users: Any,
    items: Any,
    feedback: str,
    device: str,
    objective: Objective | None,
    user_ids: Sequence[str] = (),
    item_ids: Sequence[str] = (),
    source: str = "",
) -> Model:
    cold = 0.0 if feedback == "implicit" else float("nan")
    return Model(
        users,
        items,
        ~np.any(users, axis=1),
        ~np.any(items, axis=1),
        feedback,
        cold,
        tuple(user_ids),
        tuple(item_ids),
        device,
        objective=objective,
        source=source,
    )


def _check(factors: np.ndarray, name: str) -> None:
    """Raises UsageError that begins with the name, where these are no rows of finite factors."""
    if factors.ndim != 2 or not np.issubdtype(factors.dtype, np.number):
        raise UsageError(f"{name} are of shape {factors.shape} and dtype {factors.dtype}; give rows of factors")
    if (wrong := np.argwhere(~np.isfinite(factors))).size:
        row, column = wrong[0]
        raise UsageError(f"{name}: factor {column} of row {row} is {factors[row, column]}; train the model again")


def _read_factors(folder: pathlib.Path) -> tuple[list[str], np.ndarray]:
    with reading(folder, "give the folder that ALSModel.save of Spark wrote"):
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetDataset(folder)
        if missing := {"id", "features"}.difference(names := file.schema.names):
            raise UsageError(
                f"{folder}: has no column {min(missing)!r}; it has {', '.join(map(repr, names))}; "
                "give the folder that ALSModel.save of Spark wrote"
            )
        table = file.read(columns=["id", "features"]).sort_by("id").combine_chunks()
    lists = table.column("features").combine_chunks()
    values = lists.flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    lengths = np.unique(lists.value_lengths().to_numpy(zero_copy_only=False))
    if len(lengths) != 1:
        raise UsageError(f"{folder}: its features have lengths {list(lengths)}; give rows of one length")
    ids = table.column("id").to_pylist()
    if None in ids or len(set(ids)) < len(ids):
        what = "no id" if None in ids else f"the id {next(a for a, b in itertools.pairwise(ids) if a == b)!r} twice"
        raise UsageError(f"{folder}: has a row of {what}; give the folder that ALSModel.save of Spark wrote")
    factors = values.reshape(len(table), int(lengths[0]))
    _check(factors, os.fspath(folder))
    return [str(each) for each in ids], factors


def _factor_table(ids: Sequence[str], factors: np.ndarray, cold: np.ndarray) -> Any:
    import pyarrow

    warm = ~cold
    rows = factors[warm]
    at_a_time = max(1, _MOST_NUMBERS // max(1, rows.shape[1]))
    features = pyarrow.chunked_array(
        [_lists(rows[begin : begin + at_a_time]) for begin in range(0, max(1, len(rows)), at_a_time)]
    )
    return pyarrow.table({"id": _ids(ids, len(factors)).filter(pyarrow.array(warm)), "features": features})


def _lists(rows: np.ndarray) -> Any:
    import pyarrow

    offsets = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets), pyarrow.array(rows.ravel()))


def _ids(ids: Sequence[str], count: int) -> Any:
    import pyarrow

    if not ids:
        return pyarrow.array(np.arange(count, dtype=np.int32))
    return ids_of(ids, pyarrow.int32())
