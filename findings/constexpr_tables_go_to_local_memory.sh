#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A constexpr array in a kernel that is read by an index is written to local memory by each thread, before one value of it is read.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: constexpr and const make no constant of a local array: 64 floats are 16 stores of 16 bytes a thread and a load of 4.
#   So are 16 bytes, 8 doubles, and a table that is read by blockIdx.x, which is one value for all threads. 16 floats that are
#   read once are 16 comparisons instead, and in a loop they are stored, too. `static constexpr` is one load through the
#   read-only cache (LDG.CONSTANT), of any size and in a loop. A __constant__ array is read from constant memory.
# Likely guess: a constexpr table is data of the program, as Clang has it for a CPU (GCC 12 copies it to the stack), and nvcc
#   puts it into constant memory; static only matters where a function is called again. Right: static constexpr where threads
#   read different values, and __constant__ where they read the same. "stack frame" of ptxas -v shows the others.
# Output seen: stores to local memory, loads from it, read-only loads, comparisons, sm_80, sm_90, sm_100 and sm_120 alike:
#   floats_64 16 1 0 0, const_64 16 1 0 0, floats_16 0 0 0 16, loop_16 4 1 0 0, bytes_16 1 1 0 0, doubles_8 4 1 0 0, by_block 4 1 0 0,
#   static_64 0 0 1 0, static_16 0 0 1 0, static_loop_16 0 0 1 0, constant_64 0 0 0 0
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
cat >"$folder/tables.cu" <<'CU'
#define FOUR 1.5f, 2.25f, 3.0f, 4.75f
#define FEW 7, 3, 5
#define SIXTEEN FOUR, 5.0f, 6.0f, 7.0f, 9.0f, FOUR, 8.0f, 0.5f, 2.0f, 1.0f
#define SIXTY_FOUR SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN
__constant__ float of_program[64] = {SIXTY_FOUR};
#define READ(NAME, TYPE, DECLARED, INDEX)                                  \
  extern "C" __global__ void NAME(const int* from, TYPE* to) {             \
    DECLARED;                                                              \
    to[threadIdx.x] = table[INDEX];                                        \
  }
READ(floats_64, float, constexpr float table[] = {SIXTY_FOUR}, from[threadIdx.x])
READ(floats_16, float, constexpr float table[] = {SIXTEEN}, from[threadIdx.x])
READ(const_64, float, const float table[] = {SIXTY_FOUR}, from[threadIdx.x])
READ(bytes_16, char, constexpr char table[16] = {FEW}, from[threadIdx.x])
READ(doubles_8, double, constexpr double table[8] = {FEW}, from[threadIdx.x])
READ(by_block, float, constexpr float table[] = {SIXTEEN}, blockIdx.x)
READ(static_64, float, static constexpr float table[] = {SIXTY_FOUR}, from[threadIdx.x])
READ(static_16, float, static constexpr float table[] = {SIXTEEN}, from[threadIdx.x])
READ(constant_64, float, const auto& table = of_program, from[threadIdx.x])
#define SUM(NAME, DECLARED)                                                \
  extern "C" __global__ void NAME(const int* from, float* to, int n) {     \
    DECLARED table[] = {SIXTEEN};                                          \
    float sum = 0;                                                         \
    _Pragma("unroll 1") for (int i = 0; i < n; i++) sum += table[from[i * 32 + threadIdx.x]]; \
    to[threadIdx.x] = sum;                                                 \
  }
SUM(loop_16, constexpr float)
SUM(static_loop_16, static constexpr float)
CU

count() { # kernel, instruction
  awk -v start=".text.$1:" -v pattern="[[:space:]]$2" '
    /^\.text\./ { inside = $1 == start }
    inside && $0 ~ pattern { count++ }
    END { print count + 0 }' "$folder/code.sass"
}

expected="floats_64 16 1 0 0, const_64 16 1 0 0, floats_16 0 0 0 16, loop_16 4 1 0 0, bytes_16 1 1 0 0, doubles_8 4 1 0 0, "
expected+="by_block 4 1 0 0, static_64 0 0 1 0, static_16 0 0 1 0, static_loop_16 0 0 1 0, constant_64 0 0 0 0"
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/tables.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in floats_64 const_64 floats_16 loop_16 bytes_16 doubles_8 by_block static_64 static_16 static_loop_16 constant_64; do
    seen+="${seen:+, }$kernel $(count "$kernel" STL) $(count "$kernel" LDL)"
    seen+=" $(count "$kernel" 'LDG[^ ]*CONSTANT') $(count "$kernel" 'ISETP.EQ')"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: tables are read from other memory" >&2
    exit 1
  fi
done
