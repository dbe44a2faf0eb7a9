#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shuffles of a cooperative group of 16, 8 or 4 threads have a MATCH and a REDUX before them, and those of 32 have nothing.
#
# Versions: nvcc and ptxas 13.0.88, nvdisasm 13.2.51, all from PyPI; sm_80, sm_90, sm_100, sm_120; no GPU.
# Behaviour: a tile's mask depends on the lane, so the threads of a warp give shuffles different masks, and ptxas checks at run
#   time whether each is whole: it compares them over the warp (MATCH.ANY), and keeps a second copy of the shuffles for warps that
#   are not. On sm_80 it does so before each shuffle, later once for a sum. __shfl_xor_sync with a mask of the own
#   tile has it, too. A mask of all lanes has none of it, and gives the same sums where all lanes come there.
# Likely guess: tiled_partition is known when the kernel is compiled and costs nothing, and a smaller mask asks less of the
#   warp; sums of rows in half a warp are shorter by one shuffle. Right: __shfl_xor_sync(0xffffffff, ...) with distances
#   below the size of the tile, where the whole warp takes part.
# Output seen: MATCH, REDUX and SHFL: sm_80: tile_32 0 0 5, tile_16 4 4 5, tile_8 3 3 4, tile_4 2 2 3, reduce_32 0 0 5,
#   reduce_16 4 4 5, own_mask_16 2 2 5, all_lanes_16 0 0 4; sm_90, sm_100 and sm_120 alike: tile_32 0 0 5, tile_16 1 1 8, tile_8
#   1 1 6, tile_4 1 1 4, reduce_32 0 0 5, reduce_16 1 1 8, own_mask_16 1 1 8, all_lanes_16 0 0 4
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
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
// Each thread gets the sum over its tile of kThreads.
template <int kThreads>
__device__ __forceinline__ float of_tile(float value) {
  const auto tile = cg::tiled_partition<kThreads>(cg::this_thread_block());
#pragma unroll
  for (int distance = kThreads / 2; distance > 0; distance /= 2) value += tile.shfl_xor(value, distance);
  return value;
}
template <int kThreads>
__device__ __forceinline__ float of_reduce(float value) {
  return cg::reduce(cg::tiled_partition<kThreads>(cg::this_thread_block()), value, cg::plus<float>());
}
template <int kThreads>
__device__ __forceinline__ float of_mask(float value, unsigned mask) {
#pragma unroll
  for (int distance = kThreads / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(mask, value, distance);
  return value;
}
#define SUM(NAME, RESULT) \
  extern "C" __global__ void NAME(float* values) { values[threadIdx.x] = RESULT; }
SUM(tile_32, of_tile<32>(values[threadIdx.x]))
SUM(tile_16, of_tile<16>(values[threadIdx.x]))
SUM(tile_8, of_tile<8>(values[threadIdx.x]))
SUM(tile_4, of_tile<4>(values[threadIdx.x]))
SUM(reduce_32, of_reduce<32>(values[threadIdx.x]))
SUM(reduce_16, of_reduce<16>(values[threadIdx.x]))
SUM(own_mask_16, of_mask<16>(values[threadIdx.x], 0xffffu << (threadIdx.x & 16)))
SUM(all_lanes_16, of_mask<16>(values[threadIdx.x], 0xffffffffu))
CU

count() { # kernel, instruction
  awk -v start=".text.$1:" -v pattern="[[:space:]]$2[. ]" '
    /^\.text\./ { inside = $1 == start }
    inside && $0 ~ pattern { count++ }
    END { print count + 0 }' "$folder/code.sass"
}

expected="tile_32 0 0 5, tile_16 4 4 5, tile_8 3 3 4, tile_4 2 2 3, reduce_32 0 0 5, reduce_16 4 4 5, own_mask_16 2 2 5, "
later="tile_32 0 0 5, tile_16 1 1 8, tile_8 1 1 6, tile_4 1 1 4, reduce_32 0 0 5, reduce_16 1 1 8, own_mask_16 1 1 8, "
for architecture in sm_80 sm_90 sm_100 sm_120; do
  "$cuda/bin/nvcc" -cubin -arch="$architecture" -o "$folder/code.cubin" "$folder/sums.cu"
  "$cuda/bin/nvdisasm" "$folder/code.cubin" >"$folder/code.sass"
  seen=""
  for kernel in tile_32 tile_16 tile_8 tile_4 reduce_32 reduce_16 own_mask_16 all_lanes_16; do
    seen+="${seen:+, }$kernel $(count "$kernel" MATCH) $(count "$kernel" REDUX) $(count "$kernel" SHFL)"
  done
  echo "$architecture: $seen"
  if [ "$architecture" = sm_90 ]; then expected=$later; fi
  if [ "$seen" != "${expected}all_lanes_16 0 0 4" ]; then
    echo "changed: masks are checked in another way" >&2
    exit 1
  fi
done
