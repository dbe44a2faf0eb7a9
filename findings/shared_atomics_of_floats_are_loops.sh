#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# atomicAdd of a float is one instruction in global memory and a loop of compare-and-swap in shared memory, on all GPUs to sm_120.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: shared memory has atomic additions of 32-bit integers alone. For float, double and 64-bit integers ptxas emits
#   a loop around ATOMS.CAST.SPIN, which threads of a warp that share an address pass one after another. In global memory all
#   of these are one RED. Where all threads add to one address there, 32-bit integers are first summed over the warp, by
#   REDUX, and floats are not. The float's RED is .FTZ whatever -ftz says: subnormals count as 0. Those of the loop do not.
# Likely guess: shared memory is near, so sums per bin are gathered there first, as counts are, and both places give the
#   same sum. A count that became float or unsigned long long, for a weight or large data, changes from one instruction to
#   the loop. Right: keep 32-bit counts, or fixed point in int32_t, in shared memory, and look for CAST in the machine code.
# Output seen: sm_80, sm_90, sm_100 and sm_120 alike, shared memory: int ATOMS.ADD, long ATOMS.CAST, float ATOMS.CAST, double
#   ATOMS.CAST; global: int RED.ADD, long RED.ADD.64, float RED.ADD.F32.FTZ, double RED.ADD.F64; one address: int
#   REDUX.SUM RED.ADD, long RED.ADD.64, float RED.ADD.F32.FTZ, double RED.ADD.F64; the loop adds by FADD
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
cat >"$folder/bins.cu" <<'CU'
#define KERNELS(NAME, TYPE)                                                                        \
  extern "C" __global__ void shared_##NAME(TYPE* sums, const int* bins, const TYPE* values) {      \
    __shared__ TYPE near[256];                                                                     \
    near[threadIdx.x] = 0;                                                                         \
    __syncthreads();                                                                               \
    atomicAdd(near + bins[threadIdx.x], values[threadIdx.x]);                                      \
    __syncthreads();                                                                               \
    sums[threadIdx.x] = near[threadIdx.x];                                                         \
  }                                                                                                \
  extern "C" __global__ void global_##NAME(TYPE* sums, const int* bins, const TYPE* values) {      \
    atomicAdd(sums + bins[threadIdx.x], values[threadIdx.x]);                                      \
  }                                                                                                \
  extern "C" __global__ void one_##NAME(TYPE* sum, const int* bins, const TYPE* values) {          \
    atomicAdd(sum, values[threadIdx.x]);                                                           \
  }
KERNELS(int, int)
KERNELS(long, unsigned long long)
KERNELS(float, float)
KERNELS(double, double)
CU

found() { # kernel, pattern: instructions, without the parts of their names that say nothing here
  awk -v start=".text.$1:" -v pattern="[ \t]($2)[.A-Z0-9]*" '
    /^\.text\./ { inside = $1 == start }
    inside && match($0, pattern) { print substr($0, RSTART + 1, RLENGTH - 1) }' "$folder/code.sass" |
    sed 's/REDG\?\.E/RED/; s/\.RN//; s/\.STRONG\.GPU//; s/\.SPIN//; s/CAST\.64/CAST/' | tr '\n' ' ' | sed 's/ $//'
}

expected="shared memory: int ATOMS.ADD, long ATOMS.CAST, float ATOMS.CAST, double ATOMS.CAST; "
expected+="global: int RED.ADD, long RED.ADD.64, float RED.ADD.F32.FTZ, double RED.ADD.F64; one address: "
expected+="int REDUX.SUM RED.ADD, long RED.ADD.64, float RED.ADD.F32.FTZ, double RED.ADD.F64; the loop adds by FADD"
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -ftz=false -o "$folder/code.cubin" "$folder/bins.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for place in shared global one; do
    seen+=$(case $place in shared) echo "shared memory:" ;; global) echo "; global:" ;; one) echo "; one address:" ;; esac)
    for type in int long float double; do
      seen+=" $type $(found "${place}_$type" 'ATOMS|REDG?|REDUX'),"
    done
    seen=${seen%,}
  done
  seen+="; the loop adds by $(found shared_float FADD)"
  echo "$architecture: $seen"
  if [ "$seen" != "$expected" ]; then
    echo "changed: atomic additions are other instructions" >&2
    exit 1
  fi
done
