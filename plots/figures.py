# SPDX-License-Identifier: Apache-2.0
"""One function a figure: document in, matplotlib figure out. FIGURES maps suites to them."""

import re

from plots import results, style

PHASES = ("load", "compute", "write")
SIDES = ("x", "theta")
SIDE_NAMES = {"x": "update X (user rows)", "theta": "update Θ (item rows)"}
ITERATIONS = 10  # of the paper's Fig. 5


class NothingToDraw(Exception):
    """The document has no case that the figure needs."""


def need(cases, what):
    if not cases:
        raise NothingToDraw(f"no measured {what}")
    return cases


def grouped(cases, key):
    groups = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return groups


def once(cases):
    """Roofs are measured again beside each group of cases: the fastest of each kind."""
    fastest = {}
    for case in cases:
        key = (case["backend"], case["side"], results.label(case, case["config"]))
        if key not in fastest or results.seconds(case) < results.seconds(fastest[key]):
            fastest[key] = case
    return list(fastest.values())


def load_schemes(document):
    """Paper, Fig. 4: load, compute and write time of hermitian by load scheme and side."""
    cases = need(
        [c for c in results.measured(document, "hermitian") if "phase" in c["config"]], "hermitian case with phases"
    )
    names = results.varying(cases)
    sides = [side for side in SIDES if any(c["side"] == side for c in cases)]
    figure, axes = style.new_figure("hermitian: load, compute and write, timed apart", columns=len(sides))
    for axis, side in zip(axes, sides):
        schemes = grouped(
            [c for c in cases if c["side"] == side], lambda c: results.label(c, names, leave_out=("phase",))
        )
        for x, group in enumerate(schemes.values()):
            draw_phases(axis, x, {c["config"]["phase"]: results.seconds(c) * 1e3 for c in group})
        axis.set_xticks(range(len(schemes)), [scheme_label(s) for s in schemes], fontsize=7)
        axis.set_title(SIDE_NAMES[side], fontsize=9)
        axis.set_ylabel("median time (ms)")
    by_label = dict(zip(*reversed(axes[0].get_legend_handles_labels())))
    figure.legend(by_label.values(), by_label.keys(), fontsize=7, loc="upper right", ncols=2)
    return figure


def scheme_label(label):
    """The values alone, a line each: the parameters' names are too wide below a bar."""
    return "\n".join(
        "l1 " + word[3:] if word.startswith("l1=") else word.rpartition("=")[2]
        for word in label.split()
        if word != "tiled"
    )


def draw_phases(axis, x, times):
    bottom = 0.0
    for phase, color, hatch in zip(PHASES, style.COLORS, style.HATCHES):
        if phase in times:
            axis.bar(
                x, times[phase], bottom=bottom, color=color, hatch=hatch, edgecolor="white", width=0.6, label=phase
            )
            bottom += times[phase]
    if "all" in times:
        axis.plot(
            x,
            times["all"],
            marker="_",
            markersize=28,
            markeredgewidth=2,
            color="black",
            linestyle="none",
            label="whole kernel",
        )


def solvers(document):
    """Paper, Fig. 5: time of each solver over ten iterations, hermitian beside them."""
    cases = need(
        [c for stage in ("solve", "hermitian") for c in results.measured(document, stage, "case")], "solve case"
    )
    names = results.varying(cases)
    groups = grouped(cases, lambda c: f"{c['stage']} {results.label(c, names)}")
    figure, (axis,) = style.new_figure(f"Solvers: time of {ITERATIONS} iterations", height=1.6 + 0.36 * len(groups))
    for y, group in enumerate(groups.values()):
        left = 0.0
        for side, color, hatch in zip(SIDES, style.COLORS, style.HATCHES):
            value = sum(ITERATIONS * results.seconds(c) for c in group if c["side"] == side)
            axis.barh(
                y,
                value,
                left=left,
                color=color,
                hatch=hatch,
                edgecolor="white",
                height=0.65,
                label=SIDE_NAMES[side] if y == 0 else None,
            )
            left += value
        axis.text(left, y, f" {left:.3g} s", va="center", fontsize=7)
    finish_horizontal(axis, list(groups), f"time of {ITERATIONS} iterations (s)")
    figure.legend(loc="upper right", fontsize=7)
    return figure


def finish_horizontal(axis, labels, unit):
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.invert_yaxis()
    axis.grid(axis="x")
    axis.grid(visible=False, axis="y")
    axis.set_xlabel(unit)
    axis.margins(x=0.14)


def throughput(document):
    """Paper, Fig. 7a: FLOP/s of hermitian against batched GEMM."""
    own = need(results.measured(document, "hermitian", "case"), "hermitian case")
    gemm = once(results.measured(document, "gemm_batched"))
    return rate_bars(
        document,
        own + gemm,
        ["paper_flops_per_second", "flops_per_second"],
        1e12,
        ["2 nnz f² (the paper's count)", "nnz f (f+1) (useful)"],
        "TFLOP/s",
        "hermitian against batched GEMM",
    )


def bandwidth(document):
    """Paper, Fig. 7b: bytes/s of the solvers against a copy."""
    own = need(results.measured(document, "solve", "case"), "solve case")
    copies = once(c for stage in ("copy", "gather_copy") for c in results.measured(document, stage))
    return rate_bars(
        document,
        own + copies,
        ["logical_bytes_per_second", "compulsory_bytes_per_second"],
        1e9,
        ["logical bytes (A read every step)", "compulsory bytes (A read once)"],
        "GB/s",
        "Solvers against a copy (read + write)",
    )


def rate_bars(document, cases, rates, unit_size, labels, unit, title):
    names = results.varying(cases)
    figure, (axis,) = style.new_figure(title, height=2.0 + 0.42 * len(cases))
    for i, (name, text) in enumerate(zip(rates, labels)):
        for y, case in enumerate(cases):
            value = results.rate(case, name) / unit_size
            axis.barh(
                y + (i - 0.5) * 0.36,
                value,
                height=0.34,
                color=style.COLORS[i],
                hatch=style.HATCHES[i],
                edgecolor="white",
                label=text if y == 0 else None,
            )
            if value:
                axis.text(
                    value,
                    y + (i - 0.5) * 0.36,
                    f" {value:,.0f}" if value >= 100 else f" {value:.3g}",
                    va="center",
                    fontsize=6,
                )
    draw_comparison(axis, cases, rates[0], unit_size)
    finish_horizontal(axis, [case_label(c, names) for c in cases], unit)
    figure.legend(loc="upper right", fontsize=7)
    return figure


def draw_comparison(axis, cases, rate, unit_size):
    """A line at the fastest FP32 yardstick, which is what the paper compares with."""
    reached = [
        results.rate(c, rate)
        for c in cases
        if c["stage"] in ("gemm_batched", "copy") and c["config"].get("precision", "fp32") == "fp32"
    ]
    if reached:
        baseline = "FP32 batched GEMM" if rate == "paper_flops_per_second" else "copy"
        axis.axvline(
            max(reached) / unit_size, color=style.ROOF_COLOR, linestyle="--", linewidth=1, label=f"fastest {baseline}"
        )


def case_label(case, names):
    side = f" [{case['side']}]" if case["side"] else ""
    return f"{case['stage']} {results.label(case, names)} {case['backend']}{side}"


def cg_steps(document):
    """Final RMSE and solve time over f_s, the number of CG steps; exact solvers as lines."""
    runs = need(results.trainings(document), "training")
    figure, (left, right) = style.new_figure("CG steps a system (f_s): accuracy and time", columns=2)
    points = []
    for case in runs:
        match = re.search(r"steps=(\d+)", case["training"]["pipeline_x"])
        iterations = case["training"]["iterations"]
        solve = sum(s for i in iterations for stage, s in i["seconds"]["stages"].items() if "solve" in stage)
        points.append((int(match.group(1)) if match else None, iterations[-1]["test_rmse"], solve, case["name"]))
    steps = sorted((p for p in points if p[0] is not None), key=lambda p: p[0])
    for axis, column, unit in ((left, 1, "final test RMSE"), (right, 2, "solve time of the training (s)")):
        axis.plot([p[0] for p in steps], [p[column] for p in steps], marker="o", color=style.COLORS[0], label="CG")
        for point, color in zip([p for p in points if p[0] is None], style.COLORS[1:]):
            axis.axhline(point[column], color=color, linestyle="--", label=training_label(point[3]))
        axis.set_xlabel("CG steps f_s")
        axis.set_ylabel(unit)
        axis.legend(fontsize=7)
    right.set_ylim(bottom=0)
    return figure


def training_label(name):
    return re.sub(r"^train(ing)?/", "", name).split("/")[0]


def convergence(document):
    """Test RMSE over iterations and over seconds of each training."""
    runs = need(results.trainings(document), "training")
    figure, (left, right) = style.new_figure("Convergence", columns=2)
    markers = "osD^v<>P"
    for n, case in enumerate(runs):
        iterations = case["training"]["iterations"]
        rmse = [i["test_rmse"] for i in iterations]
        elapsed, total = [], 0.0
        for iteration in iterations:
            total += iteration["seconds"]["total"]
            elapsed.append(total)
        look = {
            "color": style.COLORS[n % len(style.COLORS)],
            "marker": markers[n % len(markers)],
            "markersize": 4,
            "label": f"{training_label(case['name'])} ({case['backend']})",
        }
        left.plot([i["iteration"] for i in iterations], rmse, **look)
        right.plot(elapsed, rmse, **look)
        if case["training"].get("target_rmse"):
            for axis in (left, right):
                axis.axhline(case["training"]["target_rmse"], color=style.ROOF_COLOR, linestyle=":", linewidth=1)
    left.set_xlabel("iteration")
    right.set_xlabel("seconds of updates (RMSE apart)")
    left.set_ylabel("test RMSE")
    right.legend(fontsize=7)
    return figure


def medians(document):
    """Any suite: medians with quartiles, a panel a stage, the share of the nearest roof at each bar."""
    cases = need(results.measured(document, role="case"), "case")
    stages = grouped(cases, lambda c: c["stage"])
    figure, axes = style.new_figure(
        f"Suite {results.suite_name(document)}: median times",
        height=1.2 + sum(0.75 + 0.24 * len(g) for g in stages.values()),
        columns=1,
    )
    figure.delaxes(axes[0])
    grid = figure.add_gridspec(len(stages), 1, height_ratios=[0.75 + 0.24 * len(g) for g in stages.values()])
    for n, (stage, group) in enumerate(stages.items()):
        draw_medians(figure.add_subplot(grid[n]), stage, group, style.COLORS[n % len(style.COLORS)])
    return figure


def draw_medians(axis, stage, cases, color):
    names = results.varying(cases)
    factor, unit = style.scale_seconds([results.seconds(c) for c in cases])
    for y, case in enumerate(cases):
        value = results.seconds(case) * factor
        low, high = (q * factor for q in results.quartiles(case))
        axis.barh(y, value, color=color, height=0.7)
        axis.errorbar(
            value, y, xerr=[[max(0, value - low)], [max(0, high - value)]], color="black", linewidth=0.8, capsize=2
        )
        share = results.share(case)
        text = f"  {value:.3g} {unit}" + (f", {share[0]:.0%} of {share[1]}" if share else "")
        axis.text(max(value, high), y, text, va="center", fontsize=6)
    finish_horizontal(
        axis, [f"{results.label(c, names)} {c['backend']} [{c['side']}]" for c in cases], f"median ({unit})"
    )
    axis.margins(x=0.3)
    axis.set_title(stage, fontsize=9, loc="left")


FIGURES = {
    "paper-fig4": load_schemes,
    "paper-fig5": solvers,
    "paper-fig7a": throughput,
    "paper-fig7b": bandwidth,
    "paper-fs": cg_steps,
    "paper-convergence": convergence,
    "paper-fig8": convergence,
}


def figure_of(document):
    """The figure of the document's suite, complete with its caption."""
    draw = FIGURES.get(results.suite_name(document))
    if draw is None:
        draw = medians if results.measured(document, role="case") else convergence
    return style.finish(draw(document), results.caption(document))
