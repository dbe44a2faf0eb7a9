# SPDX-License-Identifier: Apache-2.0
"""RunResult: what `alsbench run` writes (`alsbench schema result`). Units are in the names; None is not measured."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from alsbench.results.decode import decode
from alsbench.results.frames import frame_of
from alsbench.results.training import Data, Training

Outcome = Literal["ok", "wrong", "nan", "crashed", "hung", "oom", "launch_refused", "compile_error", "skipped"]
CacheMode = Literal["cold", "hot"]


@dataclass(frozen=True)
class Statistics:
    count: int
    min_seconds: float | None
    q1_seconds: float | None
    median_seconds: float | None
    q3_seconds: float | None
    max_seconds: float | None
    mean_seconds: float | None
    relative_iqr: float | None
    median_noise: float | None


@dataclass(frozen=True)
class Sample:
    seconds: float
    host_seconds: float | None
    sm_clock_hz: float | None
    throttled: bool


@dataclass(frozen=True)
class Share:
    """A rate over that of a yardstick. kind: no variant passes a "roof"; a "comparison" may be passed."""

    of: str
    kind: Literal["roof", "comparison"]
    rate: str
    share: float
    row: str


@dataclass(frozen=True)
class Bound:
    """What bounds a row, and by how much of it."""

    by: str
    share: float | None


@dataclass(frozen=True)
class Measurement:
    """The samples of a case in one cache mode, and the rates of their median."""

    samples: tuple[Sample, ...] = field(repr=False)
    statistics: Statistics | None
    stop_reason: str
    flops_per_second: float | None
    paper_flops_per_second: float | None
    logical_bytes_per_second: float | None
    compulsory_bytes_per_second: float | None
    gathered_bytes_per_second: float | None = None
    shares: tuple[Share, ...] = ()
    bound: Bound | None = None

    @property
    def nearest_roof(self) -> Share | None:
        return next((share for share in self.shares if share.kind == "roof"), None)


@dataclass(frozen=True)
class Problem:
    """The ratings of a case, with rank and lambda (here regularization)."""

    name: str
    dataset: str | None
    path: str | None
    scale: float
    seed: int
    rank: int
    regularization: float
    data: Data | None

    @classmethod
    def from_json(cls, record: Mapping[str, Any], place: str) -> Self:
        kinds = {
            "name": str,
            "dataset": str | None,
            "path": str | None,
            "scale": float,
            "seed": int,
            "rank": int,
            "lambda": float,
            "data": Data | None,
        }
        return cls(*(decode(kind, record.get(name), f"{place}/{name}") for name, kind in kinds.items()))


@dataclass(frozen=True)
class Shape:
    rows: int
    cols: int
    nnz: int
    rank: int


@dataclass(frozen=True)
class Verification:
    outcome: Outcome
    max_error: float | None
    mean_error: float | None
    tolerance: float | None
    rows_checked: int


@dataclass(frozen=True)
class Peer:
    """A training by another program. own_seconds is what it says; train and test are the metric of its factors, judged here.

    iteration_seconds: between its lines, by our clock. wall_seconds: from its start to its end. doubts: what does not fit of what it says.
    """

    name: str
    version: str | None
    algorithm: str
    metric: str
    iterations: int
    own_seconds: float | None
    iteration_seconds: float | None
    wall_seconds: float | None
    train: float | None
    test: float | None
    disturbed: bool
    doubts: tuple[str, ...]

    @classmethod
    def from_json(cls, record: Mapping[str, Any], place: str) -> Self:
        metric, score, use = record.get("metric"), record.get("score") or {}, record.get("use") or {}
        return cls(
            decode(str, record.get("name"), f"{place}/name"),
            decode(str | None, record.get("version"), f"{place}/version"),
            decode(str, record.get("algorithm"), f"{place}/algorithm"),
            decode(str, metric, f"{place}/metric"),
            decode(int, record.get("iterations"), f"{place}/iterations"),
            decode(float | None, record.get("own_seconds"), f"{place}/own_seconds"),
            decode(float | None, record.get("iteration_seconds"), f"{place}/iteration_seconds"),
            decode(float | None, use.get("wall_seconds"), f"{place}/use/wall_seconds"),
            decode(float | None, score.get(f"train_{metric}"), f"{place}/score/train_{metric}"),
            decode(float | None, score.get(f"test_{metric}"), f"{place}/score/test_{metric}"),
            decode(bool, record.get("disturbed"), f"{place}/disturbed"),
            decode(tuple[str, ...], record.get("doubts"), f"{place}/doubts"),
        )

    @property
    def seconds(self) -> float | None:
        """Of all its iterations: as it says, else those between its lines times their number."""
        if self.own_seconds is None and self.iteration_seconds is not None:
            return self.iteration_seconds * self.iterations
        return self.own_seconds


@dataclass(frozen=True)
class Case:
    """A variant at one configuration on one problem and side, a training, or one by another program."""

    name: str
    role: Literal["case", "roof", "training", "peer"]
    stage: str | None
    variant: str | None
    backend: Literal["cpu", "cuda"]
    device: str
    config: Mapping[str, str]
    side: str | None
    problem: Problem
    outcome: Outcome
    detail: str | None
    shape: Shape | None
    verification: Verification | None
    cold: Measurement | None
    hot: Measurement | None
    training: Training | None
    peak_device_bytes: int | None = None
    repeat: str | None = None
    tuned: Any = None
    peer: Peer | None = None

    def measurement(self, mode: CacheMode | None = None) -> Measurement | None:
        """That of a cache mode, or without one the cold measurement, else the hot one; None where there is no median."""
        for each in (self.cold, self.hot) if mode is None else (getattr(self, mode),):
            if each is not None and each.statistics is not None:
                return each
        return None

    @property
    def median_seconds(self) -> float:
        """Of measurement(); NaN where nothing was measured."""
        measured = self.measurement()
        median = measured.statistics.median_seconds if measured and measured.statistics else None
        return math.nan if median is None else median


@dataclass(frozen=True)
class Device:
    backend: Literal["cpu", "cuda"]
    name: str
    architecture: str | None
    memory_bytes: int


@dataclass(frozen=True)
class Suite:
    name: str
    description: str


@dataclass(frozen=True)
class RunResult:
    """A run of a suite. provenance: when, by which command, which build and which host."""

    schema_version: str
    suite: Suite
    devices: tuple[Device, ...]
    cases: tuple[Case, ...] = field(repr=False)
    provenance: Mapping[str, Any] = field(repr=False)

    @property
    def failed(self) -> tuple[Case, ...]:
        """Cases that are neither ok nor skipped."""
        return tuple(case for case in self.cases if case.outcome not in ("ok", "skipped"))

    @property
    def device_names(self) -> tuple[str, ...]:
        """Of the devices that cases ran on, each once; of all where none did."""
        used = {case.backend for case in self.cases if case.outcome != "skipped"}
        names = [device.name for device in self.devices if device.backend in used]
        return tuple(dict.fromkeys(names or [device.name for device in self.devices]))

    def measured(self, stage: str | None = None, role: str | None = None) -> list[Case]:
        """Cases that were ok and have a median, in their order; of a stage or a role where one is named."""
        return [
            case
            for case in self.cases
            if case.outcome == "ok" and case.measurement() and stage in (None, case.stage) and role in (None, case.role)
        ]

    @property
    def trained(self) -> list[Case]:
        """Trainings that were ok and have an iteration, in their order."""
        return [case for case in self.cases if case.outcome == "ok" and case.training and case.training.iterations]

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each measurement: names, config columns, statistics, rates, nearest roof."""
        return frame_of([row for case in self.cases for row in _rows(case)])

    def iterations(self) -> Any:
        """A pandas.DataFrame with a row for each iteration of each training that was ok."""
        return frame_of(
            [
                {"name": case.name, "device": case.device, "problem": case.problem.name, **vars(iteration)}
                for case in self.cases
                if case.outcome == "ok" and case.training
                for iteration in case.training.iterations
            ]
        )

    def peers(self) -> Any:
        """A pandas.DataFrame with a row for each training by another program."""
        rows = [(case, vars(case.peer)) for case in self.cases if case.peer]
        return frame_of([{**row, "outcome": case.outcome, "problem": case.problem.name} for case, row in rows])


def _rows(case: Case) -> list[dict[str, Any]]:
    """One for each cache mode that was measured, and one of a case without any."""
    names = ("name", "role", "stage", "variant", "backend", "device", "side", "outcome", "detail")
    common = {name: getattr(case, name) for name in names}
    common |= {"problem": case.problem.name, "rank": case.problem.rank, "regularization": case.problem.regularization}
    common |= {f"config.{name}": value for name, value in case.config.items()}
    measured = [(mode, each) for mode in ("cold", "hot") if (each := case.measurement(mode))]
    return [{**common, "cache": mode, **_figures(each)} for mode, each in measured] or [common]


def _figures(measurement: Measurement) -> dict[str, Any]:
    roof = measurement.nearest_roof
    rates = {name: value for name, value in vars(measurement).items() if name.endswith("_per_second")}
    nearest = {"roof": roof.of if roof else None, "share_of_roof": roof.share if roof else None}
    return {**vars(measurement.statistics), **rates, **nearest}
