#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kernel_tuner's cache knows neither the kernel's source nor its flags: a kernel that changed gets the old one's times.
#
# Versions: kernel_tuner 1.5.0, numpy 2.4.6, any g++.
# Behaviour: a cache file names device, kernel, problem size, parameters and objective, and is refused where one of these
#   differs. Source, compiler options, arguments and the number of iterations are not looked at. With cache= a tuning after
#   an edit compiles nothing, and returns the times of before as its own, without a warning and below the same name.
# Likely guess: a cache that refuses another problem size notices another kernel all the more, so before and after an edit
#   may be tuned with one file. Right: a cache file for each state of the source, such as one named after its hash.
# Output seen: times 1 2 3; five times as slow: 1 2 3, with -DFACTOR=7: 1 2 3, another problem size ValueError; without the
#   cache: 5 10 15
#
# Needs g++, and no GPU; run by hand. kernel_tuner is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check kernel_tuner==1.5.0 numpy==2.4.6

cd "$folder" && venv/bin/python -W ignore - <<'PY'
import sys

import kernel_tuner
import numpy as np

# A function of C gives its own time: here a figure, for an exact comparison.
SOURCE = """
#ifndef FACTOR
#define FACTOR %d
#endif
extern "C" float update(float*) { return FACTOR * tile; }
"""


def times(factor, size=1024, options=(), **cache):
    results, _ = kernel_tuner.tune_kernel(
        "update",
        SOURCE % factor,
        size,
        [np.ones(size, np.float32)],
        {"tile": [1, 2, 3]},
        lang="C",
        compiler_options=list(options),
        quiet=True,
        **cache,
    )
    return [float(result["time"]) for result in sorted(results, key=lambda result: result["tile"])]


def shown(values):
    return " ".join(f"{value:g}" for value in values)


first, edited = times(1, cache="tuned"), times(5, cache="tuned")
flags = times(5, options=["-DFACTOR=7"], cache="tuned")
try:
    size = shown(times(5, size=2048, cache="tuned"))
except ValueError as error:
    size = type(error).__name__
fresh = times(5)
print(
    f"times {shown(first)}; five times as slow: {shown(edited)}, with -DFACTOR=7: {shown(flags)}, "
    f"another problem size {size}; without the cache: {shown(fresh)}"
)
if first != [1, 2, 3] or fresh != [5, 10, 15] or size != "ValueError":
    sys.exit("changed: kernel_tuner measures or checks in another way")
if edited != first or flags != first:
    sys.exit("changed: the cache knows the source")
PY
