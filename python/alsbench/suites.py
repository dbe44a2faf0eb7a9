# SPDX-License-Identifier: Apache-2.0
"""run, tune, best and compare: the program's commands, with typed results.

Each starts the program that this package carries, which isolates its work in processes of its own.
Options that have no argument here are given as `options`, in the words of the command line (docs/reference/cli.md).
All raise UsageError or MachineError with what the program said; Ctrl-C ends the program in order, and raises KeyboardInterrupt.
"""

import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any

from alsbench import program
from alsbench.errors import UsageError
from alsbench.program import Progress
from alsbench.results import Result, read_result
from alsbench.results.records import Best, Comparison, PipelineTuning, RunResult, StageTuning

_REGRESSION, _CASES_FAILED = 1, 5  # harness/process/exit_code.h: a result is written


def run(
    suite: str | os.PathLike,
    *,
    device: str | None = None,
    json: str | os.PathLike | None = None,
    progress: Progress | None = None,
    options: Sequence[str] = (),
) -> RunResult:
    """Runs a suite, by name or file: each case is verified, measured and verified again.

    device: as `--device` has it; None is the CPU and the first GPU. json: where the result file is kept; None keeps none.
    progress: gets an object for each step, such as {"event": "end", "item": ..., "ended": 3, "planned": 18, "remaining_seconds": 2.5}.
    Cases that failed are in the result: see RunResult.failed.
    """
    words = ["run", os.fspath(suite), *_named("--device", device), *options]
    return _result(words, json, progress, RunResult, (0, _CASES_FAILED))


def tune(
    *,
    dataset: str | None = None,
    data: str | os.PathLike | None = None,
    rank: int | None = None,
    stage: str | None = None,
    device: str | None = None,
    json: str | os.PathLike | None = None,
    progress: Progress | None = None,
    options: Sequence[str] = (),
) -> StageTuning | PipelineTuning:
    """Searches for the fastest pipelines that train as accurately as the exact one, or for the fastest configuration of a stage.

    dataset or data: a generated set by name, or a file of ratings. The choice is kept in the tuning database, which ALS asks.
    """
    what = ["pipeline"] if stage is None else ["stage", stage]
    words = ["tune", *what, *_problem(dataset, data, rank, device), *options]
    return _result(words, json, progress, PipelineTuning if stage is None else StageTuning)


def best(
    *,
    dataset: str | None = None,
    data: str | os.PathLike | None = None,
    rank: int | None = None,
    stage: str | None = None,
    device: str | None = None,
    options: Sequence[str] = (),
) -> Best:
    """The tuning database's choice for a device, ratings and a rank; of a stage where one is named.

    >>> alsbench.best(dataset="ml-100k", rank=32, device="sm_90").picks[0].part
    'x'
    """
    words = ["best", *_named("--stage", stage), *_problem(dataset, data, rank, device), *options]
    return _result(words, None, None, Best)


def compare(
    base: str | os.PathLike,
    test: str | os.PathLike,
    *,
    json: str | os.PathLike | None = None,
    options: Sequence[str] = (),
) -> Comparison:
    """Compares result files, or folders of them: a verdict for each case. A regression is in the result, and no error."""
    return _result(
        ["compare", os.fspath(base), os.fspath(test), *options],
        json,
        None,
        Comparison,
        (0, _REGRESSION, 3, _CASES_FAILED),
    )


def _named(option: str, value: Any) -> list[str]:
    return [] if value is None else [option, str(value)]


def _problem(dataset: str | None, data: str | os.PathLike | None, rank: int | None, device: str | None) -> list[str]:
    if dataset is not None and data is not None:
        raise UsageError("give dataset or data, not both")
    path = None if data is None else os.fspath(data)
    return [
        *_named("--dataset", dataset),
        *_named("--data", path),
        *_named("--rank", rank),
        *_named("--device", device),
    ]


def _result(
    words: Sequence[str],
    json: str | os.PathLike | None,
    progress: Progress | None,
    kind: type,
    accept: Sequence[int] = (0,),
) -> Any:
    with tempfile.TemporaryDirectory(prefix="alsbench-") as folder:
        path = pathlib.Path(folder, "result.json") if json is None else pathlib.Path(json)
        program.run([*words, "--json", str(path)], progress, accept)
        result: Result = read_result(path)
    assert isinstance(result, kind)
    return result
