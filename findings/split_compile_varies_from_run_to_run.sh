#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# With -split-compile nvcc makes one of two machine codes of the same source for sm_100, at random: a kernel has 32 or 40 registers.
#
# Versions: nvcc and ptxas 13.0.88 from PyPI, with g++ 12.2; sm_90, sm_100; no GPU. 13.5.37 gave one code in 8 runs.
# Behaviour: with two threads or more the compiler for sm_100 ends in one of two codes, from one run to the next on one machine.
#   For sm_90, where nvcc has an older compiler, each run gives the code of a run without the option. Without the option
#   each run is the same on both.
# Likely guess: the option is about the time of a build; nvcc's help says "minimal (if any) impact on performance of the compiled
#   binary", and a compiler gives the same output for the same input. A kernel that became slower without a change of its source
#   is then looked for everywhere else. Right: build what is measured without the option, and compare hashes of machine code.
# Output seen: registers: sm_90: without 3 of 32 32 40 48, with 3 of 32 32 40 48; sm_100: without 3 of 32 40 40 48, with 1 of
#   32 32 40 48, 9 of 32 40 40 48; of 8 runs each had 4 before
#
# Needs g++; run by hand. The compiler is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/products.cu" <<'CU'
// N x N sums a thread, in registers.
#define TILES(N)                                                                                                      \
  extern "C" __global__ void tiles_##N(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {   \
    float sums[N][N] = {};                                                                                            \
    for (int k = 0; k < n; k++) {                                                                                     \
      float x[N], y[N];                                                                                               \
      for (int i = 0; i < N; i++) {                                                                                   \
        x[i] = a[k * n + i * 32 + threadIdx.x];                                                                       \
        y[i] = b[k * n + i * 32 + threadIdx.x];                                                                       \
      }                                                                                                               \
      for (int i = 0; i < N; i++)                                                                                     \
        for (int j = 0; j < N; j++) sums[i][j] += x[i] * y[j];                                                        \
    }                                                                                                                 \
    for (int i = 0; i < N * N; i++) c[i * 32 + threadIdx.x] = sums[i / N][i % N];                                     \
  }
TILES(2)
TILES(3)
TILES(4)
TILES(5)
CU

registers() { # architecture, flags: of each kernel
  "$cuda/bin/nvcc" -cubin -Xptxas -v -arch="$1" "${@:2}" -o "$folder/code.cubin" "$folder/products.cu" 2>&1 |
    sed -n "s/.*Compiling entry function '\([a-z0-9_]*\)'.*/\1/p; s/.*Used \([0-9]*\) registers.*/\1/p" |
    paste - - | sort | cut -f 2 | paste -s -d ' '
}
runs() { # lines of registers: how many runs had each
  sort | uniq -c | sed -E 's/^ *([0-9]+) /\1 of /' | paste -s -d ',' | sed 's/,/, /g'
}

for architecture in sm_90 sm_100; do
  for _ in 1 2 3; do registers "$architecture"; done >"$folder/without"
  : >"$folder/with"
  # At random: as many runs as it takes to see two codes, and 60 at most.
  for run in $(seq 60); do
    registers "$architecture" -split-compile=2 >>"$folder/with"
    if [ "$run" -ge 3 ] && [ "$architecture" = sm_90 ]; then break; fi
    if [ "$run" -ge 3 ] && [ "$(sort -u "$folder/with" | wc -l)" -gt 1 ]; then break; fi
  done
  echo "$architecture: without $(runs <"$folder/without"), with $(runs <"$folder/with")"
  codes=$(sort -u "$folder/with" | wc -l)
  if [ "$(sort -u "$folder/without" | wc -l)" != 1 ] || [ "$codes" != "$([ "$architecture" = sm_90 ] && echo 1 || echo 2)" ]; then
    echo "changed: other builds vary" >&2
    exit 1
  fi
done
