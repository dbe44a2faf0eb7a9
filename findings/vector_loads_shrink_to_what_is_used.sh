#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ptxas makes a 16-byte load as narrow as what is used of it, even one of asm volatile, so a benchmark may time other loads.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100; no GPU.
# Behaviour: a float4 of which x is used is loaded by LDG.E, 4 bytes; x and y by LDG.E.64; x and w by two loads of 4 bytes, so
#   by one instruction more. __ldg, __ldcs and asm volatile("ld.global.v4.f32 ...") with a clobber of memory are cut, too: the
#   PTX has the vector, the machine code does not.
# Likely guess: asm volatile keeps its instruction; a kernel that loads float4 and adds up x measures 16-byte loads, and
#   faults where the address is no multiple of 16. Right: use all elements, such as by XOR, and look at the machine code.
# Output seen: sm_80, sm_90 and sm_100 alike: x 32; x_ldg 32; x_ldcs 32; x_asm_volatile 32; xy 64; xw 32 32; xyz 128; xor_of_all 128
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
__device__ float4 by_text(const float4* from) {
  float4 v;
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from) : "memory");
  return v;
}
__device__ float bits(float4 v) {
  return __int_as_float(__float_as_int(v.x) ^ __float_as_int(v.y) ^ __float_as_int(v.z) ^ __float_as_int(v.w));
}
// Each thread adds up what USED makes of every vector that LOAD reads.
#define SUM(NAME, LOAD, USED)                                                                       \
  extern "C" __global__ void NAME(const float4* p, float* sums, int n) {                            \
    const int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;     \
    float sum = 0;                                                                                  \
    _Pragma("unroll 1")                                                                             \
    for (int i = thread; i < n; i += threads) {                                                     \
      const float4 v = LOAD;                                                                        \
      sum += USED;                                                                                  \
    }                                                                                               \
    sums[thread] = sum;                                                                             \
  }
SUM(x, p[i], v.x)
SUM(x_ldg, __ldg(p + i), v.x)
SUM(x_ldcs, __ldcs(p + i), v.x)
SUM(x_asm_volatile, by_text(p + i), v.x)
SUM(xy, p[i], v.x + v.y)
SUM(xw, p[i], v.x + v.w)
SUM(xyz, p[i], v.x + v.y + v.z)
SUM(xor_of_all, p[i], bits(v))
CU

expected="x 32; x_ldg 32; x_ldcs 32; x_asm_volatile 32; xy 64; xw 32 32; xyz 128; xor_of_all 128"
for architecture in sm_80 sm_90 sm_100; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/sums.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in x x_ldg x_ldcs x_asm_volatile xy xw xyz xor_of_all; do
    widths=$(awk -v start=".text.$kernel:" '
      /^\.text\./ { inside = $1 == start }
      inside && match($0, /LDG\.[A-Z0-9.]*/) {
        load = substr($0, RSTART, RLENGTH)
        printf " %s", load ~ /\.128/ ? 128 : load ~ /\.64/ ? 64 : 32
      }' "$folder/code.sass")
    seen+="${seen:+; }$kernel$widths"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: the widths of loads are others" >&2
    exit 1
  fi
done
