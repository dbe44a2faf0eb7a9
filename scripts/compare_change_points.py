#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shifts as `alsbench history`, plain least squares and Apache Otava find them, in the same 40 series a row.

    scripts/compare_change_points.py            prints the first table of docs/explanation/ci.md, in a minute
    scripts/compare_change_points.py --creeps   prints the other two, of 500 series a cell, in 15 minutes

    ALSBENCH   the program; default build/alsbench

Otava is installed from PyPI into a folder that is removed again. A row is right in a series where exactly the
planted shifts are found: each at its first run in `exact`, and at most one run away in `near`.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))
from made_history import noisy, result_of  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("ALSBENCH", ROOT / "build" / "alsbench")).resolve()
OTAVA = "apache-otava==0.8.0"
SERIES = 40
MANY_SERIES = 500  # for shares near 0 and 1
RUNS_A_COMMIT = (3, 4, 6, 10)
NOISE = (0.003, 0.005, 0.01)
FEWEST = 6  # runs of a level
# Runs, noise, what is planted, and the level of a run. Of a creep, any shift counts.
ROWS = {
    "5 % from run 24 of 48, no noise": (48, 0, [24], lambda run: 1 if run < 24 else 1.05),
    "5 % from run 24 of 48, 1 % noise": (48, 0.01, [24], lambda run: 1 if run < 24 else 1.05),
    "10 % from run 30, 8 % more from run 36 of 48, 1 % noise": (
        48,
        0.01,
        [30, 36],
        lambda run: 1 if run < 30 else 1.1 if run < 36 else 1.1 * 1.08,
    ),
    "10 % for 8 of 48 runs, 1 % noise": (48, 0.01, [30, 38], lambda run: 1.1 if 30 <= run < 38 else 1),
    "nothing in 40 runs, 1 % noise": (40, 0.01, [], lambda run: 1),
    "nothing in 40 runs, 5 % noise": (40, 0.05, [], lambda run: 1),
    "ten commits of 0.3 % in 60 runs, 0.5 % noise": (60, 0.005, None, lambda run: 1.003 ** (run * 11 // 60)),
}
RUN_OTAVA = """
import json, sys
from otava.analysis import compute_change_points
print(json.dumps([[int(point.index) for point in compute_change_points(one)[0]] for one in json.load(sys.stdin)]))
"""


# Runs, and the level of a run.
NO_CREEPS = {
    "2 % from run 24 of 48": (48, lambda run: 1 if run < 24 else 1.02),
    "5 % from run 24 of 48": (48, lambda run: 1 if run < 24 else 1.05),
    "10 % from run 24 of 48": (48, lambda run: 1 if run < 24 else 1.1),
    "3 % from run 15 and from run 30 of 45": (45, lambda run: 1.03 ** (run // 15)),
    "3 % from run 15, 30 and 45 of 60": (60, lambda run: 1.03 ** (run // 15)),
    "2 % from run 15 and from run 30 of 45": (45, lambda run: 1.02 ** (run // 15)),
    "nothing in 40 runs": (40, lambda run: 1),
}


def shifts_of(all_series):
    """The shifts that the program finds in each series, as cases of one history."""
    found = [[] for _ in all_series]
    with tempfile.TemporaryDirectory() as folder:
        result, history = pathlib.Path(folder) / "result.json", pathlib.Path(folder) / "history"
        for run, seconds in enumerate(zip(*all_series, strict=True)):
            result.write_text(json.dumps(result_of(run, seconds)), encoding="utf-8")
            subprocess.run([PROGRAM, "history", history, "--add", result, "-q"], check=True)
        said = subprocess.run([PROGRAM, "history", history, "--json", "-q"], capture_output=True, text=True)
        for shift in json.loads(said.stdout)["shifts"]:
            found[shift["series"]].append(shift)
    return found


def by_history(all_series):
    return [[shift["run"] for shift in shifts] for shifts in shifts_of(all_series)]


def by_least_squares(series):
    """The one split that leaves the least squares, as if it were known that there is one."""

    def squares(values):
        mean = sum(values) / len(values)
        return sum((value - mean) ** 2 for value in values)

    logs = [math.log(value) for value in series]
    return [min(range(FEWEST, len(logs) - FEWEST + 1), key=lambda at: squares(logs[:at]) + squares(logs[at:]))]


def otava_in(folder):
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", OTAVA], check=True)

    def find(all_series):
        words = [folder / "bin" / "python", "-c", RUN_OTAVA]
        return json.loads(
            subprocess.run(words, input=json.dumps(all_series), capture_output=True, text=True, check=True).stdout
        )

    return find


def right(found, planted, away):
    if planted is None:
        return bool(found)
    return len(found) == len(planted) and all(abs(a - b) <= away for a, b in zip(found, planted))


def cell(found, planted):
    exact, near = (sum(right(one, planted, away) for one in found) for away in (0, 1))
    return f"{exact}" if exact == near else f"{exact} exact, {near} near"


def share(hits):
    return f"{100 * sum(hits) / len(hits):.1f} %"


def ten_changes(runs_a_commit):
    return lambda run: 1.004 ** (run // runs_a_commit)


def is_sum(shifts):
    """Whether the ten changes are one creep, whose sum is right within a point."""
    return len(shifts) == 1 and "creep_last_run" in shifts[0] and abs(shifts[0]["ratio"] - 1.004**10) < 0.01


def print_creeps():
    print("| noise | " + " | ".join(f"{runs} runs a commit" for runs in RUNS_A_COMMIT) + " |")
    print("|---" * (1 + len(RUNS_A_COMMIT)) + "|")
    for spread in NOISE:
        cells = []
        for runs in RUNS_A_COMMIT:
            found = shifts_of([noisy(seed, 11 * runs, spread, ten_changes(runs)) for seed in range(MANY_SERIES)])
            cells.append(share(list(map(is_sum, found))))
        print(f"| {100 * spread:g} % | " + " | ".join(cells) + " |", flush=True)
    print("\n| called a creep, at noise of | " + " | ".join(f"{100 * spread:g} %" for spread in NOISE) + " |")
    print("|---" * (1 + len(NOISE)) + "|")
    for name, (runs, level) in NO_CREEPS.items():
        cells = []
        for spread in NOISE:
            found = shifts_of([noisy(seed, runs, spread, level) for seed in range(MANY_SERIES)])
            cells.append(share([any("creep_last_run" in shift for shift in shifts) for shifts in found]))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    if "--creeps" in sys.argv[1:]:
        print_creeps()
        return
    print(f"| {SERIES} series each | `alsbench history` | least squares | Apache Otava {OTAVA.split('=')[-1]} |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        otava = otava_in(pathlib.Path(folder))
        for name, (runs, spread, planted, level) in ROWS.items():
            all_series = [noisy(seed, runs, spread, level) for seed in range(SERIES)]
            single = planted is not None and len(planted) == 1  # what least squares alone can answer
            squares = cell(list(map(by_least_squares, all_series)), planted) if single else ""
            print(
                f"| {name} | {cell(by_history(all_series), planted)} | {squares} | {cell(otava(all_series), planted)} |"
            )


if __name__ == "__main__":
    main()
