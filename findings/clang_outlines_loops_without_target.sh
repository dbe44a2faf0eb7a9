#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Clang compiles the body of an OpenMP loop for the file's processor, whatever the target attribute of its function says.
#
# Versions: Clang 20.1.2 of ziglang 0.15.2 from PyPI (18.1.6 of 0.13.0 alike); cc1 of GCC 12.2.0-14+deb12u1; x86_64.
# Behaviour: a parallel region becomes a function of its own. Clang gives it neither target("avx2") nor the target of a
#   clone of target_clones: all clones run the same code of SSE2, so a processor is told apart for nothing. A loop without
#   a pragma and one of "omp simd" have wide vectors in such a function. GCC's region has the attribute, in each clone.
# Likely guess: target_clones gives each processor its best loop, and a pragma before the loop changes threads alone.
#   Right: move the loop's body into a function with the attribute, and call it in the region. Or compile the file once for
#   each processor. Look at the registers of the outlined function.
# Output seen: widest registers: Clang 20: serial ymm, simd ymm, parallel xmm, clones xmm xmm, called ymm; GCC 12: serial ymm,
#   simd ymm, parallel ymm, clones xmm ymm, called ymm
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
#define LOOP for (long i = 0; i < n; i++) a[i] += 3 * b[i]
#define ARGUMENTS float *restrict a, const float *restrict b, long n
#define AVX2 __attribute__((target("avx2")))
AVX2 void serial(ARGUMENTS) { LOOP; }
AVX2 void simd(ARGUMENTS) {
#pragma omp simd
  LOOP;
}
AVX2 void parallel(ARGUMENTS) {
#pragma omp parallel for
  LOOP;
}
__attribute__((target_clones("avx2", "default"))) void clones(ARGUMENTS) {
#pragma omp parallel for
  LOOP;
}
AVX2 void called_part(ARGUMENTS) { LOOP; }
void called(ARGUMENTS) {
#pragma omp parallel for
  for (long part = 0; part < 4; part++) called_part(a + part * n, b + part * n, n);
}
C
cat >widest.py <<'PY'
"""Prints the widest vector registers of the loops of assembly, by function, outlined ones with the function they are of."""

import re
import sys

widest = {}
name = ""
for line in open(sys.argv[1]):
    if label := re.match(r"([A-Za-z_][.\w]*):", line):
        name = label[1].split(".")[0].removesuffix("_part")
        widest.setdefault(name, []).append("")
    if name:
        widest[name][-1] = max([widest[name][-1], *re.findall(r"%([xy]mm)", line)])
loops = ("serial", "simd", "parallel", "clones", "called")
print(", ".join(f"{loop} {' '.join(sorted(filter(None, widest[loop])))}" for loop in loops))
PY

wrong=""
judge() { # compiler, expected: names what its loops use
  local found
  found=$(python3 widest.py loops.s)
  echo "$1: $found"
  [ "$found" = "$2" ] || wrong+=" $1"
}
export ZIG_LOCAL_CACHE_DIR=$folder/cache ZIG_GLOBAL_CACHE_DIR=$folder/cache
# It says that it has no use for an option of its own, -c.
venv/bin/python -m ziglang cc -target x86_64-linux-gnu -mcpu=x86_64 -O3 -fopenmp -S -o loops.s loops.c 2>/dev/null
judge "Clang 20" "serial ymm, simd ymm, parallel xmm, clones xmm xmm, called ymm"
LD_LIBRARY_PATH=gcc/usr/lib/x86_64-linux-gnu gcc/usr/lib/gcc/x86_64-linux-gnu/12/cc1 -quiet -O3 -fopenmp -march=x86-64 loops.c -o loops.s
judge "GCC 12" "serial ymm, simd ymm, parallel ymm, clones xmm ymm, called ymm"
if [ -n "$wrong" ]; then
  echo "changed:$wrong compile the loops in another way" >&2
  exit 1
fi
