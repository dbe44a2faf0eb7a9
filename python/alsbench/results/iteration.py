# SPDX-License-Identifier: Apache-2.0
"""Iteration: what one iteration of a training took and reached."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from alsbench.results.decode import decode


@dataclass(frozen=True)
class Iteration:
    """An iteration, as the program records it (docs/reference/schema.md). Times are seconds; a metric is NaN where there is none.

    metric: the name of what is minimized, "rmse" or "loss". train, test: its values over training and test ratings.
    seconds: of the iteration on the device, evaluation apart. wall_seconds: the same by the host's clock.
    stage_seconds: of each stage, such as "x/hermitian".
    mean_solver_steps: of an iterative solver, over all rows; 0 of direct solvers.
    cold_test_ratings: test ratings of users or items without training ratings.
    """

    iteration: int
    metric: str
    train: float
    test: float
    seconds: float
    wall_seconds: float
    metric_seconds: float
    mean_solver_steps: float
    cold_test_ratings: int
    stage_seconds: Mapping[str, float] = field(repr=False)

    @classmethod
    def from_json(cls, record: Mapping[str, Any], place: str) -> Self:
        """Keys are made of the metric's name: "train_rmse"."""
        metric = next((key.removeprefix("train_") for key in record if key.startswith("train_")), "rmse")

        def read(kind: Any, *path: str) -> Any:
            value: Any = record
            for key in path:
                value = value.get(key) if isinstance(value, Mapping) else None
            return decode(kind, value, f"{place}/{'/'.join(path)}")

        def number(key: str) -> float:
            value = read(float | None, key)
            return math.nan if value is None else value

        return cls(
            read(int, "iteration"),
            metric,
            number(f"train_{metric}"),
            number(f"test_{metric}"),
            read(float, "seconds", "total"),
            read(float, "seconds", "wall"),
            read(float, "seconds", metric),
            read(float, "mean_cg_steps"),
            read(int, "cold_test_ratings"),
            read(Mapping[str, float], "seconds", "stages"),
        )


def median_seconds(iterations: Sequence[Iteration]) -> float:
    """Of an iteration but the first, which warms up; NaN where there is none."""
    return statistics.median(each.seconds for each in iterations[1:]) if len(iterations) > 1 else math.nan
