# SPDX-License-Identifier: Apache-2.0
"""python -m plots.rates [RESULT...] [--write]: what updates take a rating and a row, as variants/als/rates.h.

The rates are kept in results/rates, a file a device and a line a rank, which says where its numbers come from. The header is made of them.
Results of `alsbench run rates` replace the lines of what they trained. For each kind of update and rank their trainings are fitted with
seconds = ratings (a + b products) + rows (c + d products), where a CG of s steps has s + 1 products and no term is negative.
Without --write the header is printed, and nothing is replaced. Results need numpy in addition to Python.
"""

import argparse
import csv
import itertools
import pathlib
import statistics
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields

from alsbench.results.records import RunResult, Training
from plots.reading import read

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT = ROOT / "results/rates"
HEADER = ROOT / "variants/als/rates.h"

# The pipelines of a table, and the terms that it has.
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
    "kMatrixFreeBesideTiles": (("update:matrix_free:factors=fp16",), "abc"),
    "kTiles": (("update:tiles:",), "acd"),
}
TERMS = "abcd"


Sample = tuple[int, int, int, float]  # ratings, rows, products, seconds


def seconds_of(training: Training, part: str) -> float:
    """Of an iteration but the first, which warms up."""
    return statistics.median_high(
        sum(stage.seconds for stage in iteration.stage_seconds if stage.part == part)
        for iteration in training.iterations[1:]
    )


def measured(result: RunResult) -> Iterator[tuple[str, int, Sample]]:
    """Pipeline, rank and sample of both parts of every training of more than one iteration."""
    for case in result.trained:
        training, data = case.training, case.problem.data
        if training is None or data is None or len(training.iterations) < 2:
            continue
        for part, rows in (("x", data.users), ("theta", data.items)):
            pipeline = training.pipeline(part)
            steps = [step.config["steps"] for step in pipeline.steps if "steps" in step.config] if pipeline else []
            if pipeline and steps:
                sample = data.train_ratings, rows, int(steps[0]) + 1, seconds_of(training, part)
                yield pipeline.text, case.problem.rank, sample


def counts(sample: Sample, terms: Sequence[str]) -> list[int]:
    ratings, rows, products, _ = sample
    every = {"a": ratings, "b": ratings * products, "c": rows, "d": rows * products}
    return [every[term] for term in terms]


def fit(samples: list[Sample], terms: str) -> tuple[dict[str, float], float]:
    """The terms' picoseconds, none negative, with the least relative error; the worst of these errors."""
    import numpy as np

    best: tuple[float, dict[str, float], float] = (np.inf, {}, 0)
    for size in range(1, len(terms) + 1):
        for chosen in itertools.combinations(terms, size):
            rows = np.array([np.array(counts(sample, chosen)) / sample[3] for sample in samples], dtype=float)
            rates, *_ = np.linalg.lstsq(rows, np.ones(len(samples)), rcond=None)
            errors = rows @ rates - 1
            if (rates >= 0).all() and (errors**2).sum() < best[0] * (1 - 1e-9):
                best = ((errors**2).sum(), dict(zip(chosen, rates * 1e12, strict=True)), abs(errors).max())
    return best[1], best[2]


@dataclass(frozen=True)
class Line:
    """A rank of a table, in picoseconds, or a constant, whose value is a text of C++; origin: where it comes from."""

    name: str
    rank: str
    rating: str = ""
    rating_product: str = ""
    row: str = ""
    row_product: str = ""
    value: str = ""
    origin: str = ""


def fitted(results: Sequence[RunResult]) -> list[Line]:
    found: dict[tuple[str, int], list[Sample]] = {}
    for pipeline, rank, sample in itertools.chain.from_iterable(map(measured, results)):
        name = next(
            (
                name
                for name, (words, _) in KINDS.items()
                if pipeline.startswith(words[0]) and all(word in pipeline for word in words)
            ),
            None,
        )
        if name:
            found.setdefault((name, rank), []).append(sample)
    if not any(name == "kTiles" for name, _ in found):  # halves of a CPU without tiles have no table
        found = {of: samples for of, samples in found.items() if of[0] != "kMatrixFreeBesideTiles"}
    times = ", ".join(result.provenance.time_utc for result in results)
    suites = ", ".join(sorted({result.suite.name for result in results}))
    lines = []
    for (name, rank), samples in found.items():
        rates, error = fit(samples, KINDS[name][1])
        a, b, c, d = (f"{float(f'{rates.get(term, 0):.3g}'):g}" for term in TERMS)
        lines.append(Line(name, str(rank), a, b, c, d, origin=f"suite {suites} of {times}, to {error:.0%}"))
    return lines


def read_kept(path: pathlib.Path) -> list[Line]:
    with path.open(newline="", encoding="utf-8") as file:
        return [Line(*row) for row in itertools.islice(csv.reader(file), 1, None)]


def with_lines(kept: list[Line], new: Sequence[Line]) -> list[Line]:
    """The kept lines with those of their tables that are new, in order of rank."""
    names = {line.name: place for place, line in reversed([*enumerate(kept)])}
    merged = {(line.name, line.rank): line for line in [*kept, *new] if line.name in names}
    return sorted(merged.values(), key=lambda line: (names[line.name], int(line.rank or 0)))


def write_kept(path: pathlib.Path, lines: Sequence[Line]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([each.name for each in fields(Line)])
        writer.writerows(map(astuple, lines))


# The title of a table, in the words of its comment.
TITLES = {
    "kMeasuredMultiprocessors": "Multiprocessors of the GPU.",
    "kMeasuredThreads": "Threads of the CPU.",
    "kMeasuredThreadsWithTiles": "Threads of the CPU, which has AMX tiles.",
    "kShortClassLaunch": "Seconds of a launch for a class of short rows.",
    "kMatrixFreeSerial": "Of the longest row of update/matrix_free, where a row has one block.",
    "kFusedLaunches": "Seconds of the launches of update/fused.",
    "kQuantisedLaunches": "The same, factors int8.",
    "kFusedProduct": "Seconds of a product, a step and side.",
    "kPieceFp16": "Of a piece of a row, factors fp16: the longest row takes most of the time.",
    "kPieceInt8": "The same, factors int8.",
    "kHalvesFp16": "update/fused, A as halves, factors fp16.",
    "kHalvesInt8": "The same, factors int8.",
    "kHalvesFp16PastL1": "Past L1, a warp a block, factors fp16.",
    "kHalvesInt8PastL1": "The same, factors int8.",
    "kHalvesFp16OneWarp": "With L1, a warp a block and three stages of its ring, factors fp16.",
    "kHalvesInt8OneWarp": "The same, factors int8.",
    "kFloatsFp16": "update/fused, A as floats, factors fp16.",
    "kFloatsInt8": "The same, factors int8.",
    "kWarpgroupsInt8": "update/fused, A as halves, factors int8, products wgmma: eight stages, past L1.",
    "kShortRowsInt8": "Short rows of update/fused, factors int8, at three steps on Netflix's users; a quarter is taken for the gather.",
    "kMatrixFreeCuda": "update/matrix_free, 8 lanes a rating. A block has a row, so the longest goes on by itself.",
    "kBlockedCpu": "update/blocked on a CPU.",
    "kMatrixFreeCpu": "update/matrix_free on a CPU.",
    "kMatrixFreeBesideTiles": "update/matrix_free on a CPU with AMX tiles, factors fp16.",
    "kTilesLaunches": "Seconds of an update by tiles besides, to start threads and to make bytes.",
    "kTiles": "update/tiles.",
}


def constant(line: Line) -> Iterator[str]:
    kind = "int" if line.value.isdigit() and line.name.startswith("kMeasured") else "double"
    value = line.value
    if " " in value:
        kind, value = "PieceRate", "{" + value.replace(" ", ", ") + "}"
    yield from wrapped(TITLES[line.name])
    yield f"inline constexpr {kind} {line.name} = {value};"


def table(name: str, lines: Sequence[Line]) -> Iterator[str]:
    yield from wrapped(TITLES[name])
    yield f"inline constexpr std::array {name} = std::to_array<Rate>({{"
    for line in lines:
        yield f"    {{{line.rank}, {line.rating}, {line.rating_product}, {line.row}, {line.row_product}}},"
    yield "});"


def wrapped(text: str) -> list[str]:
    return [f"// {line}" for line in textwrap.wrap(text, 97)]


def header(files: dict[str, list[Line]]) -> str:
    parts = [
        """// SPDX-License-Identifier: Apache-2.0
// Measured times of updates for a rating and a row: the rates by which the rules choose where
// nothing was tuned (rules.h). Made by `python -m plots.rates --write` of results/rates, which says
// where each number comes from; change those files. Rates by hand are within 25 % of all
// half-iterations above 1 ms.
#pragma once

#include <array>

#include "variants/als/rate.h"

namespace alsbench::rules {
"""
    ]
    for device, lines in files.items():
        parts.append(f"// {device}")
        parts += [text for line in lines if not line.rank for text in constant(line)]
        tables = [line for line in lines if line.rank]
        for name, group in itertools.groupby(tables, key=lambda line: line.name):
            parts += table(name, list(group))
        parts.append("")
    return "\n".join([*parts, "}  // namespace alsbench::rules", ""])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m plots.rates", description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="*", metavar="RESULT")
    parser.add_argument("--write", action="store_true", help="replace the rates that are kept, and the header")
    options = parser.parse_args()
    new = fitted([read(path, RunResult, "alsbench run rates") for path in options.results])
    files = {path: with_lines(read_kept(path), new) for path in sorted(KEPT.glob("*.csv"), reverse=True)}
    text = header({path.stem: lines for path, lines in files.items()})
    if not options.write:
        print(text, end="")
        return
    for path, lines in files.items():
        write_kept(path, lines)
    HEADER.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
