# SPDX-License-Identifier: Apache-2.0
"""python -m plots.agreement FILE.json...: do tunings of the same problem choose alike? A row a tuning, as Markdown.

For files of `alsbench tune pipeline --json`. *agrees* counts the other tunings whose choice or ties hold this one's choice. Needs nothing but Python.
"""

import sys
from collections.abc import Sequence

from alsbench.results.records import PipelineTuning
from plots.markdown import main_of, table_text
from plots.reading import read
from plots.tuned import brief

HEAD = "| seed | seconds | of them measuring | X | ms | agrees | Theta | ms | agrees |"


def tuned_what(tuning: PipelineTuning) -> str:
    problem = tuning.problem
    return f"{problem.dataset or problem.path}, rank {problem.rank}, on {tuning.device.name}"


def cells(tunings: list[PipelineTuning], own: PipelineTuning, name: str) -> list[str]:
    part = own.part(name)
    others = [tuning.part(name) for tuning in tunings if tuning is not own]
    agreeing = sum(part.pick in (other.pick, *other.ties) for other in others)
    return [brief(part.pick), f"{(part.median_seconds or 0) * 1e3:.2f}", f"{agreeing} of {len(others)}"]


def row(tunings: list[PipelineTuning], tuning: PipelineTuning) -> list[str]:
    time = tuning.time
    return [
        str(tuning.search.seed),
        f"{time.total_seconds:.0f}",
        f"{time.measuring_seconds / time.total_seconds:.0%}",
        *cells(tunings, tuning, "x"),
        *cells(tunings, tuning, "theta"),
    ]


def text(paths: Sequence[str]) -> str:
    tunings = [read(path, PipelineTuning, "alsbench tune pipeline") for path in paths]
    if len(what := sorted(set(map(tuned_what, tunings)))) > 1:
        sys.exit(f"plots: not tunings of one problem on one device: {'; '.join(what)}")
    return table_text(HEAD, (row(tunings, tuning) for tuning in tunings))


if __name__ == "__main__":
    main_of(text, __doc__)
