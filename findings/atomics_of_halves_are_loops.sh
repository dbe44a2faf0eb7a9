#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# atomicAdd of a __half or __nv_bfloat16 in global memory is a loop of compare-and-swap on all GPUs, and of a pair it is no RED.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_89, sm_90, sm_100, sm_120; no GPU.
# Behaviour: the PTX has one atom.add.noftz.f16. ptxas makes a loop of it that reads 32 bits, adds to one half and swaps, so it
#   contends with additions to the neighbour, too; red.global.add.noftz.f16 is that loop as well. __half2 is one ATOM, as the
#   header has a generic address, and one that asks for the old value, with ways for shared and local memory behind it.
#   red.global.add.noftz.f16x2 is one RED, as float, float2 and float4 are. __nv_bfloat162 is a loop below sm_90.
# Likely guess: atomicAdd of 16 bits is hardware from sm_70 on, and that of __nv_bfloat16 from sm_80 on, since it compiles from
#   there on; halves in place of floats halve the cost. Right: sum in float, or add pairs by red.global.add.noftz.f16x2
#   with a zero in the other half.
# Output seen: sm_80 and sm_89 alike: half CAS, half2 ADD.F16x2 with CAST, bfloat16 CAS, bfloat162 CAS, half_red CAS, half2_red
#   RED.F16x2, float RED.F32; sm_90, sm_100 and sm_120 alike: the same but for bfloat162 ADD.BF16x2 with CAST; and float4
#   RED.F32x4, bfloat162_red RED.BF16x2
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
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define ADD(NAME, TYPE)                                                                          \
  extern "C" __global__ void NAME(TYPE* sums, const int* bins, const TYPE* values) {             \
    atomicAdd(sums + bins[threadIdx.x], values[threadIdx.x]);                                    \
  }
#define RED(NAME, TYPE, INSTRUCTION, BITS, LETTER)                                               \
  extern "C" __global__ void NAME(TYPE* sums, const int* bins, const BITS* values) {             \
    asm volatile(INSTRUCTION " [%0], %1;" : : "l"(__cvta_generic_to_global(sums + bins[threadIdx.x])), \
                 LETTER(values[threadIdx.x]) : "memory");                                        \
  }
ADD(add_half, __half)
ADD(add_half2, __half2)
ADD(add_bfloat16, __nv_bfloat16)
ADD(add_bfloat162, __nv_bfloat162)
ADD(add_float, float)
RED(add_half_red, __half, "red.global.add.noftz.f16", unsigned short, "h")
RED(add_half2_red, __half2, "red.global.add.noftz.f16x2", unsigned, "r")
#if __CUDA_ARCH__ >= 900
ADD(add_float4, float4)
RED(add_bfloat162_red, __nv_bfloat162, "red.global.add.noftz.bf16x2", unsigned, "r")
#endif
CU

found() { # kernel: what adds, without the parts of names that say nothing here
  awk -v start=".text.add_$1:" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, /[[:space:]](ATOM|RED)[GS]?\.[.A-Za-z0-9]*/) { print substr($0, RSTART + 1, RLENGTH - 1) }' "$folder/code.sass" |
    sed -E 's/^(ATOM|RED)[GS]?(\.E)?\./\1./; s/\.(RN|FTZ|SPIN|STRONG\.GPU)//g; s/^ATOM\.CAST/with CAST/; s/^ATOM\.//; s/RED\.ADD/RED/' |
    tr '\n' ' ' | sed 's/ $//'
}

below="half CAS, half2 ADD.F16x2 with CAST, bfloat16 CAS, bfloat162 CAS, half_red CAS, half2_red RED.F16x2, float RED.F32"
above=${below/bfloat162 CAS/bfloat162 ADD.BF16x2 with CAST}
above+=", float4 RED.F32x4, bfloat162_red RED.BF16x2"
for architecture in sm_80 sm_89 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/sums.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  case $architecture in
    sm_8*) kernels="half half2 bfloat16 bfloat162 half_red half2_red float" expected=$below ;;
    *) kernels="half half2 bfloat16 bfloat162 half_red half2_red float float4 bfloat162_red" expected=$above ;;
  esac
  seen=""
  for kernel in $kernels; do
    seen+="${seen:+, }$kernel $(found "$kernel")"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: atomic additions are other instructions" >&2
    exit 1
  fi
done
