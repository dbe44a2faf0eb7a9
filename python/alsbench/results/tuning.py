# SPDX-License-Identifier: Apache-2.0
"""What `alsbench tune` and `alsbench best` write (results/schema/{tuning,pipeline-tuning,best}.schema.json)."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from alsbench.results.frames import frame_of
from alsbench.results.records import Device, Provenance, Shape


@dataclass(frozen=True)
class Point:
    """A configuration that a search measured, as "variant:name=value,..."; seconds are its samples."""

    point: str
    outcome: str
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

    @property
    def parameters(self) -> Mapping[str, str]:
        """The variant and each value: {"variant": "tiled", "tile": "10"}."""
        variant, _, config = self.point.partition(":")
        return {"variant": variant, **dict(item.split("=", 1) for item in config.split(",") if item)}


@dataclass(frozen=True)
class SearchResult:
    """best is None where nothing could be measured; margin is default_seconds / best_seconds."""

    strategy: str
    stop_reason: str
    evaluations: int
    elapsed_seconds: float
    best: str | None
    best_seconds: float | None
    default: str
    default_seconds: float | None
    margin: float | None
    tie_set: tuple[str, ...]
    points: tuple[Point, ...] = field(repr=False)


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
            [{**each.parameters, **{name: getattr(each, name) for name in names}} for each in self.result.points]
        )


@dataclass(frozen=True)
class SideChoice:
    """The pipeline that was chosen for a side. ties: those that could not be told from it, itself among them."""

    part: str
    pick: str
    median_seconds: float | None
    default_pick: str
    default_seconds: float | None
    speedup_over_default: float | None
    ties: tuple[str, ...]


@dataclass(frozen=True)
class Trial:
    """A training that decided what is accurate enough."""

    purpose: Literal["exact", "gate", "rematch", "default", "check", "late", "near"]
    pipelines: Mapping[str, str]
    outcome: str
    rmse: float | None
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
    sides: tuple[SideChoice, ...]
    time: Mapping[str, Any]
    trials: tuple[Trial, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each side."""
        return frame_of([vars(side) for side in self.sides])

    def side(self, name: str) -> SideChoice:
        """Raises KeyError where there is no such side."""
        return {side.part: side for side in self.sides}[name]


@dataclass(frozen=True)
class Pick:
    """What would be chosen for a side, at which level of the tuning database, and why."""

    part: str
    pick: str
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
        """A pandas.DataFrame with a row for each side."""
        names = ("part", "pick", "level", "reason", "stale")
        return frame_of([{name: getattr(pick, name) for name in names} for pick in self.picks])
