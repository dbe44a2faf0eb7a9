# SPDX-License-Identifier: Apache-2.0
"""Any suite: medians with quartiles, a panel a stage and one of trainings, the share of the nearest ceiling at each bar."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from alsbench.results.table import Row, Table
from plots import style
from plots.cases import grouped, label, problem_label, seconds, training_label, varying

DISTURBED = ", disturbed"  # by other work on the machine


@dataclass(frozen=True)
class Bar:
    """Seconds, and what the label at their end says."""

    label: str
    median: float
    low: float
    high: float
    note: str = ""


def medians(table: Table) -> Figure:
    panels = {
        stage: bars_of(rows)
        for stage, rows in grouped(table.measured(role="case"), lambda row: row.stage or "").items()
    }
    if trained := [row for row in table.trained if row.iteration_seconds is not None]:
        panels["an iteration of a training"] = [training_bar(row, trained) for row in trained]
    style.need(list(panels), "case")
    heights = [0.75 + 0.24 * len(bars) for bars in panels.values()]
    figure, axes = style.new_figure(f"Suite {table.suite or 'results'}: median times", height=1.2 + sum(heights))
    figure.delaxes(axes[0])
    grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
    for n, (title, bars) in enumerate(panels.items()):
        draw_bars(figure.add_subplot(grid[n]), title, bars, style.COLORS[n % len(style.COLORS)])
    return figure


def bars_of(rows: list[Row]) -> list[Bar]:
    names = varying(rows)
    return [bar_of(row, f"{label(row, names)} {row.backend} [{row.part}]") for row in rows]


def bar_of(row: Row, text: str) -> Bar:
    median, low, high = seconds(row), row.q1_seconds, row.q3_seconds
    note = f", {row.share_of_nearest_ceiling:.0%} of {row.nearest_ceiling}" if row.nearest_ceiling else ""
    note += DISTURBED * row.disturbed
    return Bar(text, median, median if low is None else low, median if high is None else high, note)


def training_bar(row: Row, beside: list[Row]) -> Bar:
    """The quartiles are left out: an iteration's time differs from the next one's by design."""
    assert row.iteration_seconds is not None
    seconds = row.iteration_seconds
    several = len({each.problem for each in beside}) > 1
    text = f"{training_label(row.name)}{f' ({problem_label(row.problem)})' * several} {row.backend}"
    return Bar(text, seconds, seconds, seconds, DISTURBED * row.disturbed)


def draw_bars(axis: style.Axes, title: str, bars: list[Bar], color: str) -> None:
    factor, unit = style.scale_seconds([bar.median for bar in bars])
    for y, bar in enumerate(bars):
        value, low, high = bar.median * factor, bar.low * factor, bar.high * factor
        axis.barh(y, value, color=color, height=0.7)
        errors = [[max(0, value - low)], [max(0, high - value)]]
        axis.errorbar(value, y, xerr=errors, color="black", linewidth=0.8, capsize=2)
        axis.text(max(value, high), y, f"  {value:.3g} {unit}{bar.note}", va="center", fontsize=6)
    style.finish_horizontal(axis, [bar.label for bar in bars], f"median ({unit})")
    axis.margins(x=0.3)
    axis.set_ylim(len(bars) - 0.4, -0.6)
    axis.set_title(title, fontsize=9, loc="left")
