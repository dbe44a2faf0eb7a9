# SPDX-License-Identifier: Apache-2.0
"""Any suite: medians with quartiles, a panel a stage and one of trainings, the share of the nearest roof at each bar."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from alsbench.results.run import Case, RunResult
from plots import style
from plots.cases import grouped, label, measurement, problem_label, statistics, varying
from plots.trainings import training_label


@dataclass(frozen=True)
class Bar:
    """Seconds, and what the label at their end says beside them."""

    label: str
    median: float
    low: float
    high: float
    note: str = ""


def medians(result: RunResult) -> Figure:
    panels = {
        stage: bars_of(cases) for stage, cases in grouped(result.measured(role="case"), lambda c: c.stage or "").items()
    }
    if trained := [case for case in result.trained if case.training and len(case.training.iterations) > 1]:
        panels["an iteration of a training"] = [training_bar(case, trained) for case in trained]
    style.need(list(panels), "case")
    heights = [0.75 + 0.24 * len(bars) for bars in panels.values()]
    figure, axes = style.new_figure(f"Suite {result.suite.name or 'results'}: median times", height=1.2 + sum(heights))
    figure.delaxes(axes[0])
    grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
    for n, (title, bars) in enumerate(panels.items()):
        draw_bars(figure.add_subplot(grid[n]), title, bars, style.COLORS[n % len(style.COLORS)])
    return figure


def bars_of(cases: list[Case]) -> list[Bar]:
    names = varying(cases)
    return [case_bar(case, f"{label(case, names)} {case.backend} [{case.side}]") for case in cases]


def case_bar(case: Case, text: str) -> Bar:
    median, roof = case.median_seconds, measurement(case).nearest_roof
    low, high = statistics(case).q1_seconds, statistics(case).q3_seconds
    note = f", {roof.share:.0%} of {roof.of}" if roof else ""
    return Bar(text, median, median if low is None else low, median if high is None else high, note)


def training_bar(case: Case, beside: list[Case]) -> Bar:
    """The quartiles are left out: an iteration's time differs from the next one's by design."""
    assert case.training is not None
    several = len({each.problem.name for each in beside}) > 1
    text = f"{training_label(case.name)}{f' ({problem_label(case.problem)})' * several} {case.backend}"
    seconds = case.training.median_seconds
    return Bar(text, seconds, seconds, seconds)


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
