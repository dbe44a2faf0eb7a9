# SPDX-License-Identifier: Apache-2.0
"""One look for all figures: colour-blind-safe colours (Okabe and Ito), sizes, the caption, the file."""

import pathlib
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

import matplotlib

matplotlib.use("Agg")  # before pyplot, which takes the backend as it finds it
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLORS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]
CEILING_COLOR = "#555555"
HATCHES = ["", "//", "..", "xx", "\\\\", "oo", "++", "--"]
MARKERS = "osD^v<>P"


Item = TypeVar("Item")


class NothingToDraw(Exception):
    """The result has nothing that the figure needs."""


def need(found: Sequence[Item], what: str) -> list[Item]:
    if not found:
        raise NothingToDraw(f"no measured {what}")
    return list(found)


def new_figure(
    title: str, width: float = 8.0, height: float = 4.5, columns: int = 1, rows: int = 1
) -> tuple[Figure, list[Axes]]:
    plt.rcParams.update(
        {
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.grid.axis": "y",
            "grid.color": "#dddddd",
            "axes.axisbelow": True,
            "legend.frameon": False,
            "figure.dpi": 150,
            "svg.fonttype": "none",
            "text.parse_math": False,  # names may hold dollars
        }
    )
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure, list(axes.flat)


def finish(figure: Figure, caption: str) -> Figure:
    """Adds the caption (device, date, problem) and lays out."""
    figure.text(0.01, 0.01, caption, fontsize=7, color="#555555", ha="left", va="bottom")
    inches = figure.get_size_inches()[1]
    figure.tight_layout(rect=(0, 0.45 / inches, 1, 1 - 0.5 * bool(figure.legends) / inches))
    return figure


def finish_horizontal(axis: Axes, labels: Sequence[str], unit: str) -> None:
    """Of a panel of horizontal bars."""
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.invert_yaxis()
    axis.grid(axis="x")
    axis.grid(visible=False, axis="y")
    axis.set_xlabel(unit)
    axis.margins(x=0.14)


def save(figure: Figure, target: pathlib.Path) -> pathlib.Path:
    """Writes the figure to a path, whose suffix is the format."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(target)
    except (OSError, ValueError) as error:
        sys.exit(f"plots: {target}: cannot be written: {error}")
    plt.close(figure)
    return target


def scale_seconds(seconds: Iterable[float]) -> tuple[float, str]:
    """Factor and unit that make the largest of `seconds` readable."""
    largest = max(seconds, default=0)
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if largest * factor >= 1:
            return factor, unit
    return 1e9, "ns"
