# SPDX-License-Identifier: Apache-2.0
"""The figure of a result: by its kind, and of a run by its suite."""

from alsbench.results import Result
from alsbench.results.records import History, PipelineTuning, RunResult, StageTuning, TrainingRecord
from alsbench.results.table import Table, table_of
from plots import history, medians, paper, style, trainings, tuning
from plots.cases import caption

# Of the rows of a run, and of the iterations of its trainings.
OF_ROWS = {
    "paper-fig4": paper.load_schemes,
    "paper-fig5": paper.solvers,
    "paper-fig7a": paper.throughput,
    "paper-fig7b": paper.bandwidth,
}
OF_ITERATIONS = {
    "paper-fs": trainings.cg_steps,
    "paper-convergence": trainings.convergence,
    "paper-fig8": trainings.convergence,
}


def figure_of(result: Result | Table) -> style.Figure:
    """Complete with its caption."""
    if isinstance(result, Table):
        return figure_of_table(result)
    if isinstance(result, RunResult):
        return figure_of_run(result)
    if isinstance(result, TrainingRecord):
        return trainings.record(result)
    if isinstance(result, StageTuning):
        return tuning.progress(result)
    if isinstance(result, PipelineTuning):
        return tuning.pipelines(result)
    if isinstance(result, History):
        return history.figure_of(result)
    raise style.NothingToDraw(f"a {type(result).__name__} has none; alsbench report shows it")


def figure_of_run(result: RunResult) -> style.Figure:
    table = table_of(result)
    draw = OF_ITERATIONS.get(table.suite)
    if draw is None and table.measured(role="case"):
        return figure_of_table(table)
    return style.finish((draw or trainings.convergence)(result), caption(table))


def figure_of_table(table: Table) -> style.Figure:
    if table.suite in OF_ITERATIONS or not table.measured(role="case"):
        raise style.NothingToDraw("it needs iterations, which the table lacks; give the .json.gz next to it")
    return style.finish(OF_ROWS.get(table.suite, medians.medians)(table), caption(table))
