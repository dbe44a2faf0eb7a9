# SPDX-License-Identifier: Apache-2.0
"""Tables of Parquet or Arrow, made of the rows that come through a pipe."""

import importlib
import itertools
import os
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from alsbench import arrow_lists
from alsbench.arrow_lists import ModelIds

PARQUET, ARROW = "parquet", "arrow"
WRITERS = {PARQUET: ["polars"], ARROW: []}  # packages beside pyarrow
_BLOCK_BYTES = 1 << 24  # of lines that are parsed at once

# Columns of the outputs, and the types that each may have: the first that holds all of its values.
_NUMBER_OR_TEXT = ("int64", "string")
_TYPES = {
    "user": _NUMBER_OR_TEXT,
    "item": _NUMBER_OR_TEXT,
    "timestamp": ("int64", "double"),
    "rank": ("int32",),
    "rating": ("float",),
    "score": ("float",),
    "similar": _NUMBER_OR_TEXT,
    "cosine": ("float",),
    "prediction": ("float",),
    "cold": ("string",),
    "part": ("double",),
}
_RATINGS = ("user", "item", "rating", "timestamp")  # what `data` writes


class Output(NamedTuple):
    """A file of `kind` to write, of what the program writes as the format `pipe`."""

    path: pathlib.Path
    kind: str
    pipe: str
    option: str  # that names it
    says: bool  # what was written
    ids: ModelIds | None = None  # of the rows in an array; without, the pipe has lines


def import_writer(kind: str) -> None:
    """Imports what writes such a table, ahead of its first rows."""
    for package in WRITERS[kind]:
        importlib.import_module(package)


def write_table(pipe: Any, output: Output, path: pathlib.Path) -> int:
    """Writes the rows that come through the pipe to the path; returns how many there are."""
    rows = 0
    for schema, batches in itertools.groupby(_cast_all(_batches(pipe, output)), lambda batch: batch.schema):
        counted = _Counted(batches)
        if rows == 0:
            _write_file(output.kind, path, schema, counted)
        else:  # other types than before
            other = path.with_suffix("").with_suffix(".2.tmp")  # in place of ".1.tmp"
            try:
                earlier = (batch.cast(schema) for batch in _read(output.kind, path))
                _write_file(output.kind, other, schema, itertools.chain(earlier, counted))
                os.replace(other, path)
            except BaseException:
                other.unlink(missing_ok=True)
                raise
        rows += counted.rows
    return rows


def _batches(pipe: Any, output: Output) -> Iterator[Any]:
    return arrow_lists.batches(pipe, output.ids) if output.ids else _batches_of_lines(pipe)


def _batches_of_lines(pipe: Any) -> Iterator[Any]:
    """Batches of texts and floats."""
    import pyarrow
    import pyarrow.csv

    first = pipe.readline().decode().rstrip("\n")
    names = first.split(",") if first else []
    if first.startswith("userId,"):  # of `data`
        names = list(_RATINGS[: len(names)])
    types = {name: "string" if len(_TYPES[name]) > 1 else _TYPES[name][0] for name in names}
    if not names:
        return
    try:
        reader = pyarrow.csv.open_csv(
            pipe,
            pyarrow.csv.ReadOptions(column_names=names, block_size=_BLOCK_BYTES),
            convert_options=pyarrow.csv.ConvertOptions(column_types=types),
        )
    except pyarrow.ArrowInvalid as error:
        if "Empty CSV" not in str(error):
            raise
        schema = pyarrow.schema(types.items())
        yield pyarrow.record_batch([pyarrow.array([], field.type) for field in schema], schema=schema)
        return
    yield from reader


class _Counted:
    """Batches, and how many rows those that were taken have."""

    def __init__(self, batches: Iterable[Any]) -> None:
        self._batches = batches
        self.rows = 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self._batches:
            self.rows += len(batch)
            yield batch


def _cast_all(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches in the first types that hold them and those before them."""
    types: dict[str, list[str]] = {}
    for batch in batches:
        types = types or {name: list(_TYPES[name]) for name in batch.schema.names}
        yield _cast(batch, types)


def _cast(batch: Any, types: dict[str, list[str]]) -> Any:
    """The batch in the first of the types that hold it; those before are taken from `types`."""
    import pyarrow

    columns = []
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        while True:
            try:
                columns.append(_as_type(column, types[name][0]))
                break
            except pyarrow.ArrowInvalid:
                if len(types[name]) == 1:
                    raise
                types[name].pop(0)
    return pyarrow.record_batch(columns, names=batch.schema.names)


def _as_type(column: Any, name: str) -> Any:
    import pyarrow
    import pyarrow.compute as pc

    if name == "int64" and pyarrow.types.is_string(column.type):
        zero_leads = pc.and_(pc.starts_with(column, "0"), pc.greater(pc.binary_length(column), 1))
        if pc.any(zero_leads).as_py():
            raise pyarrow.ArrowInvalid("07 is not 7")
    return column.cast(name)


def _write_file(kind: str, path: pathlib.Path, schema: Any, batches: Iterable[Any]) -> None:
    import pyarrow

    if kind == PARQUET:
        _write_parquet(path, schema, batches)
        return
    with pyarrow.ipc.new_file(str(path), schema) as file:
        for batch in batches:
            file.write_batch(batch)


def _write_parquet(path: pathlib.Path, schema: Any, batches: Iterable[Any]) -> None:
    """Polars encodes batches on all threads; pyarrow's writer has one."""
    import polars
    from polars.io.plugins import register_io_source

    errors: list[Exception] = []

    def frames(*_: Any) -> Iterator[polars.DataFrame]:
        try:
            for batch in batches:
                yield polars.DataFrame(batch)
        except Exception as error:  # polars would make a text of it
            errors.append(error)

    try:
        source = register_io_source(frames, schema=polars.DataFrame(schema.empty_table()).schema, validate_schema=True)
        source.sink_parquet(path, compression="snappy")
    except polars.exceptions.PolarsError as error:
        raise OSError(str(error).rpartition("IO error: ")[2]) from None
    if errors:
        raise errors[0]


def _read(kind: str, path: pathlib.Path) -> Iterator[Any]:
    import pyarrow
    import pyarrow.parquet

    if kind == PARQUET:
        yield from pyarrow.parquet.ParquetFile(path).iter_batches(batch_size=1 << 18)
        return
    with pyarrow.memory_map(str(path)) as file:
        reader = pyarrow.ipc.open_file(file)
        for i in range(reader.num_record_batches):
            yield reader.get_batch(i)
