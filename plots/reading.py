# SPDX-License-Identifier: Apache-2.0
"""Results of files. Unreadable input ends the process with one sentence."""

import os
import pathlib
import sys
from collections.abc import Callable
from typing import TypeVar

import alsbench
from alsbench.results import Result
from alsbench.results.records import RunResult
from alsbench.results.table import Table, read_table, table_of

Kind = TypeVar("Kind")
Read = TypeVar("Read")


def stem(path: pathlib.Path) -> str:
    """`fast` of fast.json, fast.json.gz and fast.csv."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def read_any(path: str | os.PathLike) -> Result | Table:
    """A table of a file that is called .csv."""
    return _read(path, read_table if os.fspath(path).endswith(".csv") else alsbench.read_result)


def _read(path: str | os.PathLike, reader: Callable[[str | os.PathLike], Read]) -> Read:
    try:
        return reader(path)
    except OSError as error:
        sys.exit(f"plots: {path}: {error.strerror}; give a file that alsbench wrote")
    except alsbench.UsageError as error:
        sys.exit(f"plots: {error}")


def read(path: str | os.PathLike, kind: type[Kind], command: str) -> Kind:
    """The result, which must be of a kind: what the command writes."""
    result = _read(path, alsbench.read_result)
    if not isinstance(result, kind):
        sys.exit(f"plots: {path}: is no result of {command}")
    return result


def read_table_of(suite: str, path: str | os.PathLike) -> Table:
    """The rows of `alsbench run SUITE`: of its result, or of the table made of it."""
    result = read_any(path)
    table = table_of(result) if isinstance(result, RunResult) else result
    if not isinstance(table, Table) or table.suite != suite:
        sys.exit(f"plots: {path}: is no result of alsbench run {suite}")
    return table


def read_run_of(suite: str, path: str | os.PathLike) -> RunResult:
    """The result of `alsbench run SUITE`."""
    result = read(path, RunResult, f"alsbench run {suite}")
    if result.suite.name != suite:
        sys.exit(f"plots: {path}: is no result of the suite {suite}")
    return result
