#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# #pragma unroll and #pragma unroll 4 unroll a loop of unknown length less than no pragma at all: by 4 in place of 16.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: a sum over p[0] to p[n - 1] has 16 loads in its main loop where nothing is said, on all architectures, and 4 with
#   the pragma on sm_80 and sm_90. From sm_100 on, where nvcc has another compiler, the pragma changes nothing. "unroll 4"
#   gives 4 everywhere. Up to sm_90 an index of 64 bits has 4 as well. A loop with a step of blockDim.x, as most loops over
#   the elements of a block have it, is not unrolled, with the bare pragma or without. With a step of 256 it is, and with
#   "unroll 4" it is for any step.
# Likely guess: loops of unknown length stay as they are unless a pragma asks, and the pragma never takes away. A tuner's
#   unroll factors of 1, 2 and 4 then all unroll less than the kernel had before. Right: make the loop without a pragma a
#   point of its own, and count the loads in the machine code.
# Output seen: loads in the main loop, sm_80 and sm_90 alike: plain 16, unroll 4, unroll_4 4, unroll_2 2, long_index 4, step_256 16,
#   step_256_unroll 4, step 1, step_unroll 1, step_unroll_4 4; sm_100 and sm_120 alike: plain 16, unroll 16, unroll_4 4,
#   unroll_2 2, long_index 16, step_256 16, step_256_unroll 16, step 1, step_unroll 1, step_unroll_4 4
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
#define SUM(NAME, LOOP)                                                                             \
  extern "C" __global__ void NAME(const float* __restrict__ p, float* sums, int n, long long m) {   \
    float sum = 0;                                                                                  \
    LOOP sum += p[i];                                                                               \
    sums[threadIdx.x] = sum;                                                                        \
  }
#define UNROLL _Pragma("unroll")
#define UNROLL_2 _Pragma("unroll 2")
#define UNROLL_4 _Pragma("unroll 4")
#define STEP(DISTANCE) for (int i = threadIdx.x; i < n; i += DISTANCE)
SUM(plain, for (int i = 0; i < n; i++))
SUM(unroll, UNROLL for (int i = 0; i < n; i++))
SUM(unroll_4, UNROLL_4 for (int i = 0; i < n; i++))
SUM(unroll_2, UNROLL_2 for (int i = 0; i < n; i++))
SUM(long_index, for (long long i = 0; i < m; i++))
SUM(step_256, STEP(256))
SUM(step_256_unroll, UNROLL STEP(256))
SUM(step, STEP(blockDim.x))
SUM(step_unroll, UNROLL STEP(blockDim.x))
SUM(step_unroll_4, UNROLL_4 STEP(blockDim.x))
CU

expected="plain 16, unroll 4, unroll_4 4, unroll_2 2, long_index 4, step_256 16, step_256_unroll 4, step 1, step_unroll 1, step_unroll_4 4"
of_blackwell="plain 16, unroll 16, unroll_4 4, unroll_2 2, long_index 16, step_256 16, step_256_unroll 16, step 1, step_unroll 1, step_unroll_4 4"
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/sums.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in plain unroll unroll_4 unroll_2 long_index step_256 step_256_unroll step step_unroll step_unroll_4; do
    # The most loads between a label and a branch back to it or to a label before.
    loads=$(awk -v start=".text.$kernel:" '
      /^\.text\./ { inside = $1 == start }
      !inside { next }
      /^\.L_x_/ { count = 0; labels[$1] = 1 }
      /LDG/ { count++ }
      /BRA/ && match($0, /\.L_x_[0-9]+/) {
        if ((substr($0, RSTART, RLENGTH) ":") in labels && count > most) most = count
      }
      END { print most + 0 }' "$folder/code.sass")
    seen+="${seen:+, }$kernel $loads"
  done
  echo "$architecture: $seen"
  if [ "$architecture" = sm_100 ]; then expected=$of_blackwell; fi
  if [ "$seen" != "$expected" ]; then
    echo "changed: loops are unrolled by other factors" >&2
    exit 1
  fi
done
