#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An index that only the run knows leaves an array of 60 floats in registers, and sends one of 4 doubles to local memory.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: v[k] of a thread's array is a row of comparisons and moves, one for each element, as long as ptxas likes that
#   better. One read of 60 floats is, and so is one addition to an element of 8. One read of 4 doubles or 64-bit integers is
#   a store of all and a load. In a loop, 8 floats that are read stay, and 16 do not. A histogram of 6 bins, v[k[i]] += 1, stays
#   with "unroll 1", and is in local memory where the compiler unrolls the loop. From sm_100 on one of 4 is, too.
# Likely guess: registers have no index, so any such array is in local memory, by its size or not at all; and
#   a type is a matter of bytes. Right: ptxas -v, whose "stack frame" shows it, for each architecture and each type.
# Output seen: stores to local memory, sm_80 and sm_90 alike: read_60 0, read_4_doubles 2, read_4_longs 2, add_8 0, loop_read_8 0,
#   loop_read_16 4, loop_add_4 0, loop_add_6 8, loop_add_6_rolled 0; sm_100 and sm_120 alike: the same but for loop_add_4 30 and
#   loop_add_6 32
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
// Each thread has an array of N elements, of which the index of the thread chooses one.
#define KERNEL(NAME, TYPE, N, BODY)                                                             \
  extern "C" __global__ void NAME(const TYPE* p, TYPE* to, const int* k, int n) {               \
    TYPE v[N];                                                                                  \
    _Pragma("unroll") for (int i = 0; i < N; i++) v[i] = p[i] * p[i];                           \
    BODY                                                                                        \
  }
#define READ(NAME, TYPE, N) KERNEL(NAME, TYPE, N, to[threadIdx.x] = v[k[threadIdx.x]];)
#define ALL(N) _Pragma("unroll") for (int i = 0; i < N; i++) to[threadIdx.x * N + i] = v[i];
#define LOOP _Pragma("unroll 1") for (int i = 0; i < n; i++)
#define LOOP_READ(NAME, N)                                           \
  KERNEL(NAME, float, N, float sum = 0; LOOP sum += v[k[i * 32 + threadIdx.x]]; to[threadIdx.x] = sum;)
#define LOOP_ADD(NAME, N, LOOP_OVER) KERNEL(NAME, float, N, LOOP_OVER v[k[i * 32 + threadIdx.x]] += 1; ALL(N))
#define ANY for (int i = 0; i < n; i++)
READ(read_60, float, 60)
READ(read_4_doubles, double, 4)
READ(read_4_longs, long long, 4)
KERNEL(add_8, float, 8, v[k[threadIdx.x]] += 1; ALL(8))
LOOP_READ(loop_read_8, 8)
LOOP_READ(loop_read_16, 16)
LOOP_ADD(loop_add_4, 4, ANY)
LOOP_ADD(loop_add_6, 6, ANY)
LOOP_ADD(loop_add_6_rolled, 6, LOOP)
CU

common="read_60 0, read_4_doubles 2, read_4_longs 2, add_8 0, loop_read_8 0, loop_read_16 4"
expected="$common, loop_add_4 0, loop_add_6 8, loop_add_6_rolled 0"
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/kernels.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in read_60 read_4_doubles read_4_longs add_8 loop_read_8 loop_read_16 loop_add_4 loop_add_6 loop_add_6_rolled; do
    stores=$(awk -v start=".text.$kernel:" '
      /^\.text\./ { inside = $1 == start }
      inside && /[[:space:]]STL/ { stores++ }
      END { print stores + 0 }' "$folder/code.sass")
    seen+="${seen:+, }$kernel $stores"
  done
  echo "$architecture: $seen"
  if [ "$architecture" = sm_100 ]; then expected="$common, loop_add_4 30, loop_add_6 32, loop_add_6_rolled 0"; fi
  if [ "$seen" != "$expected" ]; then
    echo "changed: other arrays are in local memory" >&2
    exit 1
  fi
done
