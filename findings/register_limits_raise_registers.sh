#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# -maxrregcount=255 and __launch_bounds__(1024, 1), which limit nothing, take a kernel of 32 registers to 40: half of its blocks.
#
# Versions: nvcc and ptxas 13.0.88 from PyPI, with g++ 12.2; sm_80, sm_90, sm_100; no GPU.
# Behaviour: without a limit ptxas aims at a number of registers of its own, here 32 and 40, below what it would like to use. A
#   limit takes the place of this aim, also the largest that there is, so a kernel takes more until the limit is below the aim.
#   __maxnreg__(64) and a 1 as the second launch bound, which is its default, do the same, and launch bounds with the threads
#   alone do not. With blocks of 32 x 32 threads, 40 registers mean one block on a multiprocessor in place of two.
# Likely guess: a limit is a maximum, so one above what is used changes nothing: 255 stands for "none" in the space of a
#   tuner or in the flags of a build, and a minimum of 1 block asks for what is there in any case. Right: leave the option
#   away as a point of its own, and compare registers and occupancy of each point.
# Output seen: registers of two kernels: sm_90: none 32 40, 255 40 48, 128 40 48, 64 40 48, 40 38 40, 32 32 32, __maxnreg__(64)
#   40 48, __launch_bounds__(1024) 32 46, (1024, 1) 40 48, (256) 32 40, (256, 1) 40 48; sm_100: the same but for 40 36 40 and
#   (1024) 32 42; sm_80: none 31 40, 255 32 48, 128 34 48, 64 34 48, 40 34 40, 32 30 32, __maxnreg__(64) 32 48,
#   __launch_bounds__(1024) 30 48, (1024, 1) 35 48, (256) 31 40, (256, 1) 32 48
#
# Needs g++; run by hand. The compiler is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-cccl==13.0.85
cuda=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
cat >"$folder/products.cu" <<'CU'
// c = a b by blocks of 32 x 32 threads, through shared memory.
extern "C" __global__ void BOUNDS blocks(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float left[32][33], right[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    left[y][x] = a[(blockIdx.y * 32 + y) * n + k + x];
    right[y][x] = b[(k + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    for (int j = 0; j < 32; j++) sum += left[y][j] * right[j][x];
    __syncthreads();
  }
  c[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x] = sum;
}
// 4 x 4 sums a thread, in registers.
extern "C" __global__ void BOUNDS tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  float sums[4][4] = {};
  for (int k = 0; k < n; k++) {
    float x[4], y[4];
    for (int i = 0; i < 4; i++) {
      x[i] = a[k * n + i * 32 + threadIdx.x];
      y[i] = b[k * n + i * 32 + threadIdx.x];
    }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sums[i][j] += x[i] * y[j];
  }
  for (int i = 0; i < 16; i++) c[i * 32 + threadIdx.x] = sums[i / 4][i % 4];
}
CU

used() { # architecture, bounds, flags: registers of blocks and tiles
  sed "s/ BOUNDS / $2 /" "$folder/products.cu" >"$folder/bound.cu"
  "$cuda/bin/nvcc" -cubin -Xptxas -v -arch="$1" "${@:3}" -o "$folder/code.cubin" "$folder/bound.cu" 2>&1 |
    sed -n "s/.*Compiling entry function '\([a-z]*\)'.*/\1/p; s/.*Used \([0-9]*\) registers.*/\1/p" | paste - - | sort | cut -f 2 | paste -s -d ' '
}

of_hopper="none 32 40, 255 40 48, 128 40 48, 64 40 48, 40 38 40, 32 32 32, __maxnreg__(64) 40 48, __launch_bounds__(1024) 32 46, "
of_hopper+="(1024, 1) 40 48, (256) 32 40, (256, 1) 40 48"
for architecture in sm_80 sm_90 sm_100; do
  seen="none $(used "$architecture" "")"
  for limit in 255 128 64 40 32; do
    seen+=", $limit $(used "$architecture" "" -maxrregcount="$limit")"
  done
  seen+=", __maxnreg__(64) $(used "$architecture" "__maxnreg__(64)"), __launch_bounds__"
  for bounds in "(1024)" "(1024, 1)" "(256)" "(256, 1)"; do
    seen+="$bounds $(used "$architecture" "__launch_bounds__$bounds"), "
  done
  seen=${seen%, }
  echo "$architecture: $seen"
  case $architecture in
    sm_80)
      expected="none 31 40, 255 32 48, 128 34 48, 64 34 48, 40 34 40, 32 30 32, __maxnreg__(64) 32 48, "
      expected+="__launch_bounds__(1024) 30 48, (1024, 1) 35 48, (256) 31 40, (256, 1) 32 48"
      ;;
    sm_90) expected=$of_hopper ;;
    *) expected=$(sed 's/40 38 40/40 36 40/; s/(1024) 32 46/(1024) 32 42/' <<<"$of_hopper") ;;
  esac
  if [ "$seen" != "$expected" ]; then
    echo "changed: limits give other registers" >&2
    exit 1
  fi
done
