# SPDX-License-Identifier: Apache-2.0
"""The figure of a result: by its kind, and of a run by its suite."""

from alsbench.results import Result
from alsbench.results.history import History
from alsbench.results.run import RunResult
from alsbench.results.training import TrainingRecord
from alsbench.results.tuning import PipelineTuning, StageTuning
from plots import history, medians, paper, style, trainings, tuning
from plots.cases import caption

SUITES = {
    "paper-fig4": paper.load_schemes,
    "paper-fig5": paper.solvers,
    "paper-fig7a": paper.throughput,
    "paper-fig7b": paper.bandwidth,
    "paper-fs": trainings.cg_steps,
    "paper-convergence": trainings.convergence,
    "paper-fig8": trainings.convergence,
}


def figure_of(result: Result) -> style.Figure:
    """Complete with its caption."""
    if isinstance(result, RunResult):
        draw = medians.medians if result.measured(role="case") else trainings.convergence
        return style.finish(SUITES.get(result.suite.name, draw)(result), caption(result))
    if isinstance(result, TrainingRecord):
        return trainings.record(result)
    if isinstance(result, StageTuning):
        return tuning.progress(result)
    if isinstance(result, PipelineTuning):
        return tuning.pipelines(result)
    if isinstance(result, History):
        return history.figure_of(result)
    raise style.NothingToDraw(f"a {type(result).__name__} has none; alsbench report shows it")
