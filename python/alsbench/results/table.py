# SPDX-License-Identifier: Apache-2.0
"""Table: a run as rows, a row a case and cache mode, of a result or of what `alsbench export --to csv` made of it."""

import csv
import dataclasses
import functools
import os
import pathlib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alsbench.errors import UsageError
from alsbench.results.methods import CacheMode
from alsbench.results.records import Case, Measurement, Provenance, RunResult


@dataclass(frozen=True)
class Row:
    """A column of the CSV file is a field; None is an empty cell. pipelines and config: of their parts and parameters.

    The last fields are of trainings, by alsbench and by others. iteration_seconds: the median of an iteration but the first.
    """

    name: str
    role: str
    stage: str | None
    variant: str | None
    backend: str
    problem: str
    rank: int
    regularization: float
    part: str | None
    cache: str | None
    outcome: str
    device_name: str | None
    config: Mapping[str, str] = field(default_factory=dict)
    median_seconds: float | None = None
    q1_seconds: float | None = None
    q3_seconds: float | None = None
    flops_per_second: float | None = None
    paper_flops_per_second: float | None = None
    logical_bytes_per_second: float | None = None
    compulsory_bytes_per_second: float | None = None
    nearest_ceiling: str | None = None
    share_of_nearest_ceiling: float | None = None
    disturbed: bool = False
    nnz: int | None = None
    iterations: int | None = None
    iteration_seconds: float | None = None
    mean_iteration_seconds: float | None = None
    iteration_joules: float | None = None
    metric: str | None = None
    test_metric: float | None = None
    pipelines: Mapping[str, str] = field(default_factory=dict)

    @property
    def case(self) -> str:
        """The name without the cache mode."""
        return self.name.removesuffix(f"/{self.cache}") if self.cache else self.name


@dataclass(frozen=True)
class Table:
    """build: when the run began and what ran, as figures say it."""

    suite: str
    build: str
    rows: tuple[Row, ...]

    @property
    def device_names(self) -> tuple[str, ...]:
        """Of the devices that rows ran on, each once; of all where none did."""
        used = [row for row in self.rows if row.outcome != "skipped"] or self.rows
        return tuple(dict.fromkeys(row.device_name for row in used if row.device_name))

    def measured(self, stage: str | None = None, role: str | None = None) -> list[Row]:
        """Rows that were ok and have a median, in their order, of a stage or a role where one is named; of a case the first, cold before hot."""
        rows: dict[str, Row] = {}
        for row in self.rows:
            if row.outcome == "ok" and row.median_seconds is not None:
                rows.setdefault(row.case, row)
        return [row for row in rows.values() if stage in (None, row.stage) and role in (None, row.role)]

    @property
    def trained(self) -> list[Row]:
        """Trainings that were ok and have an iteration, in their order."""
        return [row for row in self.rows if row.role == "training" and row.outcome == "ok" and row.iterations]


def table_of(result: RunResult) -> Table:
    names = {device.backend: device.name for device in result.devices}
    rows = tuple(row for case in result.cases for row in _rows_of(case, names.get(case.backend)))
    return Table(result.suite.name, build_label(result.provenance), rows)


def build_label(provenance: Provenance) -> str:
    build = provenance.build
    return _build(provenance.time_utc, build.version, build.git_commit + "+" * build.git_dirty)


def _build(time_utc: str, version: str, commit: str) -> str:
    return f"{time_utc}; alsbench {version} ({commit[:10]}{'+' * commit.endswith('+')})"


def read_table(path: str | os.PathLike) -> Table:
    """Of a CSV file. Raises OSError where it cannot be read, and UsageError that names it where it is none."""
    with pathlib.Path(path).open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file, strict=True))
    try:
        first = lines[0]
        build = _build(first["time_utc"], first["version"], first["git_commit"])
        return Table(first["suite"], build, tuple(map(_row_of_line, lines)))
    except (IndexError, KeyError, ValueError, csv.Error) as error:
        raise UsageError(f"{path}: is no table that `alsbench export --to csv` wrote ({error!r})") from None


def _rows_of(case: Case, device_name: str | None) -> Iterable[Row]:
    """One for each cache mode that was measured, and one of a case without any."""
    common: dict[str, Any] = {
        name: getattr(case, name)
        for name in ("name", "role", "stage", "variant", "backend", "part", "outcome", "config")
    }
    common |= {"problem": case.problem.name, "rank": case.problem.rank}
    common |= {"regularization": case.problem.regularization, "device_name": device_name, "cache": None}
    common |= {"nnz": case.shape.nnz if case.shape else None, **_trained(case)}
    modes: tuple[CacheMode, ...] = ("cold", "hot")
    measured = [(mode, each) for mode in modes if (each := case.measurement(mode))]
    for mode, each in measured:
        yield Row(**{**common, "name": f"{case.name}/{mode}", "cache": mode, **_measured(each)})
    if not measured:
        yield Row(**common)


def _measured(measurement: Measurement) -> dict[str, Any]:
    ceiling = measurement.nearest_ceiling
    figures = {**vars(measurement), **vars(measurement.statistics)}
    figures |= {
        "disturbed": measurement.disturbed,
        "nearest_ceiling": ceiling.of if ceiling else None,
        "share_of_nearest_ceiling": ceiling.share if ceiling else None,
    }
    return {name: figures[name] for name in _FIELDS if name in figures}


def _trained(case: Case) -> dict[str, Any]:
    pipelines = {each.part: each.text for each in case.training.pipelines} if case.training else {}
    if case.peer:
        seconds, iterations = case.peer.seconds, case.peer.iterations
        mean = None if seconds is None or not iterations else seconds / iterations
        figures = case.peer.iteration_seconds, mean, case.peer.metric, case.peer.test
        disturbed = case.peer.disturbed
    elif case.training and case.training.iterations:
        last, iterations = case.training.iterations[-1], len(case.training.iterations)
        figures = case.training.median_seconds, case.training.mean_seconds, case.training.metric, last.test_metric
        disturbed = case.training.disturbed
    else:
        return {"pipelines": pipelines}
    joules = case.training.iteration_joules if case.training else None
    names = ("iteration_seconds", "mean_iteration_seconds", "metric", "test_metric")
    known = {name: None if value != value else value for name, value in zip(names, figures, strict=True)}
    known["iteration_joules"] = joules
    return {**known, "iterations": iterations, "disturbed": disturbed, "pipelines": pipelines}


_FIELDS = {each.name: each for each in dataclasses.fields(Row)}
_COLUMNS = {"regularization": "lambda"}  # where a column is no name in Python
_GROUPS = {"config": "config.", "pipelines": "pipeline."}


@functools.cache
def _kinds() -> dict[str, tuple[Any, bool]]:
    """The type of each field that is one column, and whether it may be empty."""
    kinds = {name: hint for name, hint in typing.get_type_hints(Row).items() if name not in _GROUPS}
    return {
        name: (hint.__args__[0], True) if isinstance(hint, types.UnionType) else (hint, False)
        for name, hint in kinds.items()
    }


def _row_of_line(line: Mapping[str, str]) -> Row:
    fields: dict[str, Any] = {}
    for name, (kind, optional) in _kinds().items():
        cell = line[_COLUMNS.get(name, name)]
        fields[name] = None if optional and not cell else cell == "yes" if kind is bool else kind(cell)
    for name, prefix in _GROUPS.items():
        fields[name] = {key.removeprefix(prefix): cell for key, cell in line.items() if key.startswith(prefix) and cell}
    return Row(**fields)
