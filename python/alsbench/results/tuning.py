# SPDX-License-Identifier: Apache-2.0
"""What `alsbench tune` and `alsbench best` write (`alsbench schema tuning`, `pipeline-tuning` and `best`)."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from alsbench.results.frames import frame_of
from alsbench.results.pipelines import Pipeline, Point, Step, text_of
from alsbench.results.run import Device, Outcome, Shape


@dataclass(frozen=True)
class MeasuredPoint:
    """A point that a search measured; seconds are its samples."""

    point: Point
    outcome: Outcome
    detail: str | None
    seconds: tuple[float, ...]
    registers: int | None
    memory_bytes: int
    compile_seconds: float
    wait_seconds: float
    prepare_seconds: float
    measure_seconds: float

    @property
    def median_seconds(self) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None


@dataclass(frozen=True)
class SearchResult:
    """best is None where nothing could be measured; margin is default_seconds / best_seconds."""

    strategy: str
    stop_reason: str
    evaluations: int
    elapsed_seconds: float
    best: Point | None
    best_seconds: float | None
    default: Point
    default_seconds: float | None
    margin: float | None
    tie_set: tuple[Point, ...]
    points: tuple[MeasuredPoint, ...] = field(repr=False)


@dataclass(frozen=True)
class StageTuning:
    """A search for the fastest configuration of a stage. search: what was searched, and how."""

    device: Device
    shape: Shape
    search: Mapping[str, Any]
    result: SearchResult
    provenance: Provenance = field(repr=False)

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each point, in the order of the search: parameters, outcome, median, what it took."""
        names = (
            "outcome",
            "median_seconds",
            "registers",
            "memory_bytes",
            "wait_seconds",
            "prepare_seconds",
            "measure_seconds",
        )
        return frame_of(
            [{**each.point.parameters, **{name: getattr(each, name) for name in names}} for each in self.result.points]
        )


@dataclass(frozen=True)
class PartChoice:
    """The pipeline that was chosen for a part. ties: those that could not be told from it, itself among them."""

    part: str
    pick: tuple[Step, ...]
    median_seconds: float | None
    default_pick: tuple[Step, ...]
    default_seconds: float | None
    speedup_over_default: float | None
    ties: tuple[tuple[Step, ...], ...]


@dataclass(frozen=True)
class Trial:
    """A training that decided what is accurate enough."""

    purpose: Literal["exact", "gate", "rematch", "default", "check", "late", "near"]
    pipelines: tuple[Pipeline, ...]
    outcome: Outcome
    test_metric: float | None
    seconds: float | None
    passed: bool


@dataclass(frozen=True)
class PipelineTuning:
    """A search for the fastest accurate pipelines."""

    device: Device
    problem: Mapping[str, Any]
    objective: Literal["time", "time-to-rmse"]
    search: Mapping[str, Any]
    gate: Mapping[str, Any]
    parts: tuple[PartChoice, ...]
    time: Mapping[str, Any]
    trials: tuple[Trial, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each part, pipelines as text."""
        return frame_of(
            [
                {
                    **vars(part),
                    "pick": text_of(part.pick),
                    "default_pick": text_of(part.default_pick),
                    "ties": tuple(map(text_of, part.ties)),
                }
                for part in self.parts
            ]
        )

    def part(self, name: str) -> PartChoice:
        """Raises KeyError where there is no such part."""
        return {part.part: part for part in self.parts}[name]


@dataclass(frozen=True)
class Pick:
    """What would be chosen for a part, at which level of the tuning database, and why."""

    part: str
    pick: tuple[Step, ...]
    level: Literal["device and shape", "device, nearest shape", "architecture", "default"]
    reason: str
    stale: bool
    shape: Shape


@dataclass(frozen=True)
class Best:
    """The tuned choices for a device, ratings and a rank. what: "pipeline", a stage, or one of its variants."""

    device: Device
    what: str
    objective: Literal["time", "time-to-rmse"]
    picks: tuple[Pick, ...]

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each part, pipelines as text."""
        names = ("part", "level", "reason", "stale")
        return frame_of(
            [{**{name: getattr(pick, name) for name in names}, "pick": text_of(pick.pick)} for pick in self.picks]
        )
