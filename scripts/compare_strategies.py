#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strategies of alsbench and of kernel_tuner on recorded spaces: evaluations to come within 1 % of the best.

    scripts/compare_strategies.py --kernel-tuner VENV/bin/python results/recorded/*/*.journal.gz --out comparison.json

VENV is a throw-away environment with `pip install kernel_tuner`; without --kernel-tuner only alsbench's are run. Each recording is
exported to kernel_tuner's cache file, which its simulation mode replays. Both sides see the median of all recorded samples of a point
at one evaluation; both are counted in distinct points measured. python -m plots.strategies draws the file.
alsbench's strategies are also asked for their pick, with the samples and the playoff of a search of a tenth of the points: its regret
is the recorded median of the pick over that of the best point.
--keep OLD takes the rows of kernel_tuner, and of strategies that alsbench no longer has, from an older comparison for recordings that
are the same, so they need not be run again.
"""

import argparse
import gzip
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
OURS = ["guided", "exhaustive", "random"]
NEAR = 1.01


def records(path):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line.split(" ", 2)[2]) for line in lines]


def name_of(point):
    return json.dumps(point)


class Space:
    """The points of a recording with the median of their samples; a failed point is infinite."""

    def __init__(self, path):
        head, *rest = records(path)
        self.name = path.name.removesuffix(".gz").removesuffix(".journal")
        self.path, self.head = path, head
        samples, failed, self.parameters = {}, set(), {}
        for record in rest:
            if "point" not in record:  # the last one says that the recording is whole
                continue
            name = name_of(record["point"])
            self.parameters[name] = {"variant": record["point"]["variant"], **record["point"]["config"]}
            samples.setdefault(name, []).extend(record["seconds"])
            if record["outcome"] != "ok":
                failed.add(name)
        self.seconds = {point: math.inf if point in failed else statistics.median(s) for point, s in samples.items()}
        self.default = name_of(head["search"]["space"]["default"])
        self.best = min(self.seconds.values())

    def near(self, point):
        return self.seconds[point] <= NEAR * self.best


def number(text):
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def kernel_tuner_cache(space):
    """(parameters, cache): kernel_tuner's tune_params and the content of its cache file."""
    rows = [space.parameters[point] for point in space.seconds]
    names = list(dict.fromkeys(name for row in rows for name in row))
    values = {name: list(dict.fromkeys(number(row.get(name, "none")) for row in rows)) for name in names}
    numeric = {name: all(not isinstance(v, str) for v in values[name]) for name in names}
    values = {name: sorted(v) if numeric[name] else [str(x) for x in v] for name, v in values.items() if len(v) > 1}
    cache = {}
    for row, seconds in zip(rows, space.seconds.values()):
        entry = {
            name: number(row.get(name, "none")) if numeric[name] else str(row.get(name, "none")) for name in values
        }
        key = ",".join(str(entry[name]) for name in values)
        time = seconds * 1e3 if math.isfinite(seconds) else "RuntimeFailedConfig"
        entry.update(
            {
                "time": time,
                "times": [time],
                "compile_time": 0,
                "verification_time": 0,
                "benchmark_time": time,
                "GFLOP/s": 0,
                "timestamp": "2026-01-01T00:00:00+00:00",
            }
        )
        if not math.isfinite(seconds):
            entry["__error__"] = "RuntimeFailedConfig"
        cache[key] = entry
    return values, {
        "device_name": space.head["search"]["device"],
        "kernel_name": space.name,
        "problem_size": 1,
        "tune_params_keys": list(values),
        "tune_params": values,
        "objective": "time",
        "cache": cache,
    }


# Runs in kernel_tuner's environment: one strategy, several seeds; prints a list of paths (milliseconds in order).
KERNEL_TUNER_RUN = r"""
import contextlib, io, json, random, sys, warnings
warnings.filterwarnings("ignore")
import numpy
from kernel_tuner import tune_kernel
job = json.load(open(sys.argv[1]))
keys = set(job["keys"])
names = list(job["parameters"])
paths = []
for seed in job["seeds"]:
    random.seed(seed)
    numpy.random.seed(seed)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            results, _ = tune_kernel(
                job["name"], "void f() {}", 1, [], job["parameters"], lang="C", simulation_mode=True, cache=job["cache"],
                restrictions=lambda p: ",".join(str(p[n]) for n in names) in keys, verbose=False, quiet=True,
                strategy=job["strategy"],
                strategy_options={} if job["strategy"] == "brute_force" else {"max_fevals": job["most"]})
        first = {}  # a point asked for again is served from the cache and costs nothing
        for r in results:
            time = r.get("time")
            first.setdefault(",".join(str(r[n]) for n in names), time if isinstance(time, (int, float)) else None)
        paths.append(list(first.values())[:job["most"]])
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        sys.exit(0)
print(json.dumps({"paths": paths}))
"""


def to_reach(path, space):
    """Evaluations until a point within 1 % of the best, or None."""
    for count, seconds in enumerate(path, 1):
        if seconds is not None and seconds <= NEAR * space.best:
            return count
    return None


def curve(path, most):
    best, values = math.inf, []
    for seconds in path[:most]:
        best = min(best, seconds if seconds is not None else math.inf)
        values.append(best)
    return values + [best] * (most - len(values))


def summary(tool, strategy, paths, space, most, regrets=()):
    reached = [to_reach(path, space) for path in paths]
    tenth = len(space.seconds) // 10
    known = [count if count is not None else math.inf for count in reached]
    median = statistics.median(known)
    curves = [curve(path, most) for path in paths]
    middle = [statistics.median(column) / space.best for column in zip(*curves)]
    return {
        "tool": tool,
        "strategy": strategy,
        "seeds": len(paths),
        "within_tenth": sum(count <= tenth for count in known),
        "median_evaluations": median if math.isfinite(median) else None,
        "evaluations": reached,
        "median_curve": [v if math.isfinite(v) else None for v in middle],
        "median_regret": statistics.median(regrets) if regrets else None,
        "worst_regret": max(regrets, default=None),
    }


def replay(space, strategy, seed, evaluations, *options):
    binary = os.environ.get("ALSBENCH_BINARY", str(ROOT / "build" / "alsbench"))
    command = [binary, "tune", "replay", str(space.path), "--strategy", strategy, "--seed", str(seed), "-q"]
    command += ["--budget-evals", str(evaluations), *options, "--json", "stdout"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["result"]


def our_paths(space, strategy, seeds, most):
    """The medians of the points of each seed in the order of their evaluation."""
    all_samples = ["--min-samples", "1000000", "--max-samples", "1000000", "--bail-out", "0", "--playoff-samples", "0"]
    return [
        [
            space.seconds[name_of(point["point"])]
            for point in replay(space, strategy, seed, most, *all_samples)["points"]
        ]
        for seed in seeds
    ]


def our_regrets(space, strategy, seeds):
    """Recorded medians of the picks over the best: a search with the samples and playoff of the program, each seed."""
    tenth = len(space.seconds) // 10
    picks = [replay(space, strategy, seed, tenth)["best"] for seed in seeds]
    return [space.seconds[name_of(pick)] / space.best for pick in picks]


def kernel_tuner_paths(python, space, strategy, seeds, most, limit):
    parameters, cache = kernel_tuner_cache(space)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cache.json").write_text(json.dumps(cache))
        job = {
            "name": space.name,
            "parameters": parameters,
            "keys": list(cache["cache"]),
            "cache": str(folder / "cache.json"),
            "strategy": strategy,
            "seeds": list(seeds),
            "most": most,
        }
        (folder / "job.json").write_text(json.dumps(job))
        try:
            process = subprocess.run(
                [python, "-c", KERNEL_TUNER_RUN, str(folder / "job.json")],
                capture_output=True,
                text=True,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return None, f"not done within {limit:.0f} s"
    if process.returncode != 0:
        return None, process.stderr.strip().splitlines()[-1] if process.stderr.strip() else "failed"
    answer = json.loads(process.stdout.splitlines()[-1])
    if "error" in answer:
        return None, answer["error"]
    return [[ms / 1e3 if ms is not None else None for ms in path] for path in answer["paths"]], None


def kernel_tuner_strategies(python):
    code = "import json; from kernel_tuner.interface import strategy_map as m; print(json.dumps(list(m)))"
    return json.loads(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout)


def version_of(python):
    code = "from importlib.metadata import version; print(version('kernel_tuner'))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def kept_rows(path, version, space, seeds, most):
    """(rows that are not of OURS, left out) of an older comparison of the same recording, or None."""
    if path is None:
        return None
    old = json.loads(path.read_text(encoding="utf-8"))
    for entry in old["spaces"]:
        same = (
            entry["recording"] == space.path.name
            and entry["provenance"] == space.head["provenance"]
            and entry["most_evaluations"] == most
        )
        unasked = {"median_regret": None, "worst_regret": None}
        rows = [unasked | row for row in entry["strategies"] if row["strategy"] not in OURS]
        if same and old["kernel_tuner"] == version and all(row["seeds"] == len(seeds) for row in rows):
            return rows, entry["left_out"]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="+", type=pathlib.Path)
    parser.add_argument("--kernel-tuner", metavar="PYTHON", help="a Python that has kernel_tuner")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--share", type=float, default=0.3, help="of a space that is measured at most")
    parser.add_argument(
        "--limit", type=float, default=600, help="seconds for one strategy of kernel_tuner on one space"
    )
    parser.add_argument("--keep", metavar="OLD", type=pathlib.Path, help="an older comparison")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    version = version_of(options.kernel_tuner) if options.kernel_tuner else None
    spaces = []
    for path in options.recordings:
        space = Space(path)
        most = max(1, int(options.share * len(space.seconds)))
        rows, left_out = [], []
        for strategy in OURS:
            paths = our_paths(space, strategy, seeds, most)
            row = summary("alsbench", strategy, paths, space, most, our_regrets(space, strategy, seeds))
            print(space.name, strategy, *(row[n] for n in ["median_evaluations", "median_regret"]), file=sys.stderr)
            rows.append(row)
        kept = kept_rows(options.keep, version, space, seeds, most)
        if kept is not None:
            rows += kept[0]
            left_out += kept[1]
        for strategy in kernel_tuner_strategies(options.kernel_tuner) if options.kernel_tuner and kept is None else []:
            paths, problem = kernel_tuner_paths(options.kernel_tuner, space, strategy, seeds, most, options.limit)
            if paths is None:
                left_out.append({"strategy": strategy, "reason": problem})
                print(space.name, "kernel_tuner", strategy, problem, file=sys.stderr)
                continue
            rows.append(summary("kernel_tuner", strategy, paths, space, most))
            print(
                space.name,
                "kernel_tuner",
                strategy,
                rows[-1]["median_evaluations"],
                rows[-1]["within_tenth"],
                file=sys.stderr,
            )
        spaces.append(
            {
                "recording": path.name,
                "points": len(space.seconds),
                "device": space.head["search"]["device"],
                "near_points": sum(map(space.near, space.seconds)),
                "most_evaluations": most,
                "default_over_best": space.seconds[space.default] / space.best,
                "provenance": space.head["provenance"],
                "strategies": rows,
                "left_out": left_out,
            }
        )
    build = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    document = {
        "schema_version": "2.0.0",
        "kind": "strategies",
        "git_commit": build,
        "kernel_tuner": version,
        "within": NEAR - 1,
        "spaces": spaces,
    }
    options.out.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
