#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# -use_fast_math moves 1.0 / x and x / 3.0 of a float from FP32 to FP64, because a double literal is free only where it is exact.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_90, sm_100; no GPU.
# Behaviour: one operation of a float and a double literal whose result becomes a float is done in FP32, where that gives the
#   same bits: x * 0.5, x * 3.0, x + 1.0, 1.0 / x and x > 0.5 have no FP64. -prec-div=false, a part of -use_fast_math, makes the
#   division of floats inexact. So 1.0 / x stays in FP64 there, with some 28 instructions. A literal that no float has (0.1)
#   and a second operation on the double (x * 0.5 * y, but not x * y * 0.5) cost FP64 with all flags.
# Likely guess: each literal without an f costs FP64, and -use_fast_math can only take away: the usual advice. An x / 3.0 that
#   passed a review of the machine code is then 28 FP64 instructions in the fast build. Right: 1.0f and 3.0f, and a look at
#   the machine code of the build that is measured.
# Output seen: FP64 instructions by default, with -use_fast_math, with -prec-div=false alone, sm_90 and sm_100 alike:
#   1.0 / x 0 28 27, x / 3.0 0 27 26, x * 0.5 0 0 0, x * 3.0 0 0 0, x + 1.0 0 0 0, x > 0.5 ? x : y 0 0 0, x * y * 0.5 0 0 0,
#   x * 0.5 * y 5 6 5, x * 0.1 3 4 3, x > 0.1 ? x : y 2 2 2, 1.0f / x 0 0 0
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
expressions=("1.0 / x" "x / 3.0" "x * 0.5" "x * 3.0" "x + 1.0" "x > 0.5 ? x : y" "x * y * 0.5" "x * 0.5 * y" "x * 0.1"
  "x > 0.1 ? x : y" "1.0f / x")
for i in "${!expressions[@]}"; do
  cat <<CU
extern "C" __global__ void kernel_$i(float* to, const float* from, const float* more) {
  const float x = from[threadIdx.x];
  [[maybe_unused]] const float y = more[threadIdx.x];
  to[threadIdx.x] = ${expressions[i]};
}
CU
done >"$folder/expressions.cu"

# Arithmetic of doubles, and conversions from and to them, a line for each kernel.
doubles() { # flags
  "$cuda/bin/nvcc" -cubin "$@" -o "$folder/code.cubin" "$folder/expressions.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  awk -v kernels="${#expressions[@]}" '
    /^\.text\./ { split($1, parts, /[_:]/); kernel = parts[2] }
    /[[:space:]](D(ADD|MUL|FMA|SETP|MNMX)|MUFU\.[A-Z0-9]*64H|F2F\.F64\.F32|F2F\.F32\.F64)/ { count[kernel]++ }
    END { for (i = 0; i < kernels; ++i) print count[i] + 0 }' "$folder/code.sass"
}

for architecture in sm_90 sm_100; do
  mapfile -t plain < <(doubles -arch="$architecture")
  mapfile -t fast < <(doubles -arch="$architecture" -use_fast_math)
  mapfile -t division < <(doubles -arch="$architecture" -prec-div=false)
  seen=""
  for i in "${!expressions[@]}"; do
    seen+="${seen:+, }${expressions[i]} ${plain[i]} ${fast[i]} ${division[i]}"
    case ${expressions[i]} in
      "1.0 / x" | "x / 3.0") expected="none some some" ;;
      "x * 0.5 * y" | *0.1*) expected="some some some" ;;
      *) expected="none none none" ;;
    esac
    kinds=""
    for count in "${plain[i]}" "${fast[i]}" "${division[i]}"; do
      kinds+="${kinds:+ }$([ "$count" = 0 ] && echo none || echo some)"
    done
    if [ "$kinds" != "$expected" ]; then changed+=" (${expressions[i]})"; fi
  done
  echo "$architecture: $seen"
done
if [ -n "${changed:-}" ]; then
  echo "changed: FP64 instructions of$changed" >&2
  exit 1
fi
