# SPDX-License-Identifier: Apache-2.0
"""python -m plots.strategies FILE [--out FIGURE]: what scripts/compare_strategies.py wrote: the median best so far of every strategy."""

import argparse
import pathlib
import sys
from dataclasses import dataclass
from typing import Literal

from alsbench import UsageError
from alsbench.results.decode import decode
from alsbench.results.files import read_json
from plots import style
from plots.reading import stem


@dataclass(frozen=True)
class Strategy:
    tool: Literal["alsbench", "kernel_tuner"]
    strategy: str
    median_curve: tuple[float | None, ...]


@dataclass(frozen=True)
class Space:
    recording: str
    points: int
    device: str
    default_over_best: float
    strategies: tuple[Strategy, ...]


@dataclass(frozen=True)
class Strategies:
    """`alsbench schema strategies`"""

    kind: Literal["strategies"]
    git_commit: str
    kernel_tuner: str | None
    spaces: tuple[Space, ...]


def figure_of(document: Strategies) -> style.Figure:
    spaces = style.need(document.spaces, "space")
    columns = min(len(spaces), 3)
    rows = -(-len(spaces) // columns)
    figure, axes = style.new_figure(
        "Best so far, median over seeds", width=3.2 * columns, height=1 + 2.4 * rows, columns=columns, rows=rows
    )
    for axis in axes[len(spaces) :]:
        axis.axis("off")
    for axis, space in zip(axes, spaces):
        draw(axis, space)
    by_label = dict(zip(*reversed(axes[0].get_legend_handles_labels())))
    figure.legend(by_label.values(), by_label.keys(), fontsize=7, loc="upper right", ncols=3)
    devices = ", ".join(dict.fromkeys(space.device for space in spaces))
    return style.finish(figure, f"{devices}; kernel_tuner {document.kernel_tuner}; alsbench {document.git_commit[:10]}")


def draw(axis: style.Axes, space: Space) -> None:
    for row in sorted(space.strategies, key=lambda row: row.strategy == "guided"):  # on top
        guided, ours = row.strategy == "guided", row.tool == "alsbench"
        axis.plot(
            range(1, len(row.median_curve) + 1),
            [100 * (value - 1) if value is not None else float("nan") for value in row.median_curve],
            color=style.COLORS[0] if guided else style.COLORS[1] if ours else "#bbbbbb",
            linewidth=2 if guided else 1,
            label="guided" if guided else "alsbench, others" if ours else "kernel_tuner",
        )
    axis.axvline(space.points / 10, color="#888888", linewidth=0.8, linestyle=":")
    axis.set_title(f"{space.recording.split('.')[0]}, {space.points} points", fontsize=7)
    axis.set_xlabel("evaluations (dotted: a tenth)", fontsize=7)
    axis.set_ylabel("% above the best", fontsize=7)
    axis.set_ylim(0, min(50, 120 * (space.default_over_best - 1)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m plots.strategies", description=__doc__)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    try:
        document = decode(Strategies, read_json(options.file), f"{options.file}: ")
    except (OSError, UsageError) as error:
        sys.exit(f"plots: {error}; give a file that scripts/compare_strategies.py wrote")
    print(style.save(figure_of(document), options.out or options.file.with_name(f"{stem(options.file)}.png")))


if __name__ == "__main__":
    main()
