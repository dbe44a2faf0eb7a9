# SPDX-License-Identifier: Apache-2.0
"""Ratings in files of Parquet, Arrow or JSON lines, for the command `alsbench`, which reads them as CSV from a pipe.

alsbench train --data ratings.parquet                           # of the wheel, and python -m alsbench
python -m alsbench.arrow ratings.parquet | alsbench train --data -   # of any other alsbench
"""

import contextlib
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

_ENDINGS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".ipc": "feather",
    ".jsonl": "json",  # an object a line
    ".ndjson": "json",
}
# Options whose value is a file that is written.
_WRITTEN = ("-o", "--out", "--test-out", "--json", "--csv", "--md")


def main() -> None:
    """Writes the file argv[1] as CSV to the standard output."""
    if len(sys.argv) != 2:
        sys.exit("python -m alsbench.arrow FILE: give one file, or a folder, of Parquet, Arrow or JSON lines")
    out = sys.stdout.buffer
    try:
        write_csv(sys.argv[1], out)
        out.flush()
    except BrokenPipeError:
        os._exit(1)  # who reads says why
    except Exception as error:
        # A line that is none of ratings, so what was written is not taken for the whole.
        with contextlib.suppress(BrokenPipeError):
            out.write(b"\nthis is not the whole: reading failed\n")
            out.flush()
        remedy = "; pip install 'alsbench[arrow]'" if isinstance(error, ImportError) else ""
        sys.exit(f"{sys.argv[1]}: {error}{remedy}")


def write_csv(path: str, file: Any) -> None:
    """Writes the columns of a file or folder of Parquet, Arrow or JSON lines as CSV, batch by batch; lists and structs are left out.

    Raises what pyarrow raises of a file that it cannot read.
    """
    import pyarrow.compute
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.types

    dataset = pyarrow.dataset.dataset(path, format=_format_of(path))
    columns = {}
    for field in dataset.schema:
        column = pyarrow.compute.field(field.name)
        if pyarrow.types.is_dictionary(field.type):  # texts of a category
            columns[field.name] = column.cast(field.type.value_type)
        elif not pyarrow.types.is_nested(field.type):
            columns[field.name] = column
    scanner = dataset.scanner(columns=columns)
    options = pyarrow.csv.WriteOptions(quoting_style="needed")
    with pyarrow.csv.CSVWriter(file, scanner.projected_schema, write_options=options) as writer:
        for batch in scanner.to_batches():
            writer.write_batch(batch)


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
        return any(_ending(file) in _ENDINGS for file in place.iterdir())
    return _ending(place) in _ENDINGS and place.is_file()


def with_pipes(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command, each file of Parquet, Arrow or JSON lines that is read replaced by a pipe that has it as CSV.

    The pipes are open in this process and those that it becomes or starts.
    """
    result: list[str] = []
    for before, argument in zip(["", *arguments], arguments):
        option, equals, value = argument.partition("=") if argument.startswith("--") else ("", "", argument)
        if not value or (option or before) in _WRITTEN or not _is_table(value):
            result.append(argument)
            continue
        reader, writer = os.pipe()
        os.set_inheritable(reader, True)
        subprocess.Popen([sys.executable, "-m", __spec__.name, value], stdin=subprocess.DEVNULL, stdout=writer)
        os.close(writer)
        result.append(f"{option}{equals}/dev/fd/{reader}")
    return result


if __name__ == "__main__":
    main()
