#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The exit code of nvbench's compare script is a count of changes: it fails what became faster, and 256 slow states pass.
#
# Versions: nvbench_compare.py of cuda-bench 0.3.0 (PyPI), colorama 0.4.6, tabulate 0.9.0; no GPU.
# Behaviour: each state that differs by more than its noise is counted as a failure, whether it is SLOW or FAST, and the
#   count is the exit code. The system keeps its last eight bits, so 256 states of twice the time, as an axis of 256 values
#   has, end with 0. So do files that have no state in common.
# Likely guess: 0 is no regression and 1 is one, so a job that runs the script gates a kernel. Right: read the table, or
#   the summary's line of failures, and look at the sign.
# Output seen: twice as slow: 1 state 1, 255 states 255, 256 states 0; twice as fast: 1 state 1; renamed 0
#
# Run by hand. cuda-bench is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  cuda-bench==0.3.0 colorama==0.4.6 tabulate==0.9.0 numpy==2.4.6

"$folder/venv/bin/python" - "$folder" <<'PY'
import json
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
program = next(folder.glob("venv/**/nvbench_compare.py"))


def file_of(name, states, seconds, benchmark):
    def summary(tag, value):
        return {"tag": tag, "name": tag, "data": [{"name": "value", "type": "float64", "value": str(value)}]}

    summaries = [summary("nv/cold/time/gpu/mean", seconds), summary("nv/cold/time/gpu/stdev/relative", 0.01)]
    axis = {"name": "Rank", "type": "int64", "flags": ""}
    values = [{"input_string": str(i), "description": "", "value": i} for i in range(states)]
    document = {
        "meta": {"version": {"json": {"major": 1, "minor": 0, "patch": 0, "string": "1.0.0"}}},
        "devices": [{"id": 0, "name": "GPU"}],
        "benchmarks": [
            {
                "name": benchmark,
                "index": 0,
                "devices": [0],
                "axes": [{**axis, "values": values}],
                "states": [
                    {
                        "name": f"Device=0 Rank={i}",
                        "device": 0,
                        "type_config_index": 0,
                        "axis_values": [{"name": "Rank", "type": "int64", "value": str(i)}],
                        "summaries": summaries,
                        "is_skipped": False,
                    }
                    for i in range(states)
                ],
            }
        ],
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def exit_code(states, seconds, benchmark="solve"):
    files = file_of("base", states, 0.001, "solve"), file_of("test", states, seconds, benchmark)
    ended = subprocess.run([sys.executable, program, "--no-color", *files], capture_output=True, text=True)
    if f"Total Matches: {states if benchmark == 'solve' else 0}\n" not in ended.stdout:
        sys.exit(f"changed: the files are not compared: {ended.stdout[-500:]}{ended.stderr[-500:]}")
    return ended.returncode


slow = [exit_code(states, 0.002) for states in (1, 255, 256)]
fast, renamed = exit_code(1, 0.0005), exit_code(1, 0.002, "solve_2")
print(
    f"twice as slow: 1 state {slow[0]}, 255 states {slow[1]}, 256 states {slow[2]}; "
    f"twice as fast: 1 state {fast}; renamed {renamed}"
)
if slow != [1, 255, 0] or fast != 1 or renamed != 0:
    sys.exit("changed: the exit codes are others")
PY
