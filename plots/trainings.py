# SPDX-License-Identifier: Apache-2.0
"""Trainings: their metric over iterations and seconds, and the steps of CG."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from alsbench.results.records import Case, RunResult, Training, TrainingRecord
from alsbench.results.table import build_label
from plots import style
from plots.cases import grouped, problem_label, training_label


@dataclass(frozen=True)
class Curve:
    """A training in a figure. panel: what it may be compared in, a problem and a metric."""

    label: str
    panel: str
    training: Training | TrainingRecord
    minimized: str
    target: float | None

    @property
    def metric(self) -> str:
        return "RMSE" if self.minimized == "rmse" else self.minimized


def curves_of(cases: Sequence[Case]) -> list[Curve]:
    return [
        Curve(
            f"{training_label(case.name)} ({case.backend})",
            problem_label(case.problem.name),
            case.training,
            case.training.metric,
            case.training.target,
        )
        for case in cases
        if case.training
    ]


def convergence(result: RunResult) -> Figure:
    """Test metric over iterations and over seconds of each training: a row for each problem and metric."""
    return draw_curves(curves_of(style.need(result.trained, "training")))


def record(document: TrainingRecord) -> Figure:
    style.need(document.iterations, "iteration")
    label = f"{document.options.algorithm} ({document.device.backend})"
    options = document.options
    figure = draw_curves([Curve(label, document.data.id, document, options.metric, options.target)])
    return style.finish(
        figure,
        f"{document.device.name}; {build_label(document.provenance)}\n{document.data.id}, rank {options.rank}",
    )


def draw_curves(curves: Sequence[Curve]) -> Figure:
    panels = grouped(curves, lambda curve: f"{curve.panel}: {curve.metric}")
    figure, axes = style.new_figure("Convergence", height=0.9 + 3.6 * len(panels), columns=2, rows=len(panels))
    for (title, group), left, right in zip(panels.items(), axes[::2], axes[1::2], strict=True):
        for n, curve in enumerate(group):
            draw_curve(left, right, curve, n)
        left.set_xlabel("iteration")
        right.set_xlabel(f"seconds of updates ({group[0].metric} apart)")
        left.set_ylabel(f"test {group[0].metric}")
        right.legend(fontsize=7)
        if len(panels) > 1:
            left.set_title(title.rpartition(":")[0], fontsize=9, loc="left")
    return figure


def draw_curve(left: style.Axes, right: style.Axes, curve: Curve, n: int) -> None:
    iterations = curve.training.iterations
    values = curve.training.tests
    left.plot([each.iteration for each in iterations], values, **look(curve, n))
    right.plot(list(itertools.accumulate(each.seconds for each in iterations)), values, **look(curve, n))
    if curve.target:
        for axis in (left, right):
            axis.axhline(curve.target, color=style.CEILING_COLOR, linestyle=":", linewidth=1)


def look(curve: Curve, n: int) -> dict:
    color, marker = style.COLORS[n % len(style.COLORS)], style.MARKERS[n % len(style.MARKERS)]
    return {"color": color, "marker": marker, "markersize": 4, "label": curve.label}


@dataclass(frozen=True)
class Point:
    """A training by its steps of CG: NaN of an exact one."""

    steps: float
    metric: float
    solve_seconds: float
    name: str


def point_of(case: Case) -> Point:
    assert case.training is not None
    pipeline = case.training.pipeline("x")
    steps = [int(step.config["steps"]) for step in pipeline.steps if "steps" in step.config] if pipeline else []
    solve = sum(
        stage.seconds for each in case.training.iterations for stage in each.stage_seconds if "solve" in stage.stage
    )
    return Point(steps[0] if steps else math.nan, case.training.tests[-1], solve, case.name)


def cg_steps(result: RunResult) -> Figure:
    """Final RMSE and solve time over f_s, the number of CG steps; exact solvers as lines."""
    points = [point_of(case) for case in style.need(result.trained, "training")]
    figure, (left, right) = style.new_figure("CG steps a system (f_s): accuracy and time", columns=2)
    iterative = sorted((p for p in points if not math.isnan(p.steps)), key=lambda p: p.steps)
    columns = ((left, "metric", "final test RMSE"), (right, "solve_seconds", "solve time of the training (s)"))
    for axis, column, unit in columns:
        axis.plot(
            [p.steps for p in iterative],
            [getattr(p, column) for p in iterative],
            marker="o",
            color=style.COLORS[0],
            label="CG",
        )
        exact = [p for p in points if math.isnan(p.steps)]
        for point, color in zip(exact, itertools.cycle(style.COLORS[1:])):
            axis.axhline(getattr(point, column), color=color, linestyle="--", label=training_label(point.name))
        axis.set_xlabel("CG steps f_s")
        axis.set_ylabel(unit)
        axis.legend(fontsize=7)
    right.set_ylim(bottom=0)
    return figure
