#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`guided` and the strategies of kernel_tuner on the spaces of the auto-tuning community's benchmark hub.

    scripts/compare_tuners.py HUB --python VENV/bin/python --kernels convolution,dedispersion --devices A100,A4000,A6000 --out tuners.csv

HUB is a checkout of https://github.com/AutoTuningAssociation/benchmark_hub; VENV has kernel_tuner. Nothing is downloaded.
A row has a strategy on a space: the mean over seeds of the score, and half the width of its 95 % interval. The score of a run is the mean,
over evaluations 1 to 100, of (r - b) / (r - o): b is the best time so far, o the best of the space, and r what random search is expected
to have found after as many valid points. Random search therefore scores 0, and finding the best point at once 1. The columns at_5 to
at_100 have the mean of that quotient at these evaluations. `guided` starts at the space's first row and, in rows of their own, at a row
drawn at random by the seed; strategies of kernel_tuner choose their own start.
"""

import argparse
import concurrent.futures
import csv
import gzip
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
EVALUATIONS = 100
SHOWN = (5, 10, 20, 50, 100)

# Runs in kernel_tuner's environment: one strategy, several seeds; prints a list of paths (milliseconds, null of a failure).
# The space is built once; caches of neighbours are emptied for each seed, since they remember what earlier seeds found.
KERNEL_TUNER_RUN = r"""
import collections, contextlib, copy, io, json, random, sys, warnings
warnings.filterwarnings("ignore")
import numpy
from kernel_tuner import interface
job = json.load(open(sys.argv[1]))
document = json.load(open(job["cache"]))
names, keys = document["tune_params_keys"], set(document["cache"])
build, built = interface.Searchspace, []
def space(*arguments, **options):
    if not built:
        built.append(build(*arguments, **options))
    fresh = copy.copy(built[0])
    for cache, make in (("neighbor_cache", dict), ("neighbor_partial_cache", lambda: collections.defaultdict(list))):
        name = "_Searchspace__" + cache
        setattr(fresh, name, {method: make() for method in getattr(fresh, name)})
    return fresh
interface.Searchspace = space
interface.util.process_cache = lambda *_: document["cache"]
interface.util.close_cache = lambda *_: None
def recorded(p):
    return ",".join(str(p[n]) for n in names) in keys
paths = []
for seed in job["seeds"]:
    random.seed(seed)
    numpy.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        results, _ = interface.tune_kernel(
            document["kernel_name"], "void f() {}", 1, [], document["tune_params"], lang="C", simulation_mode=True,
            cache=job["cache"], restrictions=recorded, quiet=True, strategy=job["strategy"],
            strategy_options={"max_fevals": job["most"]})
    first = {}  # a point asked for again costs nothing
    for r in results:
        time = r.get("time")
        first.setdefault(",".join(str(r[n]) for n in names), time if isinstance(time, (int, float)) else None)
    paths.append(list(first.values())[:job["most"]])
print(json.dumps(paths))
"""


def read_cache(path):
    """kernel_tuner's cache without the samples, which is read fast."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        document = json.load(file)
    for entry in document["cache"].values():
        entry.pop("times", None)
        if isinstance(entry["time"], str):
            entry["__error__"] = entry["time"]
    return document


class Space:
    def __init__(self, document):
        times = [entry["time"] for entry in document["cache"].values()]
        self.points = len(times)
        self.times = sorted(time for time in times if not isinstance(time, str) and math.isfinite(time))
        self.random = [self.expected(count) for count in range(1, EVALUATIONS + 1)]

    def expected(self, count):
        """The best of so many valid points drawn at random, on average."""
        total, left = 0.0, 1.0
        for index, time in enumerate(self.times):
            share = min(1.0, count / (len(self.times) - index))
            total += left * share * time
            left *= 1 - share
        return total

    def quotients(self, path):
        """Of each evaluation: 0 where random search would be, 1 at the optimum; 0 until something was measured."""
        best, values = math.inf, []
        for index in range(EVALUATIONS):
            if index < len(path) and path[index] is not None:
                best = min(best, path[index])
            r = self.random[index]
            values.append((r - best) / (r - self.times[0]) if math.isfinite(best) else 0.0)
        return values


def our_path(document, folder, start, seed):
    """Times in milliseconds in the order of measurement; None of a failure."""
    cache = document["cache"]
    if start == "random":
        first = random.Random(seed).choice(list(cache))
        cache = {first: cache[first], **cache}
    path = folder / f"{start}-{seed}.json"
    path.write_text(json.dumps({**document, "cache": cache}))
    binary = os.environ.get("ALSBENCH_BINARY", str(ROOT / "build" / "alsbench"))
    command = [binary, "tune", "replay", str(path), "-q", "--seed", str(seed), "--json", "stdout"]
    command += ["--budget-evals", str(EVALUATIONS), "--playoff-samples", "0"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    path.unlink()
    points = json.loads(output)["result"]["points"]
    return [1e3 * p["seconds"][0] if p["outcome"] == "ok" else None for p in points]


def their_paths(python, cache, strategy, seeds, limit):
    """(paths, None), or (None, why not)."""
    job = cache.with_suffix(f".{strategy}.job")
    job.write_text(json.dumps({"cache": str(cache), "strategy": strategy, "seeds": list(seeds), "most": EVALUATIONS}))
    command = [python, "-c", KERNEL_TUNER_RUN, str(job)]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"not done within {limit:.0f} s"
    if process.returncode != 0:
        return None, process.stderr.strip().splitlines()[-1]
    return json.loads(process.stdout.splitlines()[-1]), None


def summary(space, paths):
    runs = [space.quotients(path) for path in paths]
    scores = [statistics.mean(run) for run in runs]
    width = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan
    at = [statistics.mean(run[count - 1] for run in runs) for count in SHOWN]
    return [len(scores), *(f"{value:.3f}" for value in (statistics.mean(scores), width, *at))]


def asked(python, code):
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hub", type=pathlib.Path)
    parser.add_argument("--python", help="a Python that has kernel_tuner (default: only guided is run)")
    parser.add_argument("--kernels", default="convolution,dedispersion")
    parser.add_argument("--devices", default="A100,A4000,A6000")
    parser.add_argument("--strategies", help="of kernel_tuner (default: all)")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one strategy on one space")
    parser.add_argument("--commit", default="", help="of the hub, for the table")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    tool, strategies = "", []
    if options.python:
        version = asked(options.python, "from importlib.metadata import version; print(version('kernel_tuner'))")
        tool = f"kernel_tuner {version}"
        code = "from kernel_tuner.interface import strategy_map; print(','.join(strategy_map))"
        strategies = (options.strategies or asked(options.python, code)).split(",")
    seeds = range(1, options.seeds + 1)
    with (
        tempfile.TemporaryDirectory() as name,
        options.out.open("w", newline="", encoding="utf-8") as file,
        concurrent.futures.ThreadPoolExecutor(options.jobs) as pool,
    ):
        folder = pathlib.Path(name)
        table = csv.writer(file, lineterminator="\n")
        columns = ["kernel", "device", "points", "tool", "strategy", "start", "seeds", "score", "half_width"]
        table.writerow([*columns, *(f"at_{count}" for count in SHOWN), "hub_commit"])
        for kernel in options.kernels.split(","):
            for device in options.devices.split(","):
                document = read_cache(options.hub / "cachefiles" / f"{kernel}_milo" / f"{device}.json.gz")
                space, cache = Space(document), folder / "cache.json"
                cache.write_text(json.dumps(document))

                rows = []
                for start in ("first", "random"):
                    runs = [pool.submit(our_path, document, folder, start, seed) for seed in seeds]
                    rows.append(("alsbench", "guided", start, [run.result() for run in runs]))
                runs = [
                    pool.submit(their_paths, options.python, cache, strategy, seeds, options.limit)
                    for strategy in strategies
                ]
                for strategy, run in zip(strategies, runs, strict=True):
                    paths, problem = run.result()
                    if problem:
                        print(f"{kernel} {device} {strategy}: {problem}", file=sys.stderr)
                    else:
                        rows.append((tool, strategy, "own", paths))
                for *row, paths in rows:
                    table.writerow([kernel, device, space.points, *row, *summary(space, paths), options.commit])
                file.flush()


if __name__ == "__main__":
    main()
