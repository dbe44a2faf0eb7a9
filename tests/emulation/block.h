// SPDX-License-Identifier: Apache-2.0
// A block of threads on the CPU: fibers that take turns, so the project's device code runs, and can
// be held against the reference, without a GPU. Asynchronous copies happen as late as their waits
// allow, and threads take turns in either order: a wait too late or a missing __syncthreads shows.
// A missing __syncwarp may not, since exchanges between lanes order memory here, too; that is the
// sanitizer's to find (tests/gpu). Headers with PTX have stand-ins in tests/emulation/kernels,
// which comes first among the include folders.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ thread_local  // one thread, whose fibers share it

struct float2 {
  float x, y;
};
struct float4 {
  float x, y, z, w;
};
struct uint2 {
  uint32_t x, y;
};
struct uint4 {
  uint32_t x, y, z, w;
};
struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

constexpr int kEmulatedSharedBytes = 1 << 18;
namespace alsbench {  // dynamic shared memory, as kernels declare it
alignas(16) inline thread_local float4 shared_memory[kEmulatedSharedBytes / sizeof(float4)];
}

inline Index3 blockIdx, blockDim, gridDim;

namespace emulation {

// Runs `kernel` as a grid, block by block, of `threads` threads, a multiple of 32; shared memory
// begins as NaN. `reversed`: the last thread takes the first turn.
void launch(unsigned blocks, int threads, bool reversed, const std::function<void()>& kernel);

int thread();
inline int lane() { return thread() % 32; }
void sync_warp();
void sync_block();
void yield();  // another thread's turn

// Every lane of a warp gives up to 8 words and sees those of all lanes, until its next but one
// call.
using Words = uint32_t[32][8];
const Words& share(const uint32_t* words, int count);
inline uint32_t exchange(uint32_t value, int from) { return share(&value, 1)[from & 31][0]; }

// cp.async (zeros where source is null), commit and wait of the thread that calls.
void copy_async(void* target, const void* source, size_t bytes);
void commit_copies();
void wait_copies(int max_groups);

inline char* shared() { return reinterpret_cast<char*>(alsbench::shared_memory); }

struct ThreadIndex {
  struct X {
    operator unsigned() const { return static_cast<unsigned>(thread()); }
  } x;
};

}  // namespace emulation

inline emulation::ThreadIndex threadIdx;

inline uint32_t __float_as_uint(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline float __uint_as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline int __float_as_int(float value) { return static_cast<int>(__float_as_uint(value)); }
inline float __int_as_float(int bits) { return __uint_as_float(static_cast<uint32_t>(bits)); }
inline float rsqrtf(float value) { return 1 / std::sqrt(value); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline int __clz(int value) { return std::countl_zero(static_cast<uint32_t>(value)); }
inline void __syncwarp() { emulation::sync_warp(); }
inline void __syncthreads() { emulation::sync_block(); }
inline int __shfl_sync(unsigned, int value, int from) {
  return static_cast<int>(emulation::exchange(static_cast<uint32_t>(value), from));
}
inline uint32_t __shfl_sync(unsigned, uint32_t value, int from) {
  return emulation::exchange(value, from);
}
inline float __shfl_sync(unsigned, float value, int from) {
  return __uint_as_float(emulation::exchange(__float_as_uint(value), from));
}
inline float __shfl_xor_sync(unsigned, float value, int mask) {
  return __uint_as_float(emulation::exchange(__float_as_uint(value), emulation::lane() ^ mask));
}
inline int __shfl_xor_sync(unsigned, int value, int mask) {
  return static_cast<int>(
      emulation::exchange(static_cast<uint32_t>(value), emulation::lane() ^ mask));
}
inline uint64_t __shfl_xor_sync(unsigned, uint64_t value, int mask) {
  const uint32_t own[2] = {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
  const auto& other = emulation::share(own, 2)[emulation::lane() ^ mask];
  return other[0] | static_cast<uint64_t>(other[1]) << 32;
}
inline uint32_t __reduce_max_sync(unsigned, uint32_t value) {
  const emulation::Words& all = emulation::share(&value, 1);
  for (int from = 0; from < 32; ++from) value = std::max(value, all[from][0]);
  return value;
}
inline uint32_t __reduce_min_sync(unsigned, uint32_t value) {
  const emulation::Words& all = emulation::share(&value, 1);
  for (int from = 0; from < 32; ++from) value = std::min(value, all[from][0]);
  return value;
}
inline int __reduce_add_sync(unsigned, int value) {
  const auto own = static_cast<uint32_t>(value);
  const emulation::Words& all = emulation::share(&own, 1);
  value = 0;
  for (int from = 0; from < 32; ++from) value += static_cast<int>(all[from][0]);
  return value;
}
inline uint32_t __ballot_sync(unsigned, bool value) {
  const uint32_t own = value ? 1 : 0;
  const emulation::Words& all = emulation::share(&own, 1);
  uint32_t lanes = 0;
  for (int from = 0; from < 32; ++from) lanes |= all[from][0] << from;
  return lanes;
}
inline int __popc(uint32_t value) { return std::popcount(value); }
template <typename Integer>
Integer atomicAdd(Integer* p, Integer value) {
  const Integer old = *p;
  *p += value;
  return old;
}
inline uint32_t atomicOr(uint32_t* p, uint32_t value) {
  const uint32_t old = *p;
  *p |= value;
  return old;
}
inline uint32_t atomicMax(uint32_t* p, uint32_t value) {
  const uint32_t old = *p;
  *p = std::max(old, value);
  return old;
}
inline float __ldcg(const float* p) { return *p; }
inline float2 __ldcs(const float2* p) { return *p; }
inline float __fdividef(float a, float b) { return a / b; }
