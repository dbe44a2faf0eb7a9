#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# __restrict__ of a member counts for nothing in a kernel that gets its pointers in a struct, until they are copied to variables.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100; no GPU.
# Behaviour: a kernel reads two values of a, with a store to b between them that a compiler must not pass unless the two
#   differ. With pointers in a struct both loads are ordinary, and the second waits for the store, though each member has
#   const and __restrict__. __grid_constant__ changes nothing. `const float* __restrict__ a = pointers.a` as the first line
#   gives LDG.CONSTANT and loads before the store. So does a call of an inlined function with such parameters up to sm_90, but
#   not from sm_100 on, where nvcc has another compiler: the PTX says NVVM 7.0.1 and 20.0.0. As parameters of the kernel
#   one __restrict__ of the two is enough, on either pointer, and const is not needed.
# Likely guess: a struct of arguments is a matter of style, as the members keep their qualifiers; and both const and
#   __restrict__ have to be on each pointer, as the guide says of the read-only cache. Right: copy the pointers first.
# Output seen: read-only loads and loads before the first store, sm_80 and sm_90 alike: parameters 2 2, without_const 2 2,
#   a_alone 2 2, b_alone 2 2, neither 0 1, in_struct 0 1, grid_constant 0 1, copied 2 2, inlined 2 2; sm_100: the same but for
#   inlined 0 1
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
#define COPY(A, B)                    \
  const int t = threadIdx.x;          \
  (B)[t] = (A)[t];                    \
  (B)[t + 64] = (A)[t + 64];
struct Pointers {
  const float* __restrict__ a;
  float* __restrict__ b;
};
__device__ __forceinline__ void copy(const float* __restrict__ a, float* __restrict__ b) { COPY(a, b) }

#define KERNEL extern "C" __global__ void
KERNEL parameters(const float* __restrict__ a, float* __restrict__ b) { COPY(a, b) }
KERNEL without_const(float* __restrict__ a, float* __restrict__ b) { COPY(a, b) }
KERNEL a_alone(const float* __restrict__ a, float* b) { COPY(a, b) }
KERNEL b_alone(const float* a, float* __restrict__ b) { COPY(a, b) }
KERNEL neither(const float* a, float* b) { COPY(a, b) }
KERNEL in_struct(Pointers pointers) { COPY(pointers.a, pointers.b) }
KERNEL grid_constant(const __grid_constant__ Pointers pointers) { COPY(pointers.a, pointers.b) }
KERNEL copied(Pointers pointers) {
  const float* __restrict__ a = pointers.a;
  float* __restrict__ b = pointers.b;
  COPY(a, b)
}
KERNEL inlined(Pointers pointers) { copy(pointers.a, pointers.b); }
CU

loads() { # kernel: read-only loads, and loads before the first store
  awk -v start=".text.$1:" '
    /^\.text\./ { inside = $1 == start }
    inside && /STG/ { stored = 1 }
    inside && /LDG/ && /CONSTANT/ { read_only++ }
    inside && /LDG/ && !stored { before++ }
    END { print read_only + 0, before + 0 }' "$folder/code.sass"
}

expected="parameters 2 2, without_const 2 2, a_alone 2 2, b_alone 2 2, neither 0 1, in_struct 0 1, grid_constant 0 1, "
expected+="copied 2 2, inlined"
for architecture in sm_80 sm_90 sm_100; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/copies.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in parameters without_const a_alone b_alone neither in_struct grid_constant copied inlined; do
    seen+="${seen:+, }$kernel $(loads "$kernel")"
  done
  echo "$architecture: $seen"
  if [ "$seen" != "$expected $([ "$architecture" = sm_100 ] && echo "0 1" || echo "2 2")" ]; then
    echo "changed: other kernels load by LDG.CONSTANT, or before the store" >&2
    exit 1
  fi
done
