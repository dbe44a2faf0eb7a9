#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nvcc joins the FMAs of two halves into one instruction, but never those of two floats, though sm_100 has one that does both.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_90, sm_100, sm_103, sm_120; no GPU.
# Behaviour: sm_100 and sm_103 have FFMA2 and FADD2, which add, or multiply and add, two floats at a time. Code of float2, fmaf of its
#   members and a product of two tiles get FFMA alone, with -use_fast_math, too. Only __ffma2_rn and __fadd2_rn give
#   FFMA2 and FADD2. They join floats that are not neighbours in memory as well, and take one float twice. __hfma of each
#   half of a __half2 becomes one HFMA2 on its own. On sm_120 __ffma2_rn is accepted, and is two FFMA.
# Likely guess: a compiler that joins halves joins floats where there is an instruction, so a kernel of floats that is compiled
#   again for sm_100 uses what it has; and sm_120 has what sm_100 has. Right: __ffma2_rn in the inner loop, and a look at
#   the machine code of each architecture.
# Output seen: sm_90: halves HFMA2, floats FFMA FFMA, tile 16 FFMA; sm_100 and sm_103 alike: halves HFMA2, floats FFMA FFMA, tile
#   16 FFMA, intrinsic FFMA2, apart FFMA2, twice FFMA2, sum FADD2; sm_120: halves HFMA2, floats FFMA FFMA, tile 16 FFMA,
#   intrinsic FFMA FFMA, apart FFMA FFMA, twice FFMA FFMA, sum FADD FADD
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
cat >"$folder/kernels.cu" <<'CU'
#include <cuda_fp16.h>
#define KERNEL extern "C" __global__ void
KERNEL halves(const __half2* a, const __half2* b, __half2* to) {
  const __half2 x = a[threadIdx.x], y = b[threadIdx.x];
  __half2 sum = to[threadIdx.x];
  sum.x = __hfma(x.x, y.x, sum.x);
  sum.y = __hfma(x.y, y.y, sum.y);
  to[threadIdx.x] = sum;
}
KERNEL floats(const float2* a, const float2* b, float2* to) {
  const float2 x = a[threadIdx.x], y = b[threadIdx.x];
  float2 sum = to[threadIdx.x];
  sum.x = fmaf(x.x, y.x, sum.x);
  sum.y = fmaf(x.y, y.y, sum.y);
  to[threadIdx.x] = sum;
}
KERNEL tile(const float4* a, const float4* b, float4* to) {
  const float4 x = a[threadIdx.x], y = b[threadIdx.x];
  const float rows[] = {x.x, x.y, x.z, x.w};
#pragma unroll
  for (int row = 0; row < 4; row++) {
    float4 sum = to[row * 32 + threadIdx.x];
    sum.x += rows[row] * y.x;
    sum.y += rows[row] * y.y;
    sum.z += rows[row] * y.z;
    sum.w += rows[row] * y.w;
    to[row * 32 + threadIdx.x] = sum;
  }
}
#if __CUDA_ARCH__ >= 1000
KERNEL intrinsic(const float2* a, const float2* b, float2* to) {
  to[threadIdx.x] = __ffma2_rn(a[threadIdx.x], b[threadIdx.x], to[threadIdx.x]);
}
KERNEL apart(const float* a, const float* b, float* to) {
  const int i = threadIdx.x, j = i + 1024;
  const float2 sum = __ffma2_rn(make_float2(a[i], a[j]), make_float2(b[i], b[j]), make_float2(to[i], to[j]));
  to[i] = sum.x;
  to[j] = sum.y;
}
KERNEL twice(const float* a, const float2* b, float2* to) {
  const float x = a[threadIdx.x];
  to[threadIdx.x] = __ffma2_rn(make_float2(x, x), b[threadIdx.x], to[threadIdx.x]);
}
KERNEL sum(const float2* a, float2* to) { to[threadIdx.x] = __fadd2_rn(a[threadIdx.x], to[threadIdx.x]); }
#endif
CU

arithmetic() { # architecture, flags: what each kernel computes with
  "$cuda/bin/nvcc" -cubin -arch="$1" "${@:2}" -o "$folder/code.cubin" "$folder/kernels.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  local seen="" kernel kernels="halves floats tile"
  if [ "$1" != sm_90 ]; then kernels+=" intrinsic apart twice sum"; fi
  for kernel in $kernels; do
    seen+="${seen:+, }$kernel "$(awk -v start=".text.$kernel:" '
      /^\.text\./ { inside = $1 == start }
      # HFMA2 and FFMA of RZ alone set a register to a constant.
      inside && !/-RZ, RZ,/ && match($0, /[[:space:]](HFMA2|FFMA2|FFMA|FADD2|FADD)[ .]/) {
        names = names (names ? " " : "") substr($0, RSTART + 1, RLENGTH - 2)
        number++
      }
      END { print (number > 2 ? number " FFMA" (names ~ /FFMA2/ ? "2" : "") : names) }' "$folder/code.sass")
  done
  echo "$seen"
}
common="halves HFMA2, floats FFMA FFMA, tile 16 FFMA"
for architecture in sm_90 sm_100 sm_103 sm_120; do
  seen=$(arithmetic "$architecture")
  echo "$architecture: $seen"
  case $architecture in
    sm_90) expected=$common ;;
    sm_120) expected="$common, intrinsic FFMA FFMA, apart FFMA FFMA, twice FFMA FFMA, sum FADD FADD" ;;
    *) expected="$common, intrinsic FFMA2, apart FFMA2, twice FFMA2, sum FADD2" ;;
  esac
  if [ "$seen" != "$expected" ] || [ "$(arithmetic "$architecture" -use_fast_math)" != "$expected" ]; then
    echo "changed: other operations are joined" >&2
    exit 1
  fi
done
