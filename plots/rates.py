# SPDX-License-Identifier: Apache-2.0
"""python -m plots.rates FILE.json...: what updates take a rating and a row, as the tables of variants/als/rates.h.

From trainings of result files (`alsbench run rates`). For each kind of update and rank it fits seconds = ratings (a + b products) + rows (c + d products),
where a CG of s steps has s + 1 products and no term is negative. Needs numpy beside Python.
"""

import itertools
import re
import statistics
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from alsbench.results.run import RunResult
from alsbench.results.training import Training
from plots.reading import read

# Of variants/als/rates.h: the table's name, what its pipelines hold, and which terms it has.
FUSED = ("update:fused:", "l1=on", "stages=4")
PAST_L1 = ("update:fused:", "l1=off", "warps=1,")
ONE_WARP = ("update:fused:", "l1=on", "stages=3,", "warps=1,")
KINDS = {
    "kHalvesFp16": ((*FUSED, "factors=fp16", "matrix=fp16"), "acd"),
    "kHalvesInt8": ((*FUSED, "factors=int8", "matrix=fp16"), "acd"),
    "kHalvesFp16PastL1": ((*PAST_L1, "factors=fp16"), "acd"),
    "kHalvesInt8PastL1": ((*PAST_L1, "factors=int8"), "acd"),
    "kHalvesFp16OneWarp": ((*ONE_WARP, "factors=fp16"), "acd"),
    "kHalvesInt8OneWarp": ((*ONE_WARP, "factors=int8"), "acd"),
    "kWarpgroupsInt8": (("update:fused:", "stages=8,", "l1=off", "products=wgmma"), "acd"),
    "kFloatsFp16": ((*FUSED, "factors=fp16", "matrix=fp32"), "acd"),
    "kFloatsInt8": ((*FUSED, "factors=int8", "matrix=fp32"), "acd"),
    "kMatrixFreeCuda": (("update:matrix_free:", "lanes="), "bc"),
    "kBlockedCpu": (("update:blocked:", "factors=fp32"), "acd"),
    "kMatrixFreeCpu": (("update:matrix_free:factors=fp32",), "abc"),
}
TERMS = "abcd"


Sample = tuple[int, int, int, float]  # ratings, rows, products, seconds


def seconds_of(training: Training, part: str) -> float:
    """Of an iteration but the first, which warms up."""
    stages = [iteration.stage_seconds for iteration in training.iterations[1:]]
    return statistics.median_high(
        sum(value for name, value in times.items() if name.startswith(part + "/")) for times in stages
    )


def measured(result: RunResult) -> Iterator[tuple[str, int, Sample]]:
    """Pipeline, rank and sample of both parts of every training of more than one iteration."""
    for case in result.trained:
        training, data = case.training, case.problem.data
        if training is None or data is None or len(training.iterations) < 2:
            continue
        for part, rows in (("x", data.users), ("theta", data.items)):
            pipeline = training.pipelines.get(part, "")
            if steps := re.search(r"steps=(\d+)", pipeline):
                sample = data.train_ratings, rows, int(steps[1]) + 1, seconds_of(training, part)
                yield pipeline, case.problem.rank, sample


def counts(sample: Sample, terms: Sequence[str]) -> list[int]:
    ratings, rows, products, _ = sample
    every = {"a": ratings, "b": ratings * products, "c": rows, "d": rows * products}
    return [every[term] for term in terms]


def fit(samples: list[Sample], terms: str) -> tuple[dict[str, float], float]:
    """The terms' picoseconds, none negative, with the least relative error; the worst of these errors."""
    best: tuple[float, dict[str, float], float] = (np.inf, {}, 0)
    for size in range(1, len(terms) + 1):
        for chosen in itertools.combinations(terms, size):
            rows = np.array([np.array(counts(sample, chosen)) / sample[3] for sample in samples], dtype=float)
            rates, *_ = np.linalg.lstsq(rows, np.ones(len(samples)), rcond=None)
            errors = rows @ rates - 1
            if (rates >= 0).all() and (errors**2).sum() < best[0] * (1 - 1e-9):
                best = ((errors**2).sum(), dict(zip(chosen, rates * 1e12, strict=True)), abs(errors).max())
    return best[1], best[2]


def tables(results: list[RunResult]) -> dict[str, list[tuple[float, ...]]]:
    """{name: [(rank, rating, rating_product, row, row_product, worst error)]}"""
    found: dict[str, dict[int, list[Sample]]] = {}
    for pipeline, rank, sample in itertools.chain.from_iterable(map(measured, results)):
        for name, (words, _) in KINDS.items():
            if all(word in pipeline for word in words):
                found.setdefault(name, {}).setdefault(rank, []).append(sample)
                break
    made: dict[str, list[tuple[float, ...]]] = {}
    for name, ranks in found.items():
        for rank in sorted(ranks):
            rates, error = fit(ranks[rank], KINDS[name][1])
            row = (rank, *(float(f"{rates.get(term, 0):.3g}") for term in TERMS), error)
            made.setdefault(name, []).append(row)
    return made


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    results = [read(path, RunResult, "alsbench run rates") for path in sys.argv[1:]]
    for name, rows in tables(results).items():
        print(f"inline constexpr std::array {name} = std::to_array<Rate>({{")
        for *numbers, error in rows:
            print(f"    {{{', '.join(f'{number:g}' for number in numbers)}}},  // to {error:.0%}")
        print("});")


if __name__ == "__main__":
    main()
