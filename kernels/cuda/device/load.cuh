// SPDX-License-Identifier: Apache-2.0
// Loads and stores of short vectors with an explicit cache policy. "L1 on" is ld.global.ca, "L1
// off" is ld.global.cg: the policy stands in the source, because compiler flags do not reach all
// loads. The loads are volatile, so no phase or CG step is optimised away.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/shared/types.h"

namespace alsbench {

template <bool kL1>
__device__ __forceinline__ void load_words(uint32_t (&w)[1], const void* p) {
  if constexpr (kL1)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(w[0]) : "l"(p));
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(w[0]) : "l"(p));
}
template <bool kL1>
__device__ __forceinline__ void load_words(uint32_t (&w)[2], const void* p) {
  if constexpr (kL1)
    asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
  else
    asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
}
template <bool kL1>
__device__ __forceinline__ void load_words(uint32_t (&w)[4], const void* p) {
  if constexpr (kL1)
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "l"(p));
  else
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "l"(p));
}

// Brings the line of `p` into L2, and holds no register for it.
__device__ __forceinline__ void prefetch(const void* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}

// 32-bit words that N elements fill (one half fills the low part of a word).
template <typename Element, int N>
constexpr int kWordsOf = N* static_cast<int>(sizeof(Element)) < 4
                             ? 1
                             : N* static_cast<int>(sizeof(Element)) / 4;

// N consecutive elements as they are stored; `p` is aligned to the vector. float: N = 1, 2, 4.
// Half: N = 1, 2, 4, 8.
template <bool kL1, int N, typename Element>
__device__ __forceinline__ void load_raw(uint32_t (&w)[kWordsOf<Element, N>], const Element* p) {
  if constexpr (N * sizeof(Element) >= 4) {
    load_words<kL1>(w, p);
  } else {
    uint16_t bits;
    if constexpr (kL1)
      asm volatile("ld.global.ca.u16 %0, [%1];" : "=h"(bits) : "l"(p));
    else
      asm volatile("ld.global.cg.u16 %0, [%1];" : "=h"(bits) : "l"(p));
    w[0] = bits;
  }
}

// The same elements as floats.
template <typename Element, int N>
__device__ __forceinline__ void expand(float (&out)[N], const uint32_t (&w)[kWordsOf<Element, N>]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    if constexpr (sizeof(Element) == 4)
      out[i] = __uint_as_float(w[i]);
    else
      out[i] = half_to_float(static_cast<uint16_t>(w[i / 2] >> (16 * (i % 2))));
  }
}

template <bool kL1, int N, typename Element>
__device__ __forceinline__ void load_vector(float (&out)[N], const Element* p) {
  uint32_t words[kWordsOf<Element, N>];
  load_raw<kL1, N>(words, p);
  expand<Element>(out, words);
}

// Raw vectors to and from shared memory; the same vectors as load_raw.
template <int N, typename Element>
__device__ __forceinline__ void store_raw(Element* p, const uint32_t (&w)[kWordsOf<Element, N>]) {
  constexpr int kBytes = N * sizeof(Element);
  if constexpr (kBytes == 16)
    *reinterpret_cast<uint4*>(p) = make_uint4(w[0], w[1], w[2], w[3]);
  else if constexpr (kBytes == 8)
    *reinterpret_cast<uint2*>(p) = make_uint2(w[0], w[1]);
  else if constexpr (kBytes == 4)
    *reinterpret_cast<uint32_t*>(p) = w[0];
  else
    *reinterpret_cast<uint16_t*>(p) = static_cast<uint16_t>(w[0]);
}
template <int N, typename Element>
__device__ __forceinline__ void read_raw(uint32_t (&w)[kWordsOf<Element, N>], const Element* p) {
  constexpr int kBytes = N * sizeof(Element);
  if constexpr (kBytes == 16) {
    const uint4 v = *reinterpret_cast<const uint4*>(p);
    w[0] = v.x, w[1] = v.y, w[2] = v.z, w[3] = v.w;
  } else if constexpr (kBytes == 8) {
    const uint2 v = *reinterpret_cast<const uint2*>(p);
    w[0] = v.x, w[1] = v.y;
  } else if constexpr (kBytes == 4) {
    w[0] = *reinterpret_cast<const uint32_t*>(p);
  } else {
    w[0] = *reinterpret_cast<const uint16_t*>(p);
  }
}

// Data that is read once by one thread: indices and ratings. Through L1, where the neighbours'
// sectors meet.
__device__ __forceinline__ int32_t load_index(const int32_t* p) {
  int32_t value;
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(value) : "l"(p));
  return value;
}

// Starts copying 16 bytes from global to shared memory (cp.async, sm_80 or newer).
template <bool kL1>
__device__ __forceinline__ void copy_async(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
  const uint32_t target = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (kL1)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(target), "l"(global) : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(global) : "memory");
#endif
}
// Ends a group of copies; waits until at most kGroups of the thread's groups are under way.
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int kGroups>
__device__ __forceinline__ void wait_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#endif
}

// A vector of kBytes (2, 4, 8 or 16) that moves unchanged.
template <int kBytes>
struct RawVector;
template <>
struct RawVector<2> {
  using Type = uint16_t;
};
template <>
struct RawVector<4> {
  using Type = uint32_t;
};
template <>
struct RawVector<8> {
  using Type = uint2;
};
template <>
struct RawVector<16> {
  using Type = uint4;
};

// Stores that the cache need not keep: matrices are larger than L2 and read by a later kernel.
__device__ __forceinline__ void store_streaming(uint16_t* p, uint16_t v) { *p = v; }
__device__ __forceinline__ void store_streaming(uint32_t* p, uint32_t v) {
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ void store_streaming(uint2* p, uint2 v) {
  asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(v.x), "r"(v.y) : "memory");
}
__device__ __forceinline__ void store_streaming(uint4* p, uint4 v) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

// N floats to consecutive elements of the storage type; `p` is aligned to the vector. N = 1, 2, 4,
// and 8 of halves.
template <int N>
__device__ __forceinline__ void store_vector(float* p, const float (&v)[N]) {
  if constexpr (N == 4)
    *reinterpret_cast<float4*>(p) = make_float4(v[0], v[1], v[2], v[3]);
  else if constexpr (N == 2)
    *reinterpret_cast<float2*>(p) = make_float2(v[0], v[1]);
  else
    *p = v[0];
}
template <int N>
__device__ __forceinline__ void store_vector(Half* p, const float (&v)[N]) {
  if constexpr (N == 8)
    *reinterpret_cast<uint4*>(p) = make_uint4(pack_halves(v[0], v[1]), pack_halves(v[2], v[3]),
                                              pack_halves(v[4], v[5]), pack_halves(v[6], v[7]));
  else if constexpr (N == 4)
    *reinterpret_cast<uint2*>(p) = make_uint2(pack_halves(v[0], v[1]), pack_halves(v[2], v[3]));
  else if constexpr (N == 2)
    *reinterpret_cast<uint32_t*>(p) = pack_halves(v[0], v[1]);
  else
    p->bits = float_to_half(v[0]);
}

}  // namespace alsbench
