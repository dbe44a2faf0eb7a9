#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# a * b + c of __nv_bfloat16 rounds twice on sm_80 to sm_89 and once from sm_90 on; of __half and float it rounds once on all.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; no GPU.
# Behaviour: below sm_90 the product and the sum are two HFMA2.BF16_V2, a * b - 0 and then x * 1 + c, with a rounding each.
#   From sm_90 on they are one. -fmad=true, the default, changes nothing below sm_90. -fmad=false makes both alike.
# Likely guess: -fmad=true contracts all floating-point types alike, so one source gives the same bits on an A100 and an
#   H100, and a difference is a bug. With a = b = 1 + 2^-7 and c = -(1 + 2^-6), two roundings give 0 and one gives 2^-14.
#   Right: write __hfma where one rounding is meant, and compare devices with -fmad=false.
# Output seen: roundings of a * b + c, by default: bf16 sm_80 2, sm_86 2, sm_89 2, sm_90 1, sm_100 1, sm_120 1; fp16 sm_80 1,
#   sm_90 1; fp32 sm_80 1, sm_90 1; with -fmad=false: bf16 sm_80 2, sm_90 2
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
cat >"$folder/multiply_add.cu" <<'CU'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void multiply_add(const TYPE* a, const TYPE* b, TYPE* c) {
  c[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x] + c[threadIdx.x];
}
CU

# Arithmetic instructions between the loads and the store. HFMA2 of RZ alone sets a register to a constant.
roundings() { # type, architecture, flags
  "$cuda/bin/nvcc" -cubin -arch="$2" "${@:3}" -DTYPE="$1" -o "$folder/code.cubin" "$folder/multiply_add.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  grep -E '[[:space:]](HFMA2|HMUL2|HADD2|FFMA|FMUL|FADD)[. ]' "$folder/code.sass" | grep -cvE 'HFMA2[^ ]* R[0-9]+, -RZ, RZ,'
}
line() { # type, flags, architectures
  for architecture in "${@:3}"; do
    printf '%s %s, ' "$architecture" "$(roundings "$1" "$architecture" "$2")"
  done | sed 's/, $//'
}

seen="by default: bf16 $(line __nv_bfloat16 -fmad=true sm_80 sm_86 sm_89 sm_90 sm_100 sm_120)"
seen="$seen; fp16 $(line __half -fmad=true sm_80 sm_90); fp32 $(line float -fmad=true sm_80 sm_90)"
seen="$seen; with -fmad=false: bf16 $(line __nv_bfloat16 -fmad=false sm_80 sm_90)"
echo "roundings of a * b + c, $seen"
expected="by default: bf16 sm_80 2, sm_86 2, sm_89 2, sm_90 1, sm_100 1, sm_120 1; fp16 sm_80 1, sm_90 1"
expected="$expected; fp32 sm_80 1, sm_90 1; with -fmad=false: bf16 sm_80 2, sm_90 2"
if [ "$seen" != "$expected" ]; then
  echo "changed: expected $expected" >&2
  exit 1
fi
