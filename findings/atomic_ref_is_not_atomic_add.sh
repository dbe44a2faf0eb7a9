#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A relaxed fetch_add of cuda::atomic_ref is not atomicAdd's instruction: no RED, none of shared memory, and loops for floats.
#
# Versions: nvcc and ptxas 13.0.88, CCCL 13.0.85 (13.3.5.0.6 alike), nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100; no GPU.
# Behaviour: libcu++ writes the operation as asm volatile with a generic address, which hides from ptxas that the memory is global
#   or shared. RED becomes a generic ATOM, and so does ATOMS of a __shared__ array. Behind that of float and double are ways
#   for shared memory, from sm_90 on for that of a cluster, too, each a loop of compare-and-swap. Where no order is given it is
#   seq_cst: a MEMBAR.SC, and a CCTL.IVALL, which empties L1, on both sides.
# Likely guess: with memory_order_relaxed and thread_scope_device it is atomicAdd in the style of C++, so a kernel is written in
#   either, and shared memory keeps its atomics. Right: atomicAdd, atomicAdd_block and atomicAdd_system for sums, and
#   atomic_ref where an order is needed. A look for ATOM.E and QSPC in the machine code shows generic ones.
# Output seen: sm_80: int_plain RED.ADD, int_ref ATOM.ADD, int_ref_default MEMBAR.SC CCTL.IVALL ATOM.ADD CCTL.IVALL, float_plain
#   RED.ADD.F32, float_ref ATOM.ADD.F32 ATOMS.CAST, double_plain RED.ADD.F64, double_ref ATOM.ADD.F64 ATOMS.CAST, shared_plain
#   ATOMS.ADD, shared_ref ATOM.ADD; sm_90 and sm_100: the same with one ATOM.CAST more in float_ref and double_ref
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
cat >"$folder/sums.cu" <<'CU'
#include <cuda/atomic>
template <typename T, cuda::thread_scope kScope = cuda::thread_scope_device>
using Ref = cuda::atomic_ref<T, kScope>;
constexpr auto kRelaxed = cuda::memory_order_relaxed;
#define GLOBAL(NAME, TYPE, ADD)                                                              \
  extern "C" __global__ void NAME(TYPE* sums, const int* bins, const TYPE* values) {         \
    TYPE& sum = sums[bins[threadIdx.x]];                                                     \
    const TYPE value = values[threadIdx.x];                                                  \
    ADD;                                                                                     \
  }
#define SHARED(NAME, ADD)                                                                    \
  extern "C" __global__ void NAME(int* sums, const int* bins) {                              \
    __shared__ int near[256];                                                                \
    near[threadIdx.x] = 0;                                                                   \
    __syncthreads();                                                                         \
    int& sum = near[bins[threadIdx.x]];                                                      \
    const int value = threadIdx.x;                                                           \
    ADD;                                                                                     \
    __syncthreads();                                                                         \
    sums[threadIdx.x] = near[threadIdx.x];                                                   \
  }
GLOBAL(int_plain, int, atomicAdd(&sum, value))
GLOBAL(int_ref, int, Ref<int>(sum).fetch_add(value, kRelaxed))
GLOBAL(int_ref_default, int, Ref<int>(sum).fetch_add(value))
GLOBAL(float_plain, float, atomicAdd(&sum, value))
GLOBAL(float_ref, float, Ref<float>(sum).fetch_add(value, kRelaxed))
GLOBAL(double_plain, double, atomicAdd(&sum, value))
GLOBAL(double_ref, double, Ref<double>(sum).fetch_add(value, kRelaxed))
SHARED(shared_plain, atomicAdd_block(&sum, value))
SHARED(shared_ref, (Ref<int, cuda::thread_scope_block>(sum).fetch_add(value, kRelaxed)))
CU

found() { # kernel: atomics and what orders memory, without the parts of names that say nothing here
  awk -v start=".text.$1:" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, /[[:space:]](ATOM[GS]?|REDG?|MEMBAR|CCTL)\.[.A-Z0-9]*/) { print substr($0, RSTART + 1, RLENGTH - 1) }' \
    "$folder/code.sass" |
    sed -E 's/(ATOM|RED)G?\.E\./\1./; s/\.(RN|FTZ|SPIN|S32|64|STRONG\.GPU|STRONG\.SM|SM|GPU)//g' | tr '\n' ' ' | sed 's/ $//'
}

expected="int_plain RED.ADD, int_ref ATOM.ADD, int_ref_default MEMBAR.SC CCTL.IVALL ATOM.ADD CCTL.IVALL, float_plain RED.ADD.F32, "
expected+="float_ref ATOM.ADD.F32 ATOMS.CAST, double_plain RED.ADD.F64, double_ref ATOM.ADD.F64 ATOMS.CAST, "
expected+="shared_plain ATOMS.ADD, shared_ref ATOM.ADD"
for architecture in sm_80 sm_90 sm_100; do
  "$cuda/bin/nvcc" -std=c++17 -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/sums.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in int_plain int_ref int_ref_default float_plain float_ref double_plain double_ref shared_plain shared_ref; do
    seen+="${seen:+, }$kernel $(found "$kernel")"
  done
  echo "$architecture: $seen"
  if [ "$architecture" = sm_90 ]; then expected=${expected//ATOMS.CAST/ATOMS.CAST ATOM.CAST}; fi
  if [ "$seen" != "$expected" ]; then
    echo "changed: atomic additions are other instructions" >&2
    exit 1
  fi
done
