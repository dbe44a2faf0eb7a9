# SPDX-License-Identifier: Apache-2.0
"""Ratings in files of Parquet, Arrow or JSON lines, for the command `alsbench`, which reads them as CSV from a pipe.

alsbench train --data ratings.parquet                           # of the wheel, and python -m alsbench
python -m alsbench.arrow ratings.parquet | alsbench train --data -   # of any other alsbench
"""

import contextlib
import importlib.util
import itertools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from alsbench.arrow_columns import BREAKS, lines_of, plain
from alsbench.errors import ENVIRONMENT, USAGE, MachineError, UsageError

_ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".ipc": "feather",
    ".jsonl": "json",  # an object a line
    ".ndjson": "json",
}
_NAMES = {"parquet": "Parquet", "feather": "Arrow", "stream": "Arrow", "json": "JSON"}
# Options whose value is a file that is written.
_WRITTEN = ("-o", "--out", "--test-out", "--json", "--csv", "--md")
_STREAM_BEGIN, _STREAM_END = b"\xff\xff\xff\xff", b"\xff\xff\xff\xff\0\0\0\0"
_TABLES = "ALSBENCH_TABLES"  # harness/files/piped_table.cpp
_INSTALL = "pip install 'alsbench[arrow]'"
_LONGEST = 4000  # characters of a message: a pipe holds them without a reader
# Pyarrow wraps the reason in what it was doing.
_WRAPPING = re.compile(
    r"(Error creating dataset\. |Could not read schema from '.*?'\. |Is this a '\w+' file\?: "
    r"|Could not open \w+ input source '(?P<file>.*?)': |Invalid: |IOError: )+"
)


def main() -> None:
    """Writes the file argv[1] as CSV to the standard output. argv[2] is the pipe in which the program is told how that ended."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # it ends as any filter: the program says what is to be said
    if len(sys.argv) not in (2, 3):
        sys.exit("python -m alsbench.arrow FILE: give one file, or a folder, of Parquet, Arrow or JSON lines")
    out = sys.stdout.buffer
    code, said = 0, ""
    try:
        said = "".join(f"{column} {objection}\n" for column, objection in write_csv(sys.argv[1], out).items())
        out.flush()
    except BrokenPipeError:
        os._exit(1)  # who reads says why
    except Exception as error:
        code, said = ENVIRONMENT if isinstance(error, MachineError) else USAGE, str(error)
    if len(sys.argv) == 3:
        with contextlib.suppress(BrokenPipeError):
            os.write(int(sys.argv[2]), f"{code} {said[:_LONGEST]}".encode(errors="surrogateescape"))
    elif code:
        # A line that is none of ratings, so what was written is not taken for the whole.
        with contextlib.suppress(BrokenPipeError):
            out.write(b"\nthis is not the whole: reading failed\n")
            out.flush()
        print(said, file=sys.stderr)
    sys.exit(code)


def write_csv(path: str, file: Any) -> dict[int, str]:
    """Writes the columns of a file or folder of Parquet, Arrow or JSON lines as CSV, batch by batch; lists and structs are left out.

    Returns why columns cannot be ids, by the number of the column.

    Raises UsageError of a file that cannot be read, and MachineError without pyarrow.
    """
    kind = _format_of(path)
    with reading(path):
        import pyarrow.csv

        batches = _Batches(path)
        groups = itertools.groupby(map(batches.next, _batches_of(path, kind)), lambda batch: batch.schema)
        for number, (schema, equal) in enumerate(groups):
            options = pyarrow.csv.WriteOptions(include_header=number == 0, quoting_style="needed")
            with pyarrow.csv.CSVWriter(file, schema, write_options=options) as writer:
                for batch in equal:
                    writer.write_batch(batch)
        return batches.objections


def _batches_of(path: str, kind: str) -> Iterator[Any]:
    """The batches of a file or folder without its lists and structs, or one without rows."""
    import pyarrow
    import pyarrow.dataset
    import pyarrow.types

    if kind == "feather" and _content_of(path) == "stream":
        yield from _batches_of_stream(path)
        return
    # Folders such as year=2020 are a column, as read_parquet has it.
    layout = {"format": _parquet_format() if kind == "parquet" else kind}
    layout["partitioning"] = "hive" if os.path.isdir(path) else None
    dataset = pyarrow.dataset.dataset(path, **layout)
    if texts := folders_with_texts(dataset):
        layout["partitioning"] = texts
        dataset = pyarrow.dataset.dataset(path, **layout)
    if kind == "json":
        dataset = _with_texts(dataset, path, layout)
    scanner = dataset.scanner(columns=_flat_names(dataset.schema))
    batch = None
    for batch in scanner.to_batches():
        yield batch
    if batch is None:
        yield pyarrow.RecordBatch.from_pylist([], schema=scanner.projected_schema)


def _batches_of_stream(path: str) -> Iterator[Any]:
    """The same of a file in Arrow's format of streams, as Hugging Face's data sets have it."""
    import pyarrow

    with pyarrow.memory_map(path) as file:
        if (
            file.size() < len(_STREAM_END)
            or file.read_at(len(_STREAM_END), file.size() - len(_STREAM_END)) != _STREAM_END
        ):
            raise UsageError(f"{path}: the stream of Arrow has no end; give the whole file, or write it again")
        with pyarrow.ipc.open_stream(file) as reader:
            names = _flat_names(reader.schema)
            yield pyarrow.RecordBatch.from_pylist([], schema=reader.schema).select(names)
            yield from (batch.select(names) for batch in reader)


def folders_with_texts(dataset: Any, but: Sequence[str] = ()) -> Any:
    """The partitioning of a dataset by folders, where numbers with leading zeros are texts; None where there are none.

    pyarrow takes user=007 and user=7 for one user. but: columns that stay numbers.
    """
    import pyarrow
    import pyarrow.dataset
    import pyarrow.types

    if dataset.partitioning is None:
        return None
    padded = {name for file in dataset.files for name in re.findall(r"(?:^|/)([^/=]+)=-?0\d+(?=/)", file)}.difference(
        but
    )
    fields, changed = [], False
    for field in dataset.partitioning.schema:
        plain_type = field.type.value_type if pyarrow.types.is_dictionary(field.type) else field.type
        is_padded = field.name in padded and pyarrow.types.is_integer(plain_type)
        fields.append(field.with_type(pyarrow.string() if is_padded else plain_type))
        changed |= is_padded
    return pyarrow.dataset.partitioning(pyarrow.schema(fields), flavor="hive") if changed else None


def _parquet_format() -> Any:
    """Parquet, with UUIDs as such where pyarrow knows them."""
    import pyarrow.dataset

    try:
        scan = pyarrow.dataset.ParquetFragmentScanOptions(arrow_extensions_enabled=True)
    except TypeError:  # before pyarrow 21
        return "parquet"
    return pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=scan)


def _flat_names(schema: Any) -> list[str]:
    import pyarrow.types

    def is_flat(type_: Any) -> bool:
        return pyarrow.types.is_dictionary(type_) or not pyarrow.types.is_nested(type_)

    return [field.name for field in schema if is_flat(field.type)]


class _Batches:
    """Batches of columns as lines have them.

    Floats that are integers, such as pandas has of a column with gaps, are integers: no text has an exponent then.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._rows = 0
        self.objections: dict[int, str] = {}  # by column, why it has no ids

    def next(self, batch: Any) -> Any:
        import pyarrow
        import pyarrow.types

        columns = [plain(column) for column in batch.columns]
        if len(columns) == 1 and columns[0].null_count:  # its line is blank, and would be passed over
            empty = columns[0].is_null().index(True).as_py()
            self._object(0, empty, f"column {batch.schema.names[0]!r} is empty; remove the row")
        for number, (name, column) in enumerate(zip(batch.schema.names, columns)):
            if pyarrow.types.is_floating(column.type):
                columns[number] = self._floats(number, name, column)
                continue
            columns[number], row, why = lines_of(column)
            if row is not None:
                self._object(number, row, f"column {name!r} has {why}, which no id may have; write it without")
        self._rows += len(batch)
        return pyarrow.record_batch(columns, names=[re.sub(BREAKS, " ", name) for name in batch.schema.names])

    def _floats(self, number: int, name: str, column: Any) -> Any:
        import pyarrow.compute as pc

        bits = column.type.bit_width
        wide = column.cast("float64")
        merged = pc.greater_equal(pc.abs(wide), 2.0 ** {16: 11, 32: 24, 64: 53}[bits])
        wrong = pc.fill_null(pc.or_(merged, pc.is_nan(wide)), False)
        if (at := pc.index(wrong, True).as_py()) < 0:
            whole = pc.all(pc.equal(pc.floor(wide), wide), min_count=0).as_py()
            return wide.cast("int64") if whole else column
        value = wide[at].as_py()
        why = "is no id" if value != value else f"float{bits} does not tell integers of this size apart"
        remedy = "remove the row" if value != value else "write the column as integers or texts"
        self._object(number, at, f"column {name!r} has {value}, and {why}; {remedy}")
        return column

    def _object(self, number: int, row: int, objection: str) -> None:
        self.objections.setdefault(number, f"{self._path}: row {self._rows + row + 1}: {objection}")


def _with_texts(dataset: Any, path: str, layout: dict[str, Any]) -> Any:
    """The JSON lines with their texts as they are: pyarrow takes dates for times, and "2020-01-01" would come out with a time of day."""
    import pyarrow.dataset
    import pyarrow.types

    def field_of(field: Any) -> Any:
        return field.with_type(pyarrow.string()) if pyarrow.types.is_timestamp(field.type) else field

    fields = [field_of(field) for field in dataset.schema]
    if fields == list(dataset.schema):
        return dataset
    return pyarrow.dataset.dataset(path, schema=pyarrow.schema(fields), **layout)


@contextlib.contextmanager
def reading(path: Any, remedy: str = "") -> Iterator[None]:
    """Turns what pyarrow says of the file at `path` into UsageError and MachineError, which name the file and a remedy."""
    try:
        yield
    except (UsageError, MachineError, BrokenPipeError):
        raise
    except ImportError as error:
        raise MachineError(f"{path}: {error}; {_INSTALL}") from None
    except MemoryError as error:
        raise MachineError(f"{path}: {error or 'the memory is full'}; end other programs") from None
    except FileNotFoundError:
        raise UsageError(f"{path}: does not exist; {remedy or 'give a rating file or folder'}") from None
    except Exception as error:  # of pyarrow there are many kinds
        place, said = _said(os.fspath(path) if isinstance(path, (str, os.PathLike)) else path, str(error))
        raise UsageError(f"{place}: {said}; {remedy or 'give the whole file, or write it again'}") from None


def need_packages(*modules: str) -> None:
    """Raises MachineError that says how to install pyarrow, or one of the other modules, where it is missing."""
    for module in ("pyarrow", *modules):
        if importlib.util.find_spec(module) is None:  # importing it takes longer
            raise MachineError(f"No module named '{module}'; {_INSTALL}")


def _said(path: Any, text: str) -> tuple[str, str]:
    """The file, or the one of a folder, with the line where that is found, and the reason alone."""
    wrapping = _WRAPPING.match(text)
    place = (wrapping and wrapping["file"]) or path
    reason = (text[wrapping.end() if wrapping else 0 :].splitlines() or ["cannot be read"])[0].rstrip(". ")
    if "JSON parse error" in reason:
        # Rows are counted from 0, in a block of the file.
        reason = re.sub(r"\.? in row \d+$", "", reason)
        if line := _broken_line(place):
            place = f"{place}:{line}"
    return place, reason


def _broken_line(path: str) -> int:
    """The first line that is no JSON; 0 where each one is."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                json.loads(line.strip() or "{}")
            except ValueError:
                return number
    return 0


def _ending(place: pathlib.Path) -> str:
    return place.suffix.lower()


def _format_of(path: str) -> str:
    place = pathlib.Path(path)
    if place.is_dir():
        place = next((file for file in sorted(place.rglob("*")) if _ending(file) in _ENDINGS), place)
    return _ENDINGS.get(_ending(place), "json" if _ending(place) == ".json" else "parquet")


def _is_table(path: str) -> bool:
    place = pathlib.Path(path)
    if place.is_dir():
        return any(_ending(file) in _ENDINGS or _is_partition(file) for file in place.iterdir())
    return _ending(place) in _ENDINGS and place.is_file()


def _is_partition(place: pathlib.Path) -> bool:
    """Whether a folder is one that Hive and Spark name by a value of a column, and holds parts."""
    return "=" in place.name and place.is_dir() and _is_table(str(place))


def remedy_in_python(path: str) -> str:
    """How to get the ratings of a table in Python; empty where the path is that of other ratings."""
    kind = _content_of(path)
    if not kind:
        return ""
    reader = {
        "parquet": f"alsbench.read_parquet({path!r})",
        "feather": f"alsbench.from_arrow(pyarrow.feather.read_table({path!r}))",
        "stream": f"alsbench.from_arrow(pyarrow.ipc.open_stream({path!r}).read_all())",
        "json": f"alsbench.from_arrow(pyarrow.json.read_json({path!r}))",
    }[kind]
    return (
        f"holds {_NAMES[kind]}; call {reader} with user=, item= and rating=, and alsbench.train_test_split; "
        f"or load what `python -m alsbench data convert {shlex.quote(path)} -o ratings.alsset` writes"
    )


def _content_of(path: str) -> str:
    """Kind of a file or of a folder of parts: parquet, feather, stream, json, or empty for another one."""
    place = pathlib.Path(path)
    begin = b""
    with contextlib.suppress(OSError):
        if place.is_dir():
            return _format_of(path) if _is_table(path) else ""
        if place.is_file():  # a pipe is read once
            with place.open("rb") as file:
                begin = file.read(4)
    if begin.startswith((b'{"', b'{ "')):
        return "json"
    return {b"PAR1": "parquet", b"ARRO": "feather", b"FEA1": "feather", _STREAM_BEGIN: "stream"}.get(begin, "")


def open_tables(arguments: Sequence[str]) -> None:
    """Starts to read each file of Parquet, Arrow or JSON lines that a command's arguments name, as CSV into a pipe.

    The pipes are open in this process and those that it becomes or starts; the environment names them.
    """
    lines = [_started(path) for path in dict.fromkeys(_read_by(arguments))]
    os.environ.pop(_TABLES, None)
    if lines:
        os.environ[_TABLES] = "\n".join(lines)


def _read_by(arguments: Sequence[str]) -> Iterator[str]:
    for before, argument in zip(["", *arguments], arguments):
        option, _, value = argument.partition("=") if argument.startswith("--") else ("", "", argument)
        if value and (option or before) not in _WRITTEN and "\n" not in value and _is_table(value):
            yield value


def _started(path: str) -> str:
    """Starts a process that reads the table; returns what the program needs to know of it."""
    (table, writer), (status, status_writer) = os.pipe(), os.pipe()
    for reader in (table, status):
        os.set_inheritable(reader, True)
    subprocess.Popen(
        [sys.executable, "-m", __spec__.name, path, str(status_writer)],
        stdin=subprocess.DEVNULL,
        stdout=writer,
        pass_fds=[status_writer],
    )
    for each in (writer, status_writer):
        os.close(each)
    return f"{table} {status} {_NAMES[_format_of(path)]} {path}"


if __name__ == "__main__":
    main()
