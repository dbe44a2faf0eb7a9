# SPDX-License-Identifier: Apache-2.0
"""python -m plots.tuning FILE [--heat A,B] [--out FIGURE]: pictures of searches for the fastest configuration.

FILE is what `alsbench tune stage --json` wrote: best so far over evaluations and seconds, or with --heat the best median over two
parameters; of a search for pipelines, what was chosen and the trainings behind it.
"""

import argparse
import itertools
import pathlib
import sys
from dataclasses import dataclass

from alsbench.results.records import Evaluation, PipelineTuning, StageTuning
from alsbench.results.table import build_label
from plots import style
from plots.cases import grouped
from plots.reading import read_any, stem


@dataclass(frozen=True)
class Measured:
    """A point that succeeded. spent: what it took, in seconds."""

    parameters: dict[str, str]
    median: float
    spent: float


def measured(result: StageTuning) -> list[Measured]:
    """In the order of the search."""
    return style.need([point_of(point) for point in result.result.points if point.seconds], "point")


def point_of(point: Evaluation) -> Measured:
    assert point.median_seconds is not None
    spent = point.wait_seconds + point.prepare_seconds + point.measure_seconds
    return Measured(dict(point.point.parameters), point.median_seconds, spent)


def caption(result: StageTuning) -> str:
    search, found = result.search, result.result
    place = "" if search.problem is None else f", part {search.part}, rank {search.problem.rank}"
    return (
        f"{search.device}; {search.stage}{place}; "
        f"{found.strategy}, {found.evaluations} of {search.space.valid} points; {build_label(result.provenance)}"
    )


def progress(result: StageTuning) -> style.Figure:
    points = measured(result)
    factor, unit = style.scale_seconds([point.median for point in points])
    best = list(itertools.accumulate((point.median * factor for point in points), min))
    evaluations = [*range(1, len(points) + 1)]
    spent = [*itertools.accumulate(point.spent for point in points)]
    figure, axes = style.new_figure("Best so far", columns=2)
    for axis, x, label in zip(axes, (evaluations, spent), ("evaluations", "seconds"), strict=True):
        axis.step(x, best, where="post", color=style.COLORS[0])
        axis.plot(x, [point.median * factor for point in points], ".", color=style.CEILING_COLOR, markersize=3)
        axis.set_xlabel(label)
        axis.set_ylabel(f"median time ({unit})")
        axis.set_yscale("log")
    return style.finish(figure, caption(result))


def best_by(result: StageTuning, first: str, second: str) -> dict[tuple[str, str], float]:
    """The best median of each pair of values of two parameters."""
    points = measured(result)
    cells: dict[tuple[str, str], float] = {}
    for point in points:
        if first in point.parameters and second in point.parameters:
            key = point.parameters[first], point.parameters[second]
            cells[key] = min(point.median, cells.get(key, point.median))
    if not cells:
        names = ", ".join(sorted({name for point in points for name in point.parameters}))
        raise style.NothingToDraw(f"no point has both {first} and {second} (parameters: {names})")
    return cells


def in_order(value: str) -> tuple[int, float, str]:
    """Numbers first, by their size."""
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0, value)


def heat_map(result: StageTuning, first: str, second: str) -> style.Figure:
    cells = best_by(result, first, second)
    rows, columns = (sorted({key[i] for key in cells}, key=in_order) for i in (0, 1))
    factor, unit = style.scale_seconds(cells.values())
    figure, (axis,) = style.new_figure(f"Best median ({unit}) by {first} and {second}")
    axis.grid(False)
    grid = [[cells.get((row, column), float("nan")) * factor for column in columns] for row in rows]
    axis.imshow(grid, cmap="viridis_r", aspect="auto")
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            if value == value:
                axis.text(x, y, f"{value:.3g}", ha="center", va="center", color="white", fontsize=8)
    axis.set_xticks(range(len(columns)), columns)
    axis.set_yticks(range(len(rows)), rows)
    axis.set_xlabel(second)
    axis.set_ylabel(first)
    return style.finish(figure, caption(result))


def pipelines(result: PipelineTuning) -> style.Figure:
    """Medians of the default and of what was chosen, and the trainings that decided what is accurate enough."""
    figure, (left, right) = style.new_figure("Pipelines: chosen against default, and trainings", columns=2)
    style.need(result.parts, "part")
    times = [seconds for part in result.parts for seconds in (part.default_seconds, part.median_seconds)]
    factor, unit = style.scale_seconds([each or 0 for each in times])
    colors = itertools.cycle(style.COLORS[:2])
    left.barh(
        range(len(times)), [(each or 0) * factor for each in times], color=[*itertools.islice(colors, len(times))]
    )
    for y, each in enumerate(times):
        left.text(
            (each or 0) * factor, y, f" {each * factor:.3g}" if each else " not measured", va="center", fontsize=7
        )
    names = [f"{part.part}: {which}" for part in result.parts for which in ("default", "chosen")]
    style.finish_horizontal(left, names, f"median time ({unit})")
    draw_trials(right, result)
    right.set_xlabel(
        "seconds of an iteration" if result.objective == "time" else f"seconds to the target {metric_of(result)}"
    )
    return style.finish(figure, pipelines_caption(result))


def metric_of(result: PipelineTuning) -> str:
    return result.gate.metric.upper()


def draw_trials(axis: style.Axes, result: PipelineTuning) -> None:
    trials = result.trials
    points = [(each.purpose, each.seconds, each.test_metric) for each in trials if each.seconds and each.test_metric]
    for n, (purpose, group) in enumerate(grouped(points, lambda point: point[0]).items()):
        seconds, metrics = [point[1] for point in group], [point[2] for point in group]
        axis.plot(seconds, metrics, style.MARKERS[n], color=style.COLORS[n], markersize=4, label=purpose)
    axis.set_ylabel(f"test {metric_of(result)}")
    if points:
        axis.legend(fontsize=7)


def pipelines_caption(result: PipelineTuning) -> str:
    problem = result.problem
    data = problem.dataset or problem.path
    return f"{result.device.name}; {data}, rank {problem.rank}; {build_label(result.provenance)}"


def two_names(text: str) -> tuple[str, str]:
    first, comma, second = text.partition(",")
    if not (first and comma and second):
        raise argparse.ArgumentTypeError(f"'{text}' is not two parameters; give A,B")
    return first, second


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m plots.tuning", description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--heat", metavar="A,B", type=two_names)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    result = read_any(options.file)
    if not isinstance(result, StageTuning | PipelineTuning):
        sys.exit(f"plots: {options.file}: is no tuning; give a file that `alsbench tune stage --json` wrote")
    if options.heat and not isinstance(result, StageTuning):
        sys.exit(f"plots: {options.file}: --heat is of a search for one stage; this one is for pipelines")
    try:
        if isinstance(result, PipelineTuning):
            figure = pipelines(result)
        else:
            figure = heat_map(result, *options.heat) if options.heat else progress(result)
    except style.NothingToDraw as reason:
        sys.exit(f"plots: {options.file}: no figure: {reason}")
    print(style.save(figure, options.out or options.file.with_name(f"{stem(options.file)}.png")))


if __name__ == "__main__":
    main()
