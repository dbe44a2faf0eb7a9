#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A boolean parameter of kernel_tuner reaches the compiler as True or False, and to #if both are 0.
#
# Versions: kernel_tuner 1.5.0, numpy 2.4.6, any C compiler.
# Behaviour: True becomes "#define NAME True". The preprocessor of C, C++ and CUDA takes an identifier that is no macro for
#   0, so "#if NAME" takes the other branch. Both points compile the same code, and the tuner reports two times and a best
#   one without a warning. With 1 and 0 they are two.
# Likely guess: a parameter of [True, False] switches a block of code on and off. Right: give 1 and 0. An #ifdef does not
#   help either, since both values define the name.
# Output seen: kernel_tuner 1.5.0: NAME True computes 0, False 0, 1 computes 1, 0 computes 0
#
# Needs gcc or g++, and no GPU; run by hand. kernel_tuner is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check kernel-tuner==1.5.0 numpy==2.4.6
cd "$folder"

"$folder/venv/bin/python" - <<'PY'
import importlib.metadata
import sys

import kernel_tuner
import numpy as np

SOURCE = r"""
#if NAME
#define VALUE 1
#else
#define VALUE 0
#endif
extern "C" float store(float* result) {
  *result = VALUE;
  return 1;  // the time in ms, as kernel_tuner has it of C functions
}
"""


def computed(value):
    result = np.full(1, -1, dtype=np.float32)
    return int(kernel_tuner.run_kernel("store", SOURCE, 1, [result], {"NAME": value}, lang="C", quiet=True)[0][0])


values = [computed(value) for value in (True, False, 1, 0)]
print(
    f"kernel_tuner {importlib.metadata.version('kernel_tuner')}: NAME True computes {values[0]}, False {values[1]}, "
    f"1 computes {values[2]}, 0 computes {values[3]}"
)
if values != [0, 0, 1, 0]:
    sys.exit("changed: True is no longer 0 to the preprocessor")
PY
