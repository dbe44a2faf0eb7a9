#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# memcpy in a kernel reads global memory byte by byte, whatever the type of its pointers: 16 loads for a float4, 4 for a float.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI, with g++ 12.2; sm_80, sm_90, sm_100; no GPU.
# Behaviour: the pointers become const void* in the call, and with that nvcc forgets their alignment. memcpy(&bits, from, 4) of
#   a const float*, as C++ wants it for other types, is four LDG.U8 with three PRMT; of a struct with alignas(16) it is
#   16 loads, from shared memory, too. A store to global memory is single bytes likewise. Up to sm_90 8 bytes of a
#   parameter or of registers cost nothing. __builtin_assume_aligned(from, 16) in the call gives one LDG.128.
# Likely guess: memcpy of a constant size is a move of that size, as g++ has it on x86-64, and at least the alignment of the
#   type counts. The loads are as many bytes, so a profile shows no more traffic to DRAM. Right: read the value, then copy its
#   bits from the variable or by __float_as_uint; or assume_aligned.
# Output seen: EXPECTED
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
cat >"$folder/copies.cu" <<'CU'
#include <cstdint>
#include <cstring>
#include <cuda/std/bit>
#define KERNEL extern "C" __global__ void
#define T threadIdx.x
struct alignas(16) Four {
  float x, y, z, w;
};
KERNEL bits_of_float(const float* from, uint32_t* to) {
  uint32_t bits;
  memcpy(&bits, from + T, 4);
  to[T] = bits;
}
KERNEL four_floats(const float* from, float* to) {
  float v[4];
  memcpy(v, from + 4 * T, 16);
  to[T] = v[0] + v[1] * v[2] - v[3];
}
KERNEL aligned_struct(const Four* from, float* to) {
  Four v;
  memcpy(&v, from + T, 16);
  to[T] = v.x + v.y * v.z - v.w;
}
KERNEL from_shared(const Four* from, float* to) {
  __shared__ Four near[256];
  near[T] = from[T];
  __syncthreads();
  Four v;
  memcpy(&v, near + (T ^ 1), 16);
  to[T] = v.x + v.y * v.z - v.w;
}
KERNEL store(const Four* from, Four* to) {
  Four v = from[T];
  v.x += v.y;
  memcpy(to + T, &v, 16);
}
KERNEL assumed(const float* from, float* to) {
  float v[4];
  memcpy(v, __builtin_assume_aligned(from + 4 * T, 16), 16);
  to[T] = v[0] + v[1] * v[2] - v[3];
}
KERNEL assigned(const Four* from, float* to) {
  const Four v = from[T];
  to[T] = v.x + v.y * v.z - v.w;
}
KERNEL read_first(const float* from, uint32_t* to) {
  const float value = from[T];
  uint32_t bits;
  memcpy(&bits, &value, 4);
  to[T] = bits;
}
KERNEL bit_cast(const float* from, uint32_t* to) { to[T] = cuda::std::bit_cast<uint32_t>(from[T]); }
KERNEL parameter(Four v, float* to) {
  float w[4];
  memcpy(w, &v, 16);
  to[T] = w[0] + w[1] * w[2] - w[3];
}
CU
for a in sm_80 sm_90 sm_100; do
"$cuda/bin/nvcc" -cubin -arch="$a" -o "$folder/code.cubin" "$folder/copies.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" | awk  '
    /^\.text\./ { kernel = substr($1, 7, length($1) - 7) }
    match($0,/[[:space:]](LDG|STG|LDS|STS|LDL|STL|LDC)\.[A-Z0-9.]*/) { print kernel, substr($0, RSTART + 1, RLENGTH - 1) }' | sort | uniq -c
done
