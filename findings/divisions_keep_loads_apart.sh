#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A division or a square root of floats in an unrolled loop lets two loads run at a time, where a product there has eight.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100; no GPU.
# Behaviour: o[i] = a[i] * b[i] with "unroll 4" and __restrict__ reads all four elements before the first product. x / y, x / 3.0f,
#   1.0f / x, sqrtf, sinf, powf, fmodf and a division of doubles have a branch for rare arguments, and ptxas moves no load
#   over a branch: each element's loads wait for the division of the one before. Integers of 32 bits, expf, logf, tanhf, rsqrtf
#   and __fdividef have no branch, and 64-bit integers have. -use_fast_math frees all but __fdiv_rn, fmodf, doubles and 64 bits.
# Likely guess: a division costs some arithmetic, and a kernel that is bound by memory hides that; unrolling or
#   __restrict__ gives loads to wait for in any case. Right: read the elements into an array in a loop of their own, before the
#   division, which keeps all eight. Or __fdividef.
# Output seen: most loads without a branch between them, default and -use_fast_math, sm_80, sm_90 and sm_100 alike: product 8 8,
#   quotient 2 8, third 1 4, reciprocal 2 8, fdiv_rn 2 2, fast_quotient 8 8, square_root 2 8, reciprocal_root 8 8, sine 2 8,
#   power 2 8, exponential 8 8, logarithm 8 8, rest 2 2, doubles 2 2, ints 8 8, longs 2 2, array_first 8 32
#
# Needs g++; run by hand. The compiler is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvdisasm==13.2.51
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/loops.cu" <<'CU'
#define LOOP(NAME, TYPE, RESULT)                                                                     \
  extern "C" __global__ void NAME(const TYPE* __restrict__ a, const TYPE* __restrict__ b,            \
                                  TYPE* __restrict__ o, int n) {                                     \
    _Pragma("unroll 4") for (int i = threadIdx.x; i < n; i += 256) {                                 \
      const TYPE x = a[i];                                                                           \
      [[maybe_unused]] const TYPE y = b[i];                                                          \
      o[i] = RESULT;                                                                                 \
    }                                                                                                \
  }
LOOP(product, float, x * y)
LOOP(quotient, float, x / y)
LOOP(third, float, x / 3.0f)
LOOP(reciprocal, float, 1.0f / x + y)
LOOP(fdiv_rn, float, __fdiv_rn(x, y))
LOOP(fast_quotient, float, __fdividef(x, y))
LOOP(square_root, float, sqrtf(x) + y)
LOOP(reciprocal_root, float, rsqrtf(x) + y)
LOOP(sine, float, sinf(x) + y)
LOOP(power, float, powf(x, y))
LOOP(exponential, float, expf(x) + y)
LOOP(logarithm, float, logf(x) + y)
LOOP(rest, float, fmodf(x, y))
LOOP(doubles, double, x / y)
LOOP(ints, int, x / y)
LOOP(longs, long long, x / y)
extern "C" __global__ void array_first(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int n) {
  for (int i = threadIdx.x; i < n; i += 1024) {
    float x[4], y[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
      x[j] = a[i + 256 * j];
      y[j] = b[i + 256 * j];
    }
#pragma unroll
    for (int j = 0; j < 4; j++) o[i + 256 * j] = x[j] / y[j];
  }
}
CU

kernels=(product quotient third reciprocal fdiv_rn fast_quotient square_root reciprocal_root sine power exponential logarithm rest doubles
  ints longs array_first)
runs() { # architecture, flags: of each kernel the most loads of global memory without a branch or a label between them
  "$cuda/bin/nvcc" -cubin -arch="$1" "${@:2}" -o "$folder/code.cubin" "$folder/loops.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" | awk -v names="${kernels[*]}" '
    /^\.text\./ { kernel = substr($1, 7, length($1) - 7) }
    /^\.L_x_|[[:space:]](BRA|CALL|BSYNC|EXIT)/ { loads = 0 }
    /[[:space:]]LDG/ && ++loads > most[kernel] { most[kernel] = loads }
    END { count = split(names, each, " "); for (i = 1; i <= count; i++) print most[each[i]] }'
}

expected="product 8 8, quotient 2 8, third 1 4, reciprocal 2 8, fdiv_rn 2 2, fast_quotient 8 8, square_root 2 8, reciprocal_root 8 8, "
expected+="sine 2 8, power 2 8, exponential 8 8, logarithm 8 8, rest 2 2, doubles 2 2, ints 8 8, longs 2 2, array_first 8 32"
for architecture in sm_80 sm_90 sm_100; do
  mapfile -t plain < <(runs "$architecture")
  mapfile -t fast < <(runs "$architecture" -use_fast_math)
  seen=""
  for i in "${!kernels[@]}"; do
    seen+="${seen:+, }${kernels[i]} ${plain[i]} ${fast[i]}"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: other operations keep loads apart" >&2
    changed=1
  fi
done
exit "${changed:-0}"
