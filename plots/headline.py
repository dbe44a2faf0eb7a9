# SPDX-License-Identifier: Apache-2.0
"""python -m plots.headline FILE: the sentences that the README begins with, of a result of `alsbench run fast` on an H200, or its table."""

from collections.abc import Sequence

from plots.fast import milliseconds, off, trainings
from plots.markdown import main_of


def text(paths: Sequence[str]) -> str:
    trained = trainings(paths[0])
    best, exact, library = (trained[name] for name in ("fused-bytes-3-then-2-steps", "exact", "exact-library"))
    return (
        f"**On an H200 an iteration at Netflix's shape takes {milliseconds(best)} ms, "
        f"where exact FP32 takes {milliseconds(exact)} ms, and with cuSOLVER {milliseconds(library)} ms.**\n"
        f"The test RMSE is the same to {off(best, exact)} ([how](docs/explanation/performance.md))."
    )


if __name__ == "__main__":
    main_of(text, __doc__)
