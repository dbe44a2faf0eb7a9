# SPDX-License-Identifier: Apache-2.0
"""One look for all figures: colour-blind-safe colours (Okabe and Ito), sizes, the caption."""

import matplotlib

matplotlib.use("Agg")  # before pyplot, which takes the backend as it finds it
import matplotlib.pyplot as plt

COLORS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]
ROOF_COLOR = "#555555"
HATCHES = ["", "//", "..", "xx", "\\\\", "oo", "++", "--"]


def new_figure(title, width=8.0, height=4.5, columns=1, rows=1):
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
        }
    )
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure, list(axes.flat)


def finish(figure, caption):
    """Adds the caption (device, date, problem) and lays out."""
    figure.text(0.01, 0.01, caption, fontsize=7, color="#555555", ha="left", va="bottom")
    inches = figure.get_size_inches()[1]
    figure.tight_layout(rect=(0, 0.45 / inches, 1, 1 - 0.5 * bool(figure.legends) / inches))
    return figure


def save(figure, target):
    """Writes the figure to a path (its suffix is the format) or, as PNG, to an open file."""
    if hasattr(target, "parent"):
        target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target)
    plt.close(figure)
    return target


def scale_seconds(seconds):
    """Factor and unit that make the largest of `seconds` readable."""
    largest = max(seconds, default=0)
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if largest * factor >= 1:
            return factor, unit
    return 1e9, "ns"
