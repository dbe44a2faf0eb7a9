# SPDX-License-Identifier: Apache-2.0
"""python -m plots.history HISTORY.json --out F.png: the series with shifts, as `alsbench history --json` wrote them."""

import argparse
import json
import pathlib
import sys

from plots import style

COLORS = {"alarm": "#D55E00", "expired": "#D55E00", "accepted": "#E69F00", "faster": "#009E73"}
MOST = 12  # series in one figure


def main():
    parser = argparse.ArgumentParser(prog="python -m plots.history", description=__doc__)
    parser.add_argument("file", type=pathlib.Path, metavar="HISTORY.json")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="F.png")
    options = parser.parse_args()
    try:
        document = json.loads(options.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"plots: {options.file}: {error}; give a file that `alsbench history --json` wrote")
    if not isinstance(document, dict) or document.get("kind") != "history":
        sys.exit(f"plots: {options.file}: is no history; give a file that `alsbench history --json` wrote")
    stepped = list(dict.fromkeys(step["series"] for step in document["steps"]))
    if not stepped:
        sys.exit(f"plots: {options.file}: no figure: no series has a step")
    print(style.save(figure_of(document, stepped[:MOST]), options.out))


def figure_of(document, chosen):
    figure, axes = style.new_figure(
        "Steps in the time relative to the canaries", height=1.2 + 1.7 * len(chosen), rows=len(chosen)
    )
    for axis, index in zip(axes, chosen):
        draw(axis, document, index)
    axes[-1].set_xlabel("run")
    runs = document["runs"]
    return style.finish(figure, f"{len(runs)} runs, {runs[0]['time_utc']} to {runs[-1]['time_utc']}")


def draw(axis, document, index):
    series = document["series"][index]
    ratios = series["ratio_to_canaries"]
    first = sorted(ratios)[len(ratios) // 2]
    axis.plot(
        series["runs"], [ratio / first for ratio in ratios], "o-", color=style.COLORS[0], markersize=3, linewidth=0.8
    )
    for step in document["steps"]:
        if step["series"] != index:
            continue
        axis.axvline(step["run"] - 0.5, color=COLORS[step["state"]])
        axis.annotate(
            f"{step['state']} {step['ratio'] - 1:+.1%}",
            (step["run"], axis.get_ylim()[1]),
            fontsize=7,
            va="top",
            color=COLORS[step["state"]],
        )
    name = series["name"].replace("$", r"\$")  # no mathematics
    axis.set_title(f"{name}\n{series['device']} {series['driver']}", fontsize=7, loc="left")
    axis.set_ylabel("of the median")


if __name__ == "__main__":
    main()
