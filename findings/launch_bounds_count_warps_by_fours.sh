#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# __launch_bounds__ leaves registers for all warps of a multiprocessor, rounded up to a multiple of four, not for its threads.
#
# Versions: nvcc and ptxas 13.0.88 from PyPI, sm_90; no GPU.
# Behaviour: of __launch_bounds__(threads, blocks) ptxas takes w = blocks * ceil(threads / 32) warps, rounds w up to a
#   multiple of 4, and allows 65536 / (32 w) registers, rounded down to a multiple of 8. A block of 288 threads is left 168
#   registers, and one of 352, too.
# Likely guess: 65536 / (threads * blocks), 224 registers of 288 threads; or each block's warps rounded up to 4, as in old
#   occupancy tables, 96 registers of 5 blocks of 96 threads. Both are wrong, and values beyond the limit are spilled.
#   Right: where registers decide, choose threads * blocks as a multiple of 128.
# Output seen: registers, beside 65536 / threads and each block rounded up: 288x1 168 (224, 168), 352x1 168 (184, 168),
#   672x1 80 (96, 80), 96x3 168 (224, 168), 96x5 128 (136, 96), 96x7 80 (96, 72), 160x3 128 (136, 80), 128x5 96 (96, 96)
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
cat >"$folder/many_values.cu" <<'CU'
// Keeps VALUES floats in registers, somewhat more than there are.
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) mix(const float* in, float* out, int n) {
  float values[VALUES];
#pragma unroll
  for (int i = 0; i < VALUES; ++i) values[i] = in[i * n + threadIdx.x];
  for (int step = 0; step < n; ++step) {
    const float factor = in[step];
#pragma unroll
    for (int i = 0; i < VALUES; ++i) values[i] = fmaf(values[i], factor, values[(i + 1) % VALUES]);
  }
#pragma unroll
  for (int i = 0; i < VALUES; ++i) out[i * n + threadIdx.x] = values[i];
}
CU

allowed() { # warps: registers of a thread
  echo $((65536 / (32 * $1) / 8 * 8))
}
fours() { # warps, rounded up
  echo $((($1 + 3) / 4 * 4))
}

seen=""
for bounds in 288x1 352x1 672x1 96x3 96x5 96x7 160x3 128x5; do
  threads=${bounds%x*} blocks=${bounds#*x}
  warps=$((threads / 32))
  plain=$(allowed $((warps * blocks)))
  used=$("$cuda/bin/nvcc" -cubin -arch=sm_90 -Xptxas -v -DTHREADS="$threads" -DBLOCKS="$blocks" -DVALUES=$((plain - 4)) \
    -o "$folder/code.cubin" "$folder/many_values.cu" 2>&1 | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
  seen+="${seen:+, }$bounds $used ($plain, $(allowed $(($(fours "$warps") * blocks))))"
  if [ "$used" != "$(allowed "$(fours $((warps * blocks)))")" ]; then
    changed+=" $bounds"
  fi
done
echo "registers, beside 65536 / threads and each block rounded up: $seen"
if [ -n "${changed:-}" ]; then
  echo "changed: ptxas does not round the warps of$changed up to a multiple of four" >&2
  exit 1
fi
