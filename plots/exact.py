# SPDX-License-Identifier: Apache-2.0
"""python -m plots.exact FILE...: what exact FP32 takes on a GPU with A_u formed on tensor cores and without, as Markdown.

For results of `alsbench run exact-solves`, or their tables. Cells are the users' and the items' half-iterations.
"""

from collections.abc import Iterator, Sequence

from alsbench.results.table import Table
from plots.markdown import main_of, table_text
from plots.reading import read_table_of

HEAD = "| rank | `hermitian/split` | `normal_equations/halves` | `normal_equations/mma`, FP16 | an iteration of `exact-library` | of `exact` |"
FORMED = ("hermitian/split", "normal_equations/halves", "normal_equations/mma")
TRAINED = ("exact-library", "exact")


def milliseconds(seconds: float | None) -> str:
    return f"{1e3 * seconds:.1f}" if seconds is not None else ""


def rows(table: Table) -> Iterator[list[str]]:
    for rank in sorted({row.rank for row in table.rows}):
        formed = [row for row in table.measured() if row.rank == rank]
        trained = {row.name.split("/")[1]: row for row in table.trained if row.rank == rank}
        cells = [
            " + ".join(milliseconds(row.median_seconds) for row in formed if f"{row.stage}/{row.variant}" == kernel)
            for kernel in FORMED
        ]
        cells += [milliseconds(trained[name].mean_iteration_seconds) if name in trained else "" for name in TRAINED]
        yield [str(rank), *cells]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(read_table_of("exact-solves", path))))


if __name__ == "__main__":
    main_of(text, __doc__)
