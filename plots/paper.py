# SPDX-License-Identifier: Apache-2.0
"""Figures 4, 5 and 7 of the paper, of the suites that carry on its experiments."""

from typing import Any

from matplotlib.figure import Figure

from alsbench.results.table import Row, Table
from plots import style
from plots.cases import grouped, label, once, rate, seconds, varying
from plots.style import finish_horizontal, need

PHASES = ("load", "compute", "write")
SIDES = ("x", "theta")
SIDE_NAMES = {"x": "update X (user rows)", "theta": "update Θ (item rows)"}
ITERATIONS = 10  # of the paper's Fig. 5


def load_schemes(table: Table) -> Figure:
    """Paper, Fig. 4: load, compute and write time of hermitian by load scheme and side."""
    cases = need([c for c in table.measured("hermitian") if "phase" in c.config], "hermitian case with phases")
    names = varying(cases)
    sides = [side for side in SIDES if any(c.part == side for c in cases)]
    figure, axes = style.new_figure("hermitian: load, compute and write, timed apart", columns=len(sides))
    for axis, side in zip(axes, sides):
        schemes = grouped([c for c in cases if c.part == side], lambda c: label(c, names, leave_out=("phase",)))
        for x, group in enumerate(schemes.values()):
            draw_phases(axis, x, {c.config["phase"]: seconds(c) * 1e3 for c in group})
        axis.set_xticks(range(len(schemes)), [scheme_label(s) for s in schemes], fontsize=7)
        axis.set_title(SIDE_NAMES[side], fontsize=9)
        axis.set_ylabel("median time (ms)")
    by_label = dict(zip(*reversed(axes[0].get_legend_handles_labels())))
    figure.legend(by_label.values(), by_label.keys(), fontsize=7, loc="upper right", ncols=2)
    return figure


def scheme_label(text: str) -> str:
    """The values alone, a line each: the parameters' names are too wide below a bar."""
    return "\n".join(
        "l1 " + word[3:] if word.startswith("l1=") else word.rpartition("=")[2]
        for word in text.split()
        if word != "tiled"
    )


def draw_phases(axis: style.Axes, x: int, times: dict[str, float]) -> None:
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


def solvers(table: Table) -> Figure:
    """Paper, Fig. 5: time of each solver over ten iterations, hermitian next to them."""
    cases = need([c for stage in ("solve", "hermitian") for c in table.measured(stage, "case")], "solve case")
    names = varying(cases)
    groups = grouped(cases, lambda c: f"{c.stage} {label(c, names)}")
    figure, (axis,) = style.new_figure(f"Solvers: time of {ITERATIONS} iterations", height=1.6 + 0.36 * len(groups))
    for y, group in enumerate(groups.values()):
        left = 0.0
        for side, color, hatch in zip(SIDES, style.COLORS, style.HATCHES):
            value = sum(ITERATIONS * seconds(c) for c in group if c.part == side)
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


def throughput(table: Table) -> Figure:
    """Paper, Fig. 7a: FLOP/s of hermitian against batched GEMM."""
    own = need(table.measured("hermitian", "case"), "hermitian case")
    gemm = once(table.measured("gemm_batched"))
    return rate_bars(
        own + gemm,
        {
            "paper_flops_per_second": "2 nnz f² (the paper's count)",
            "flops_per_second": "nnz f (f+1) (useful)",
        },
        (1e12, "TFLOP/s"),
        "hermitian against batched GEMM",
    )


def bandwidth(table: Table) -> Figure:
    """Paper, Fig. 7b: bytes/s of the solvers against a copy."""
    own = need(table.measured("solve", "case"), "solve case")
    copies = once(c for stage in ("copy", "gather_copy") for c in table.measured(stage))
    return rate_bars(
        own + copies,
        {
            "logical_bytes_per_second": "logical bytes (A read every step)",
            "compulsory_bytes_per_second": "compulsory bytes (A read once)",
        },
        (1e9, "GB/s"),
        "Solvers against a copy (read + write)",
    )


def rate_bars(cases: list[Row], rates: dict[str, str], unit: tuple[float, str], title: str) -> Figure:
    """A bar for each rate, which has its text in the legend. unit: its size and its name."""
    names = varying(cases)
    figure, (axis,) = style.new_figure(title, height=2.0 + 0.42 * len(cases))
    for i, (name, text) in enumerate(rates.items()):
        for n, case in enumerate(cases):
            value, y = rate(case, name) / unit[0], n + (i - 0.5) * 0.36
            look: dict[str, Any] = {
                "color": style.COLORS[i],
                "hatch": style.HATCHES[i],
                "label": text if n == 0 else None,
            }
            axis.barh(y, value, height=0.34, edgecolor="white", **look)
            if value:
                shown = f" {value:,.0f}" if value >= 100 else f" {value:.3g}"
                axis.text(value, y, shown, va="center", fontsize=6)
    draw_comparison(axis, cases, next(iter(rates)), unit[0])
    finish_horizontal(axis, [case_label(c, names) for c in cases], unit[1])
    figure.legend(loc="upper right", fontsize=7)
    return figure


def draw_comparison(axis: style.Axes, cases: list[Row], name: str, unit_size: float) -> None:
    """A line at the fastest FP32 reference rate, which is what the paper compares with."""
    reached = [
        rate(c, name)
        for c in cases
        if c.stage in ("gemm_batched", "copy") and c.config.get("precision", "fp32") == "fp32"
    ]
    if reached:
        baseline = "FP32 batched GEMM" if name == "paper_flops_per_second" else "copy"
        axis.axvline(
            max(reached) / unit_size,
            color=style.CEILING_COLOR,
            linestyle="--",
            linewidth=1,
            label=f"fastest {baseline}",
        )


def case_label(case: Row, names: list[str]) -> str:
    side = f" [{case.part}]" if case.part else ""
    return f"{case.stage} {label(case, names)} {case.backend}{side}"
