#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyperf's compare_to calls every difference significant where one file has a value more than the other.
#
# Versions: pyperf 2.11.0.
# Behaviour: its t test takes two samples of one size. Otherwise it raises an error, which compare_to takes for "significant".
#   So do two samples of which neither varies. The tables of --table and -G show such rows as they show those that passed the
#   test; only the long list says ERROR, and the exit code is 0. The files of a run and of one with --rigorous, --fast or
#   another -p or -n have other numbers of values.
# Likely guess: more values make the test sharper, and a row in the table, or its lack, is what a test said. Right: compare
#   files of the same numbers of processes and values, and count "ERROR when testing" in the long list.
# Output seen: 40 benchmarks of equal programs: significant of 60 and 60 values: 4; of 60 and 59 of the same: 40;
#   of 60 and 120: 40; errors in the table 0, in the list 40
#
# Run by hand. pyperf is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pyperf==2.11.0
cd "$folder"

"$folder/venv/bin/python" - <<'PY'
import random
import subprocess
import sys

import pyperf

BENCHMARKS = 40
random.seed(1)
# Each benchmark takes 1 s, with noise of 1 %, on either side.
base, test = ([[random.gauss(1, 0.01) for _ in range(120)] for _ in range(BENCHMARKS)] for _ in range(2))


def write(name, rows):
    benchmarks = [
        pyperf.Benchmark(
            [pyperf.Run([value], metadata={"name": f"case_{index}"}, collect_metadata=False) for value in values]
        )
        for index, values in enumerate(rows)
    ]
    pyperf.BenchmarkSuite(benchmarks).dump(name)
    return name


def compared(test_name, *options):
    command = [sys.executable, "-m", "pyperf", "compare_to", "base.json", test_name, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


write("base.json", [values[:60] for values in base])
names = [write(f"{count}.json", [values[:count] for values in test]) for count in (60, 59, 120)]
tables = [compared(name, "--table") for name in names]
significant = [table.count("\n| case_") for table in tables]
errors = [compared("59.json", *options).count("ERROR") for options in (["--table"], [])]
print(
    f"{BENCHMARKS} benchmarks of equal programs: significant of 60 and 60 values: {significant[0]}; "
    f"of 60 and 59 of the same: {significant[1]}; of 60 and 120: {significant[2]}; "
    f"errors in the table {errors[0]}, in the list {errors[1]}"
)
if significant[0] > BENCHMARKS / 4:
    sys.exit("no example: samples of one size differ")
if significant[1:] != [BENCHMARKS] * 2 or errors != [0, BENCHMARKS]:
    sys.exit("changed: samples of different sizes are tested, or the table says that they are not")
PY
