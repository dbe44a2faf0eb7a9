# SPDX-License-Identifier: Apache-2.0
"""History: what `alsbench history` writes (`alsbench schema history`)."""

from dataclasses import dataclass, field
from typing import Any, Literal

from alsbench.results.frames import frame_of


@dataclass(frozen=True)
class HistoryRun:
    """A result file of the history."""

    file: str
    time_utc: str
    git_commit: str
    suite: str


@dataclass(frozen=True)
class Series:
    """A case on a device and driver over the runs, which are indices. Its ratios are times over those of the canaries."""

    name: str
    device: str
    driver: str
    canaries: str
    runs: tuple[int, ...]
    ratio_to_canaries: tuple[float, ...]


@dataclass(frozen=True)
class Shift:
    """A shift of a series, which is an index. run: the first after it. ratio: after over before."""

    state: Literal["faster", "alarm", "accepted", "expired"]
    series: int
    run: int
    ratio: float
    ratio_low: float
    ratio_high: float
    adjusted_p: float
    note: str


@dataclass(frozen=True)
class History:
    """The runs of a history in their order, its series and their shifts."""

    runs: tuple[HistoryRun, ...] = field(repr=False)
    series: tuple[Series, ...] = field(repr=False)
    shifts: tuple[Shift, ...]

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each point of each series."""
        return frame_of(
            [
                {"name": each.name, "device": each.device, "driver": each.driver, "ratio_to_canaries": ratio}
                | {name: getattr(self.runs[run], name) for name in ("time_utc", "git_commit")}
                for each in self.series
                for run, ratio in zip(each.runs, each.ratio_to_canaries, strict=True)
            ]
        )
