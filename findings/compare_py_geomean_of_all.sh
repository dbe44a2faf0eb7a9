#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OVERALL_GEOMEAN of Google Benchmark's compare.py is not the mean of the rows above it: it takes what has no row, too.
#
# Versions: compare.py of Google Benchmark 1.7.1 (Debian's libbenchmark-tools 1.7.1-1), scipy 1.17.1, numpy 2.4.6.
# Behaviour: each file's mean is over all of its benchmarks, whether or not the other file has them. A benchmark that one
#   side lacks has no row, but moves the mean. One whose unit changed, from ns to us, loses its row without a word.
# Likely guess: a summary under a table of pairs is that of the pairs, so +0.0000 says that nothing changed on average, and
#   a table without red rows has every benchmark. Right: read the rows, and count them.
# Output seen: rows +0.0000 and +0.0000, one benchmark added: OVERALL_GEOMEAN +20.5443; rows +1.0000 and +1.0000, another
#   added: OVERALL_GEOMEAN +0.0000; 100 ns became 0.2 us: 1 row of 2 is left
#
# Needs Debian 12; run by hand. Everything is unpacked into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -qq -o APT::Sandbox::User=root libbenchmark-tools=1.7.1-1 && dpkg-deb -x libbenchmark-tools_*.deb tools)
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6

"$folder/venv/bin/python" - "$folder" <<'PY'
import json
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
program = next(folder.glob("tools/usr/share/**/compare.py"))


def file_of(name, benchmarks):
    entries = [
        {
            "name": benchmark,
            "run_name": benchmark,
            "run_type": "iteration",
            "repetitions": 1,
            "repetition_index": 0,
            "threads": 1,
            "iterations": 1000,
            "real_time": time,
            "cpu_time": time,
            "time_unit": unit,
        }
        for benchmark, time, unit in benchmarks
    ]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"context": {"date": "", "num_cpus": 1}, "benchmarks": entries}))
    return path


def compared(base, test):
    """The changes of time of the rows, by name, and that of OVERALL_GEOMEAN."""
    command = [sys.executable, program, "--no-color", "benchmarks", file_of("base", base), file_of("test", test)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = dict(line.split()[:2] for line in lines if line.startswith(("copy", "sort", "OVERALL")))
    return rows, rows.pop("OVERALL_GEOMEAN")


base = [("copy", 100, "ns"), ("sort", 100, "ns")]
same, same_mean = compared(base, [*base, ("solve", 1_000_000, "ns")])
twice, twice_mean = compared(base, [("copy", 200, "ns"), ("sort", 200, "ns"), ("hash", 25, "ns")])
left, _ = compared(base, [("copy", 100, "ns"), ("sort", 0.2, "us")])
print(
    f"rows {' and '.join(same.values())}, one benchmark added: OVERALL_GEOMEAN {same_mean}; "
    f"rows {' and '.join(twice.values())}, another added: OVERALL_GEOMEAN {twice_mean}; "
    f"100 ns became 0.2 us: {len(left)} row of {len(base)} is left"
)
if list(same.values()) != ["+0.0000"] * 2 or same_mean != "+20.5443":
    sys.exit("changed: an added benchmark does not move the mean")
if list(twice.values()) != ["+1.0000"] * 2 or twice_mean != "+0.0000":
    sys.exit("changed: an added benchmark does not hide that all others take twice as long")
if list(left) != ["copy"]:
    sys.exit("changed: a benchmark whose unit changed has a row")
PY
