#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`guided` and the strategies of kernel_tuner on the spaces of the auto-tuning community's benchmark hub.

    python scripts/compare_tuners.py run HUB --devices A100,A4000,A6000 --out runs.jsonl
    python scripts/compare_tuners.py score HUB runs.jsonl --out hub.csv

HUB is a checkout of https://github.com/AutoTuningAssociation/benchmark_hub; nothing is downloaded. Python needs kernel_tuner 1.5.0,
scikit-learn and, for the official score, autotuning-methodology 1.1.0.

`run` appends a line a run: its space, strategy, seed and budget, the rows of the hub's cache file in the order they were asked for, and the
seconds that the search itself took. Runs of kernel_tuner are made by its simulation mode. Every strategy may measure as many points as the
official score looks at, or --evaluations. Commands for other spaces, strategies or seeds may run at the same time.
`guided` starts at the space's first row and, in runs of their own, at a row drawn by the seed; strategies of kernel_tuner choose their own.

`score` writes a row a strategy on a space, with two scores. A strategy may adapt to its budget, so each has the runs that were made for it.

score is of the runs with the smallest budget of at least 100 evaluations. That of a run is the mean, over evaluations 1 to 100, of
(r - b) / (r - o): b is the best time so far, o the best of the space, and r what random search is expected to have found after as many
valid points. Random search therefore scores 0, and finding the best point at once 1; half_width is half of its 95 % interval, over seeds.
The columns at_5 to at_100 have the mean of that quotient at these evaluations.

official is that of autotuning-methodology with its defaults, over the time that random search takes to get from 1 % to 95 % of the way
from the median to the optimum. All is done by the package: it reads the hub's T4 file, makes the baseline, the curves and the score.
It is handed the runs with the largest budget, as T4 results: a point takes the time that the hub's T4 file has, and the first request alone
takes it. To each is added the run's mean time of search. official_half_width is half of the 95 % interval of its mean over ten groups of
seeds, each scored by the package. A run that ends before that time keeps its best; official_budget is what it had.
"""

import argparse
import collections
import contextlib
import copy
import csv
import gzip
import io
import json
import math
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
EVALUATIONS = 100
SHOWN = (5, 10, 20, 50, 100)
TIMES = ["compilation", "runtimes", "framework", "search_algorithm", "validation"]
# Defaults of autotuning-methodology.
CUTOFF, CUTOFF_START, MARGIN, RESOLUTION, CONFIDENCE = 0.95, 0.01, 1.1, 1000, 0.95
GROUPS, T_95 = 10, 2.262  # of seeds for the interval of the official score, and Student's t for them


def read_cache(hub, kernel, device):
    """kernel_tuner's cache without the samples, which is read fast."""
    with gzip.open(hub / "cachefiles" / f"{kernel}_milo" / f"{device}.json.gz", "rt", encoding="utf-8") as file:
        document = json.load(file)
    for entry in document["cache"].values():
        entry.pop("times", None)
        if isinstance(entry["time"], str):
            entry["__error__"] = entry["time"]
    return document


class Space:
    def __init__(self, document):
        found = [entry["time"] for entry in document["cache"].values()]
        self.rows = [None if isinstance(value, str) or not math.isfinite(value) else value for value in found]
        self.times = sorted(value for value in self.rows if value is not None)
        self.random = [self.expected(count) for count in range(1, EVALUATIONS + 1)]

    def expected(self, count):
        """The best of so many valid points drawn at random, on average."""
        total, left = 0.0, 1.0
        for index, milliseconds in enumerate(self.times):
            share = min(1.0, count / (len(self.times) - index))
            total += left * share * milliseconds
            left *= 1 - share
        return total

    def quotients(self, path):
        """Of each evaluation: 0 where random search would be, 1 at the optimum; 0 until something was measured."""
        asked = [self.rows[row] for row in dict.fromkeys(path)]  # a point asked for again costs nothing
        best, values = math.inf, []
        for index in range(EVALUATIONS):
            if index < len(asked) and asked[index] is not None:
                best = min(best, asked[index])
            r = self.random[index]
            values.append((r - best) / (r - self.times[0]) if math.isfinite(best) else 0.0)
        return values


# --------------------------------------------------------------------------------------------------------------------------------- runs


class Ours:
    """`guided` of this project's program."""

    tool = "alsbench"

    def __init__(self, document):
        self.document = document
        self.keys = {key: row for row, key in enumerate(document["cache"])}
        self.binary = os.environ.get("ALSBENCH_BINARY", str(ROOT / "build" / "alsbench"))

    def run(self, start, seed, most):
        """(rows in the order of measurement, seconds of search)."""
        cache = self.document["cache"]
        if start == "random":
            first = random.Random(seed).choice(list(cache))
            cache = {first: cache[first], **cache}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "cache.json")
            path.write_text(json.dumps({**self.document, "cache": cache}))
            command = [self.binary, "tune", "replay", str(path), "-q", "--seed", str(seed), "--json", "stdout"]
            command += ["--budget-evals", str(most), "--playoff-samples", "0"]
            begin = time.perf_counter()
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seconds = time.perf_counter() - begin
        points = [point["point"]["config"] for point in json.loads(output)["result"]["points"]]
        return [self.keys[",".join(p[name] for name in self.document["tune_params_keys"])] for p in points], seconds


class Theirs:
    """Strategies of kernel_tuner. The space is built once; what earlier seeds found of neighbours is forgotten."""

    def __init__(self, document):
        from importlib.metadata import version

        from kernel_tuner import interface

        self.tool = f"kernel_tuner {version('kernel_tuner')}"
        self.document, self.interface = document, interface
        self.keys = {key: row for row, key in enumerate(document["cache"])}
        self.built = None
        interface.Searchspace = self.space
        interface.util.process_cache = lambda *_: document["cache"]
        interface.util.close_cache = lambda *_: None

    def space(self, *arguments, **options):
        from kernel_tuner.searchspace import Searchspace

        self.built = self.built or Searchspace(*arguments, **options)
        fresh = copy.copy(self.built)
        for cache, make in (
            ("neighbor_cache", dict),
            ("neighbor_partial_cache", lambda: collections.defaultdict(list)),
        ):
            name = "_Searchspace__" + cache
            setattr(fresh, name, {method: make() for method in getattr(fresh, name)})
        return fresh

    def key(self, point):
        return ",".join(str(point[name]) for name in self.document["tune_params_keys"])

    def run(self, strategy, seed, most):
        import numpy

        def recorded(point):
            return self.key(point) in self.keys

        random.seed(seed)
        numpy.random.seed(seed)
        task = {"lang": "C", "simulation_mode": True, "cache": "recorded", "quiet": True, "strategy": strategy}
        task |= {"restrictions": recorded, "strategy_options": {"max_fevals": most}}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            results, _ = self.interface.tune_kernel(
                self.document["kernel_name"], "void f() {}", 1, [], self.document["tune_params"], **task
            )
        return [self.keys[self.key(r)] for r in results], 1e-3 * sum(r.get("strategy_time", 0) for r in results)


def strategies_of(options):
    if options.strategies:
        return options.strategies.split(",")
    from kernel_tuner.interface import strategy_map

    return ["guided", *(name for name in strategy_map if name != "brute_force")]


def budget_of(space):
    """As many evaluations as autotuning-methodology allows with a budget of evaluations."""
    _, count, _, _ = space.cutoff_point_fevals_time_start_end(CUTOFF_START, CUTOFF)
    return max(EVALUATIONS, min(math.ceil(count * MARGIN), space.size))


def spaces_of(options):
    return [(kernel, device) for kernel in options.kernels.split(",") for device in options.devices.split(",")]


def out_of_time(*_):
    raise TimeoutError("took too long")


def run_seeds(tuner, name, seeds, options):
    """(seed, rows, seconds) as they are made, until one fails or takes too long."""
    budget, limit = options
    for seed in seeds:
        signal.alarm(limit)
        try:
            yield seed, *tuner.run(name, seed, budget)
        except Exception as error:
            print(f"{name} {seed}: {error}", file=sys.stderr)
            return
        finally:
            signal.alarm(0)


def run(options):
    signal.signal(signal.SIGALRM, out_of_time)
    first, last = (int(word) for word in options.seeds.split("-"))
    with options.out.open("a", encoding="utf-8") as file:
        for kernel, device in spaces_of(options):
            document = read_cache(options.hub, kernel, device)
            budget = options.evaluations or budget_of(space_statistics(options.hub, kernel, device))
            ours = [(Ours(document), start, "guided", start) for start in options.starts.split(",")]
            theirs = [name for name in strategies_of(options) if name != "guided"]
            jobs = ours if "guided" in strategies_of(options) else []
            jobs = [*jobs, *((Theirs(document), name, name, "own") for name in theirs)]
            for tuner, name, strategy, start in jobs:
                named = {"kernel": kernel, "device": device, "tool": tuner.tool, "strategy": strategy, "start": start}
                for seed, rows, seconds in run_seeds(tuner, name, range(first, last + 1), (budget, options.limit)):
                    record = {
                        **named,
                        "seed": seed,
                        "budget": budget,
                        "search_seconds": round(seconds, 3),
                        "rows": rows,
                    }
                    file.write(json.dumps(record, separators=(",", ":")) + "\n")
                    file.flush()


# ------------------------------------------------------------------------------------------------------------------------------- scores


def t4_file(hub, kernel, device, folder):
    path = folder / f"{kernel}_milo" / f"{device}_T4.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.decompress((hub / "cachefiles" / path.parent.name / f"{path.name}.gz").read_bytes()))
    return path


def space_statistics(hub, kernel, device):
    from autotuning_methodology.searchspace_statistics import SearchspaceStatistics

    with tempfile.TemporaryDirectory() as folder:
        path = t4_file(hub, kernel, device, pathlib.Path(folder))
        return SearchspaceStatistics(kernel, device, True, TIMES, ["time"], path, full_validate=False)


def read_runs(paths):
    """(kernel, device), (tool, strategy, start) -> budget -> seed -> run."""
    runs = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    for path in paths:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
            for line in file:
                with contextlib.suppress(ValueError):  # a command that was ended leaves part of a line
                    run = json.loads(line)
                    of = runs[run["kernel"], run["device"]][run["tool"], run["strategy"], run["start"]]
                    of[run["budget"]][run["seed"]] = run
    return runs


def own_score(space, runs):
    quotients = [space.quotients(run["rows"]) for run in runs.values()]
    scores = [statistics.mean(of) for of in quotients]
    width = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan
    at = [statistics.mean(of[count - 1] for of in quotients) for count in SHOWN]
    return [len(scores), *(f"{value:.3f}" for value in (statistics.mean(scores), width, *at))]


class Official:
    """The score of autotuning-methodology on one space."""

    def __init__(self, hub, kernel, device):
        self.statistics = space_statistics(hub, kernel, device)
        self.budget = budget_of(self.statistics)
        names = read_cache(hub, kernel, device)
        places = {key: row for row, key in enumerate(names["cache"])}
        self.entries = [None] * len(places)
        for entry in self.statistics.results:
            key = ",".join(str(entry["configuration"][name]) for name in names["tune_params_keys"])
            self.entries[places[key]] = entry

    def results_of(self, run):
        """The run as T4 results, times in seconds."""
        search, asked, results = run["search_seconds"] / len(run["rows"]), set(), []
        for row in run["rows"]:
            entry = self.entries[row]
            times = dict.fromkeys(TIMES, 0.0)
            if row not in asked:
                runtimes = [value for value in entry["times"].get("runtimes", []) if isinstance(value, (int, float))]
                times |= {name: 1e-3 * entry["times"][name] for name in ("compilation", "framework", "validation")}
                times["runtimes"] = 1e-3 * sum(runtimes)
            asked.add(row)
            results.append({**entry, "times": {**times, "search_algorithm": search}})
        return results

    def described(self, folder):
        from autotuning_methodology.caching import ResultsDescription

        return ResultsDescription(folder, "space", "device", "strategy", "strategy", True, TIMES, ["time"], True)

    def score(self, described):
        import numpy
        from autotuning_methodology import baseline, curves, report_experiments

        _, _, begin, end = self.statistics.cutoff_point_fevals_time_start_end(CUTOFF_START, CUTOFF)
        times = numpy.linspace(begin, end, RESOLUTION)
        curve = curves.StochasticOptimizationAlgorithm(described)
        data = (baseline.RandomSearchCalculatedBaseline(self.statistics), [curve], self.statistics, times, None)
        performance, _, _, _ = report_experiments.get_strategies_aggregated_performance([data], CONFIDENCE)
        return float(numpy.mean(performance[0]))

    def score_of_group(self, results, first, folder):
        described = self.described(folder)
        described.set_results({name: array[..., first::GROUPS] for name, array in results.items()})
        return self.score(described)

    def columns(self, runs, budget):
        """(seeds, budget, score, half of the interval), as the table has them.

        Both are empty of runs that end far too early, and the last of fewer than 2 * GROUPS of them.
        """
        import numpy
        from autotuning_methodology.runner import write_results

        if budget <= EVALUATIONS < self.budget:
            return [0, budget, "", ""]
        numpy.random.seed(1)  # the package draws samples of runs
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            described = self.described(folder)
            write_results([self.results_of(run) for run in runs.values()], described)
            try:
                whole, width = self.score(described), math.nan
                if len(runs) >= 2 * GROUPS:
                    results = vars(described.get_results())
                    parts = [self.score_of_group(results, first, folder / str(first)) for first in range(GROUPS)]
                    width = T_95 * statistics.stdev(parts) / math.sqrt(GROUPS)
            except ValueError as error:
                print(str(error.args[0])[:200], file=sys.stderr)
                return [0, budget, "", ""]
        return [len(runs), budget, f"{whole:.3f}", "" if math.isnan(width) else f"{width:.3f}"]


def score(options):
    runs = read_runs(options.runs)
    with options.out.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        columns = ["kernel", "device", "points", "tool", "strategy", "start", "seeds", "score", "half_width"]
        columns += [f"at_{count}" for count in SHOWN]
        table.writerow([*columns, "official_seeds", "official_budget", "official", "official_half_width", "hub_commit"])
        for kernel, device in spaces_of(options):
            space = Space(read_cache(options.hub, kernel, device))
            official = Official(options.hub, kernel, device)
            for (tool, strategy, start), budgets in runs[kernel, device].items():
                smallest = min(budget for budget in budgets if budget >= EVALUATIONS)
                row = [kernel, device, len(space.rows), tool, strategy, start, *own_score(space, budgets[smallest])]
                row += official.columns(budgets[max(budgets)], max(budgets))
                table.writerow([*row, options.commit])
                file.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runs, scores = commands.add_parser("run"), commands.add_parser("score")
    for command in (runs, scores):
        command.add_argument("hub", type=pathlib.Path)
        command.add_argument("--out", type=pathlib.Path, required=True)
        command.add_argument("--kernels", default="convolution,dedispersion")
        command.add_argument("--devices", default="A100,A4000,A6000")
    runs.set_defaults(do=run)
    runs.add_argument("--strategies", help="guided and those of kernel_tuner (default: all)")
    runs.add_argument("--starts", default="first,random", help="of guided")
    runs.add_argument("--seeds", default="1-100")
    runs.add_argument("--evaluations", type=int, help="budget (default: what the official score looks at)")
    runs.add_argument(
        "--limit", type=int, default=600, help="seconds for a run; a strategy that takes longer is left out"
    )
    scores.set_defaults(do=score)
    scores.add_argument("runs", type=pathlib.Path, nargs="+")
    scores.add_argument("--commit", default="", help="of the hub, for the table")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    options.do(options)


if __name__ == "__main__":
    main()
