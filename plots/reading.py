# SPDX-License-Identifier: Apache-2.0
"""Results of files. What cannot be read ends the process with one sentence."""

import os
import sys
from typing import TypeVar

import alsbench
from alsbench.results import Result
from alsbench.results.run import RunResult

Kind = TypeVar("Kind")


def read_any(path: str | os.PathLike) -> Result:
    try:
        return alsbench.read_result(path)
    except OSError as error:
        sys.exit(f"plots: {path}: {error.strerror}; give a file that alsbench wrote with --json")
    except alsbench.UsageError as error:
        sys.exit(f"plots: {error}")


def read(path: str | os.PathLike, kind: type[Kind], command: str) -> Kind:
    """The result, which must be of a kind: what the command writes."""
    result = read_any(path)
    if not isinstance(result, kind):
        sys.exit(f"plots: {path}: is no result of {command}")
    return result


def read_run_of(suite: str, path: str | os.PathLike) -> RunResult:
    """The result of `alsbench run SUITE`."""
    result = read(path, RunResult, f"alsbench run {suite}")
    if result.suite.name != suite:
        sys.exit(f"plots: {path}: is no result of the suite {suite}")
    return result
