# SPDX-License-Identifier: Apache-2.0
"""python -m plots.tuning FILE [--heat A,B] [--out FIGURE]: pictures of searches for the fastest configuration.

FILE is what `alsbench tune --json` wrote: best so far over evaluations and seconds, or with --heat the best median over two
parameters; or what scripts/compare_strategies.py wrote: the median best so far of every strategy.
"""

import argparse
import json
import pathlib
import statistics

from plots import style


def parameters_of(point):
    variant, _, config = point.partition(":")
    return {"variant": variant, **dict(item.split("=") for item in config.split(",") if item)}


def measured(document):
    """(parameters, median seconds, seconds spent) of the points that succeeded, in order."""
    for point in document["result"]["points"]:
        if point["outcome"] == "ok":
            spent = sum(point[f"{what}_seconds"] for what in ("wait", "prepare", "measure"))
            yield parameters_of(point["point"]), statistics.median(point["seconds"]), spent


def caption(document):
    search, provenance = document["search"], document["provenance"]
    return (
        f"{search['device']}; {search['stage']}, side {search['side']}, rank {search['problem']['rank']}; "
        f"{document['result']['strategy']}, {document['result']['evaluations']} of {search['space']['valid']} points; "
        f"{provenance['time_utc']}; alsbench {provenance['build']['git_commit'][:10]}"
    )


def progress(document):
    points = list(measured(document))
    factor, unit = style.scale_seconds([seconds for _, seconds, _ in points])
    best = [min(seconds for _, seconds, _ in points[: i + 1]) * factor for i in range(len(points))]
    spent = [sum(s for _, _, s in points[: i + 1]) for i in range(len(points))]
    figure, axes = style.new_figure("Best so far", columns=2)
    for axis, x, label in zip(axes, (range(1, len(points) + 1), spent), ("evaluations", "seconds")):
        axis.step(x, best, where="post", color=style.COLORS[0])
        axis.plot(x, [seconds * factor for _, seconds, _ in points], ".", color=style.ROOF_COLOR, markersize=3)
        axis.set_xlabel(label)
        axis.set_ylabel(f"median time ({unit})")
        axis.set_yscale("log")
    return style.finish(figure, caption(document))


def heat_map(document, first, second):
    cells = {}
    for parameters, seconds, _ in measured(document):
        if first in parameters and second in parameters:
            key = parameters[first], parameters[second]
            cells[key] = min(seconds, cells.get(key, seconds))
    if not cells:
        names = sorted({name for parameters, _, _ in measured(document) for name in parameters})
        raise SystemExit(f"plots: no point has both {first} and {second} (parameters: {', '.join(names)})")

    def order(value):
        return (0, float(value), "") if value.replace(".", "", 1).replace("e-", "", 1).isdigit() else (1, 0, value)

    rows, columns = (sorted({key[i] for key in cells}, key=order) for i in (0, 1))
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
    return style.finish(figure, caption(document))


def comparison(document):
    spaces = document["spaces"]
    columns = min(len(spaces), 3)
    rows = -(-len(spaces) // columns)
    figure, axes = style.new_figure(
        "Best so far, median over seeds", width=3.2 * columns, height=1 + 2.4 * rows, columns=columns, rows=rows
    )
    for axis in axes[len(spaces) :]:
        axis.axis("off")
    for axis, space in zip(axes, spaces):
        for row in sorted(space["strategies"], key=lambda row: row["strategy"] == "guided"):  # on top
            guided, ours = row["strategy"] == "guided", row["tool"] == "alsbench"
            axis.plot(
                range(1, len(row["median_curve"]) + 1),
                [100 * (value - 1) if value is not None else float("nan") for value in row["median_curve"]],
                color=style.COLORS[0] if guided else style.COLORS[1] if ours else "#bbbbbb",
                linewidth=2 if guided else 1,
                label="guided" if guided else "alsbench, others" if ours else "kernel_tuner",
            )
        axis.axvline(space["points"] / 10, color="#888888", linewidth=0.8, linestyle=":")
        axis.set_title(f"{space['recording'].split('.')[0]}, {space['points']} points", fontsize=7)
        axis.set_xlabel("evaluations (dotted: a tenth)", fontsize=7)
        axis.set_ylabel("% above the best", fontsize=7)
        axis.set_ylim(0, min(50, 120 * (space["default_over_best"] - 1)))
    by_label = dict(zip(*reversed(axes[0].get_legend_handles_labels())))
    figure.legend(by_label.values(), by_label.keys(), fontsize=7, loc="upper right", ncols=3)
    devices = ", ".join(dict.fromkeys(space["device"] for space in spaces))
    return style.finish(
        figure, f"{devices}; kernel_tuner {document['kernel_tuner']}; alsbench {document['git_commit'][:10]}"
    )


def main():
    parser = argparse.ArgumentParser(prog="python -m plots.tuning", description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--heat", metavar="A,B")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    document = json.loads(options.file.read_text(encoding="utf-8"))
    kind = document.get("kind")
    if kind not in ("tuning", "strategies"):
        raise SystemExit(f"plots: {options.file}: is no tuning; give a file that `alsbench tune --json` wrote")
    if kind == "strategies":
        figure = comparison(document)
    elif options.heat:
        figure = heat_map(document, *options.heat.split(",", 1))
    else:
        figure = progress(document)
    print(style.save(figure, options.out or options.file.with_suffix(".png")))


if __name__ == "__main__":
    main()
