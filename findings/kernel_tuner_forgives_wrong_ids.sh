#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kernel_tuner accepts a kernel whose integer results are wrong: an id of 100,000 may be off by one, also with atol=0.
#
# Versions: kernel_tuner 1.5.0, numpy 2.4.6, any C compiler.
# Behaviour: answer= is held against the result by numpy's allclose, for integers as for floats. atol sets the absolute part
#   of its tolerance, and the relative part, 1e-5 of each value, stays and cannot be set. An index from 100,000 on may be off
#   by one, and one of a million by ten. Nothing is said.
# Likely guess: integers are compared exactly, or atol=0 makes it so. A kernel that returns neighbours' ids for users' best
#   items, or offsets and counts of a large matrix that are off by one, is verified. Right: a function verify= that compares
#   integers with numpy.array_equal.
# Output seen: wrong by one: 99998 refused, 100000 accepted, 1000000 accepted, with atol=0 accepted, with verify= refused;
#   1000000 wrong by ten accepted, by eleven refused
#
# Needs gcc or g++, and no GPU; run by hand. kernel_tuner is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check kernel-tuner==1.5.0 numpy==2.4.6
cd "$folder"

"$folder/venv/bin/python" -W ignore - <<'PY'
import contextlib
import io
import sys

import kernel_tuner
import numpy as np

SOURCE = r"""
extern "C" float store(int* result, int id) {
  *result = id + OFF;
  return 1;  // the time in ms, as kernel_tuner has it of C functions
}
"""


def exactly(answer, result, atol):
    return all(expected is None or np.array_equal(expected, got) for expected, got in zip(answer, result, strict=True))


def verified(expected, off, **options):
    """Whether a kernel that is wrong by `off` is taken for a right one."""
    arguments = [np.zeros(1, dtype=np.int32), np.int32(expected)]
    answer = [np.array([expected], dtype=np.int32), None]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            kernel_tuner.tune_kernel(
                "store", SOURCE, 1, arguments, {"OFF": [off]}, lang="C", answer=answer, quiet=True, **options
            )
    except RuntimeError:
        return "refused"
    return "accepted"


seen = [
    verified(99_998, 1),
    verified(100_000, 1),
    verified(1_000_000, 1),
    verified(1_000_000, 1, atol=0),
    verified(1_000_000, 1, verify=exactly),
    verified(1_000_000, 10),
    verified(1_000_000, 11),
]
print(
    f"wrong by one: 99998 {seen[0]}, 100000 {seen[1]}, 1000000 {seen[2]}, with atol=0 {seen[3]}, with verify= {seen[4]}; "
    f"1000000 wrong by ten {seen[5]}, by eleven {seen[6]}"
)
if seen != ["refused", "accepted", "accepted", "accepted", "refused", "accepted", "refused"]:
    sys.exit("changed: other integers pass for right ones")
PY
