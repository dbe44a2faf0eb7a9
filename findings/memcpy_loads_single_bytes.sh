#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# memcpy in a kernel reads global memory byte by byte, whatever the type of its pointers: 16 loads for a float4, 4 for a float.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI, with g++ 12.2; sm_80, sm_90, sm_100; no GPU.
# Behaviour: the pointers become const void* in the call, and with that nvcc forgets their alignment. memcpy(&bits, from, 4) of
#   a const float*, as C++ wants it for another type, is four LDG.U8. 16 bytes of float* or of a struct with alignas(16) are
#   16 of them, and so are stores to global memory. An array in static shared memory, whose alignment is known, is read by one
#   LDS.128. __builtin_assume_aligned(from, 16) in the call gives one LDG.128.
# Likely guess: memcpy of a constant size is a move of that size, as g++ has it on x86-64, and the alignment of the type
#   counts. The bytes are as many, so a profile shows the same traffic to DRAM. Right: read the value, then copy the bits
#   of the variable or use bit_cast; or assume_aligned. An assignment of structs has the alignment of the type.
# Output seen: sm_80, sm_90 and sm_100 alike: bits_of_float 4 x 8 bits, four_floats 16 x 8, aligned_struct 16 x 8,
#   static_shared 1 x 128, store 16 x 8, assumed 1 x 128, assigned 1 x 128, read_first 1 x 32, bit_cast 1 x 32
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
KERNEL static_shared(const Four* from, float* to) {
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
CU

# The instructions that move the value: how many, and of how many bits.
moves() { # kernel, instruction
  awk -v start=".text.$1:" -v name="[[:space:]]$2[A-Z0-9.]*" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, name) {
      found = substr($0, RSTART, RLENGTH)
      bits = found ~ /\.128/ ? 128 : found ~ /\.64/ ? 64 : found ~ /\.U8/ ? 8 : 32
      count[bits]++
    }
    END { for (bits in count) printf "%d x %d", count[bits], bits }' "$folder/code.sass"
}

expected="bits_of_float 4 x 8, four_floats 16 x 8, aligned_struct 16 x 8, static_shared 1 x 128, store 16 x 8, "
expected+="assumed 1 x 128, assigned 1 x 128, read_first 1 x 32, bit_cast 1 x 32"
for architecture in sm_80 sm_90 sm_100; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/copies.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in bits_of_float four_floats aligned_struct static_shared store assumed assigned read_first bit_cast; do
    case $kernel in store) instruction=STG ;; static_shared) instruction=LDS ;; *) instruction=LDG ;; esac
    seen+="${seen:+, }$kernel $(moves "$kernel" "$instruction")"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: memcpy moves by other sizes" >&2
    exit 1
  fi
done
