# SPDX-License-Identifier: Apache-2.0
"""Training: one of a run. TrainingRecord: what `alsbench train --out` writes (results/schema/train.schema.json)."""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from alsbench.results.decode import decode
from alsbench.results.frames import frame_of
from alsbench.results.iteration import Iteration, median_seconds


@dataclass(frozen=True)
class Data:
    """The ratings that were trained on."""

    id: str
    users: int
    items: int
    train_ratings: int
    test_ratings: int


@dataclass(frozen=True)
class Trial:
    """A training of `train --search`: the values that it tried, and the test metric after so many iterations, NaN where it failed.

    of_seeds: the metric of each seed, whose mean `test` is; empty where there was one.
    """

    values: Mapping[str, str]
    iterations: int
    test: float
    of_seeds: tuple[float | None, ...] = ()

    @classmethod
    def from_json(cls, record: Mapping[str, Any], place: str) -> Self:
        test = next(iter(_named(record, "test_", float | None, place).values()), None)
        return cls(
            decode(Mapping[str, str], record.get("values"), f"{place}/values"),
            decode(int, record.get("iterations"), f"{place}/iterations"),
            math.nan if test is None else test,
            decode(tuple[float | None, ...], record.get("of_seeds", []), f"{place}/of_seeds"),
        )


@dataclass(frozen=True)
class TrainingRecord:
    """The record of a model's training. trials: those of a search, in their order."""

    backend: str
    device_name: str
    data: Data
    rank: int
    reached_target: bool
    training: Training = field(repr=False)
    provenance: Provenance = field(repr=False)
    trials: tuple[Trial, ...] = field(default=(), repr=False)

    @classmethod
    def from_json(cls, record: Mapping[str, Any], place: str) -> Self:
        device = decode(Mapping[str, Any], record.get("device"), f"{place}/device")
        options = decode(Mapping[str, Any], record.get("options"), f"{place}/options")
        return cls(
            decode(str, device.get("backend"), f"{place}/device/backend"),
            decode(str, device.get("name"), f"{place}/device/name"),
            decode(Data, record.get("data"), f"{place}/data"),
            decode(int, options.get("rank"), f"{place}/options/rank"),
            decode(bool, record.get("reached_target"), f"{place}/reached_target"),
            Training.from_json({**options, "iterations": record.get("iterations")}, place),
            decode(Provenance, record.get("provenance"), f"{place}/provenance"),
            decode(tuple[Trial, ...], (record.get("search") or {}).get("trials", []), f"{place}/search/trials"),
        )

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each iteration."""
        return frame_of([vars(each) for each in self.training.iterations])


def _named(record: Mapping[str, Any], prefix: str, kind: Any, place: str) -> dict[str, Any]:
    """The values of the keys that begin with a prefix, by what follows it."""
    return {
        key.removeprefix(prefix): decode(kind, value, f"{place}/{key}")
        for key, value in record.items()
        if key.startswith(prefix)
    }
