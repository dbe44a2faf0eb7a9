# SPDX-License-Identifier: Apache-2.0
"""python -m plots.history HISTORY.json --out F.png: the series with shifts, as `alsbench history --json` wrote them.

Where no series has a shift, the first series are drawn as they are.
"""

import argparse
import pathlib
import statistics
import sys

from alsbench.results.records import History
from plots import style
from plots.reading import read

COLORS = {"alarm": "#D55E00", "expired": "#D55E00", "accepted": "#E69F00", "faster": "#009E73"}
MOST = 12  # series in one figure


def figure_of(history: History) -> style.Figure:
    style.need(history.series, "series")
    shifted = list(dict.fromkeys(shift.series for shift in history.shifts))
    chosen = (shifted or list(range(len(history.series))))[:MOST]
    title = (
        "Shifts in the time relative to the controls" if shifted else "No shift in the time relative to the controls"
    )
    figure, axes = style.new_figure(title, height=1.2 + 1.7 * len(chosen), rows=len(chosen))
    for axis, index in zip(axes, chosen, strict=True):
        draw(axis, history, index)
    axes[-1].set_xlabel("run")
    runs = history.runs
    return style.finish(figure, f"{len(runs)} runs, {runs[0].time_utc} to {runs[-1].time_utc}")


def draw(axis: style.Axes, history: History, index: int) -> None:
    series = history.series[index]
    usual = statistics.median_high(series.ratio_to_controls)
    ratios = [ratio / usual for ratio in series.ratio_to_controls]
    axis.plot(series.runs, ratios, "o-", color=style.COLORS[0], markersize=3, linewidth=0.8)
    for shift in history.shifts:
        if shift.series != index:
            continue
        color = COLORS[shift.state]
        axis.axvline(shift.run - 0.5, color=color)
        if shift.creep_last_run is not None:
            axis.axvspan(shift.run - 0.5, shift.creep_last_run - 0.5, color=color, alpha=0.2)
        text = f"{shift.state} {shift.ratio - 1:+.1%}{' (creep)' if shift.creep_last_run is not None else ''}"
        axis.annotate(text, (shift.run, axis.get_ylim()[1]), fontsize=7, va="top", color=color)
    axis.set_title(f"{series.name}\n{series.device} {series.driver}", fontsize=7, loc="left")
    axis.set_ylabel("of the median")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m plots.history", description=__doc__)
    parser.add_argument("file", type=pathlib.Path, metavar="HISTORY.json")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="F.png")
    options = parser.parse_args()
    try:
        figure = figure_of(read(options.file, History, "alsbench history --json"))
    except style.NothingToDraw as reason:
        sys.exit(f"plots: {options.file}: no figure: {reason}")
    print(style.save(figure, options.out))


if __name__ == "__main__":
    main()
