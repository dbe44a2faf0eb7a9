#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A kernel with a small struct as its parameter copies it to each thread's stack to index into it; a larger struct is read in place.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: a struct of up to 128 bytes is taken apart into its members. s.v[blockIdx.y] of 2 to 16 pointers or doubles then
#   stores them all in local memory, and loads one. One float of such a struct is read from constant memory, but a loop
#   over the floats, for (i < n) sum += s.v[i], copies up to 32 of them. const changes nothing. From 17 pointers or 33
#   floats on nothing is copied, also where the rest is padding, and with __grid_constant__ nothing is at any size.
# Likely guess: parameters are in constant memory, which has an index, so a small array of pointers for a batch, or of
#   offsets, costs one load; a larger one costs more. ptxas -v reports a stack frame and no spill.
#   Right: const __grid_constant__ on each struct with an array.
# Output seen: stores and loads of local memory, sm_80, sm_90, sm_100 and sm_120 alike: pointers_2 2 1, pointers_16 16 1,
#   pointers_17 0 0, padded 0 0, constant 16 1, grid_constant 0 0, float_of_8 0 0, sum_of_8 4 15, sum_of_32 16 15, sum_of_33 0 0,
#   sum_grid_constant 0 0
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
template <int N>
struct Pointers {
  const float* v[N];
};
struct Padded {
  const float* v[4];
  char rest[100];
};
template <int N>
struct Floats {
  float v[N];
};
#define BATCH(NAME, TYPE) \
  extern "C" __global__ void NAME(TYPE s, float* to) { to[threadIdx.x] = s.v[blockIdx.y][threadIdx.x]; }
#define SUM(NAME, TYPE)                                          \
  extern "C" __global__ void NAME(TYPE s, float* to, int n) {    \
    float sum = 0;                                               \
    for (int i = 0; i < n; i++) sum += s.v[i];                   \
    to[threadIdx.x] = sum;                                       \
  }
BATCH(pointers_2, Pointers<2>)
BATCH(pointers_16, Pointers<16>)
BATCH(pointers_17, Pointers<17>)
BATCH(padded, Padded)
BATCH(constant, const Pointers<16>)
BATCH(grid_constant, const __grid_constant__ Pointers<16>)
extern "C" __global__ void float_of_8(Floats<8> s, float* to) { to[threadIdx.x] = s.v[blockIdx.y]; }
SUM(sum_of_8, Floats<8>)
SUM(sum_of_32, Floats<32>)
SUM(sum_of_33, Floats<33>)
SUM(sum_grid_constant, const __grid_constant__ Floats<32>)
CU

expected="pointers_2 2 1, pointers_16 16 1, pointers_17 0 0, padded 0 0, constant 16 1, grid_constant 0 0, float_of_8 0 0"
expected+=", sum_of_8 4 15, sum_of_32 16 15, sum_of_33 0 0, sum_grid_constant 0 0"
kernels="pointers_2 pointers_16 pointers_17 padded constant grid_constant float_of_8 sum_of_8 sum_of_32 sum_of_33 sum_grid_constant"
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/kernels.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in $kernels; do
    numbers=$(awk -v start=".text.$kernel:" '
      /^\.text\./ { inside = $1 == start }
      inside && /[[:space:]]STL/ { stores++ }
      inside && /[[:space:]]LDL/ { loads++ }
      END { print stores + 0, loads + 0 }' "$folder/code.sass")
    seen+="${seen:+, }$kernel $numbers"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: other structs are copied" >&2
    exit 1
  fi
done
