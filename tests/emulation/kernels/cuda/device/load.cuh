// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "kernels/cuda/device/element.cuh"

namespace alsbench {

inline int32_t load_index(const int32_t* p) { return *p; }

inline void prefetch(const void*) {}

template <bool kL1, int N>
void load_words(uint32_t (&w)[N], const void* p) {
  std::memcpy(w, p, sizeof(w));
}

template <bool kL1>
void copy_async(void* shared, const void* global) {
  emulation::copy_async(shared, global, 16);
}
inline void commit_copies() { emulation::commit_copies(); }
template <int kGroups>
void wait_copies() {
  emulation::wait_copies(kGroups);
}

template <typename Element, int N>
constexpr int kWordsOf = N* static_cast<int>(sizeof(Element)) < 4
                             ? 1
                             : N* static_cast<int>(sizeof(Element)) / 4;

template <bool kL1, int N, typename Element>
void load_raw(uint32_t (&w)[kWordsOf<Element, N>], const Element* p) {
  std::memcpy(w, p, N * sizeof(Element));
}
template <typename Element, int N>
void expand(float (&out)[N], const uint32_t (&w)[kWordsOf<Element, N>]) {
  for (int i = 0; i < N; ++i)
    out[i] = sizeof(Element) == 4
                 ? __uint_as_float(w[i])
                 : half_to_float(static_cast<uint16_t>(w[i / 2] >> (16 * (i % 2))));
}
template <bool kL1, int N, typename Element>
void load_vector(float (&out)[N], const Element* p) {
  uint32_t words[kWordsOf<Element, N>];
  load_raw<kL1, N>(words, p);
  expand<Element>(out, words);
}
template <int N>
void store_vector(float* p, const float (&v)[N]) {
  std::copy_n(v, N, p);
}
template <int N>
void store_vector(Half* p, const float (&v)[N]) {
  for (int i = 0; i < N; ++i) p[i].bits = float_to_half(v[i]);
}

template <int kBytes>
struct RawVector {
  struct Type {
    char bytes[kBytes];
  };
};
template <typename T>
void store_streaming(T* p, T value) {
  *p = value;
}

}  // namespace alsbench
