#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# "omp parallel for collapse(2)" over rows and columns computes one element at a time, where the same loops without it have vectors.
#
# Versions: cc1 of GCC 12.2.0-14+deb12u1; Clang 20.1.2 of ziglang 0.15.2 from PyPI (18.1.6 of 0.13.0 alike); x86-64 with AVX2.
# Behaviour: the two loops become one, whose body finds its row and column: GCC counts the column up and compares it, Clang
#   divides in each step. Neither is vectorised, however long a row is; GCC's is not even with 64 columns, which Clang
#   vectorises, as a shift and a mask do there. Without collapse the inner loop has 32 bytes at a time. "for simd collapse(2)" has
#   vectors again from GCC, and of 16 bytes from Clang.
# Likely guess: collapse only changes who does what, so it is free where rows are few, and the loop over columns stays what it
#   was. Right: collapse for loops outside the one that is vectorised, such as rows and blocks of columns, and a look at
#   the registers of the outlined function.
# Output seen: widest registers: GCC 12: plain ymm, collapsed scalar, collapsed_64 scalar, collapsed_simd ymm, blocks ymm;
#   Clang 20: plain ymm, collapsed scalar, collapsed_64 ymm, collapsed_simd xmm, blocks ymm
#
# Needs Debian 12's package lists; run by hand. The compilers are unpacked into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps ziglang==0.15.2
apt-get download --quiet=2 cpp-12=12.2.0-14+deb12u1 libisl23 libmpc3 libmpfr6 libgmp10 >log 2>&1 || { cat log >&2 && exit 1; }
for package in *.deb; do
  dpkg-deb --extract "$package" gcc
done
cat >loops.c <<'C'
#define ARGUMENTS float *restrict a, const float *restrict b, long rows, long columns
#define LOOPS(COLUMNS)                   \
  for (long i = 0; i < rows; i++)        \
    for (long j = 0; j < COLUMNS; j++) a[i * COLUMNS + j] += 3 * b[i * COLUMNS + j]
void plain(ARGUMENTS) {
#pragma omp parallel for
  LOOPS(columns);
}
void collapsed(ARGUMENTS) {
#pragma omp parallel for collapse(2)
  LOOPS(columns);
}
void collapsed_64(ARGUMENTS) {
#pragma omp parallel for collapse(2)
  LOOPS(64);
}
void collapsed_simd(ARGUMENTS) {
#pragma omp parallel for simd collapse(2)
  LOOPS(columns);
}
static void row(float *restrict a, const float *restrict b, long first, long last) {
  for (long j = first; j < last; j++) a[j] += 3 * b[j];
}
void blocks(ARGUMENTS) {
#pragma omp parallel for collapse(2)
  for (long i = 0; i < rows; i++)
    for (long block = 0; block < 4; block++) row(a, b, i * columns + columns * block / 4, i * columns + columns * (block + 1) / 4);
}
C
cat >widest.py <<'PY'
"""Prints the widest registers that the loops of assembly multiply in, by function, outlined ones with the function they are of."""

import re
import sys

WIDTHS = ["none", "scalar", "xmm", "ymm"]
widest = {}
name = ""
for line in open(sys.argv[1]):
    if label := re.match(r"([A-Za-z_]\w*)[\w.]*:", line):
        name = label[1]
    if found := re.search(r"\sv(?:f?n?madd\d*|mul)([ps])s\s.*%([xy]mm)", line):
        width = "scalar" if found[1] == "s" else found[2]
        widest[name] = max(widest.get(name, "none"), width, key=WIDTHS.index)
print(", ".join(f"{loop} {widest.get(loop, 'none')}" for loop in ("plain", "collapsed", "collapsed_64", "collapsed_simd", "blocks")))
PY

wrong=""
judge() { # compiler, expected: names what its loops use
  local found
  found=$(python3 widest.py loops.s)
  echo "$1: $found"
  [ "$found" = "$2" ] || wrong+=" $1"
}
LD_LIBRARY_PATH=gcc/usr/lib/x86_64-linux-gnu gcc/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -O3 -fopenmp -march=haswell loops.c -o loops.s
judge "GCC 12" "plain ymm, collapsed scalar, collapsed_64 scalar, collapsed_simd ymm, blocks ymm"
export ZIG_LOCAL_CACHE_DIR=$folder/cache ZIG_GLOBAL_CACHE_DIR=$folder/cache
# It says that it has no use for an option of its own, -c.
venv/bin/python -m ziglang cc -target x86_64-linux-gnu -mcpu=haswell -O3 -fopenmp -S -o loops.s loops.c 2>/dev/null
judge "Clang 20" "plain ymm, collapsed scalar, collapsed_64 ymm, collapsed_simd xmm, blocks ymm"
if [ -n "$wrong" ]; then
  echo "changed:$wrong compile the loops in another way" >&2
  exit 1
fi
