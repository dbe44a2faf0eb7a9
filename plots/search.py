# SPDX-License-Identifier: Apache-2.0
"""python -m plots.search RECORD.json [FIGURE]: the trials of `alsbench train --search`, a line a combination of values.

The figure is search.png next to the record unless another (.png, .svg, .pdf) is named.
"""

import math
import pathlib
import sys

from alsbench.results.records import SearchTrial, TrainingRecord, ValueSearch
from alsbench.results.table import build_label
from plots import style
from plots.cases import grouped
from plots.reading import read


def text_of(trial: SearchTrial) -> str:
    return " ".join(f"{name}={value}" for name, value in trial.values.items())


def test_of(trial: SearchTrial) -> float:
    return math.nan if trial.test_metric is None else trial.test_metric


def seeds_of(trial: SearchTrial) -> list[float]:
    return [metric for metric in trial.of_seeds if metric is not None] or [test_of(trial)]


def search(record: TrainingRecord) -> style.Figure:
    """Test metric over iterations: a candidate that went into another round has several points, and seeds are its bars. Failed trials are left out, and the best has a star."""
    found = record.search or ValueSearch(best=None, trials=())
    trials = [trial for trial in style.need(found.trials, "trial of a search") if trial.test_metric is not None]
    metric = found.metric or record.options.metric  # older records have the training's alone
    figure, (axis,) = style.new_figure(f"Search: test {metric} of each trial")
    for n, (label, group) in enumerate(grouped(trials, text_of).items()):
        color, marker = style.COLORS[n % len(style.COLORS)], style.MARKERS[n % len(style.MARKERS)]
        rounds = sorted(group, key=lambda trial: trial.iterations)
        tests = [test_of(trial) for trial in rounds]
        below = [test_of(trial) - min(seeds_of(trial)) for trial in rounds]
        above = [max(seeds_of(trial)) - test_of(trial) for trial in rounds]
        iterations = [trial.iterations for trial in rounds]
        best = rounds[0].values == found.best
        axis.errorbar(
            iterations,
            tests,
            [below, above],
            color=color,
            marker=marker,
            markersize=4,
            capsize=2,
            label=f"{label} (best)" if best else label,
        )
        if best:
            axis.plot(iterations[-1], tests[-1], "*", color=color, markersize=12)
    axis.set_xlabel("iterations of the trial")
    axis.set_ylabel(f"test {metric} ({'↑' if found.greater_is_better else '↓'} is better)")
    axis.legend(fontsize=6, ncols=2)
    return style.finish(figure, f"{record.device.name}; {build_label(record.provenance)}\n{record.data.id}")


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    record = read(source, TrainingRecord, "alsbench train")
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else source.with_name("search.png")
    try:
        print(style.save(search(record), target))
    except style.NothingToDraw as reason:
        sys.exit(f"plots: {source}: no figure: {reason}; train with --search")


if __name__ == "__main__":
    main()
