// How the CPU backend spreads rows over threads; every stage of kernels/cpu includes it.
#pragma once

#include <omp.h>

#include <cstdint>
#include <functional>

namespace alsbench {

// What a CPU kernel gets beside its params.
struct CpuResources {
  int threads = 1;
  // As RunContext::scratch: memory kept between runs.
  std::function<void*(int slot, int64_t bytes)> scratch;

  // `floats` per thread, each thread's part on cache lines of its own.
  float* thread_scratch(int64_t floats) const {
    return static_cast<float*>(
        scratch(0, static_cast<int64_t>(sizeof(float)) * padded(floats) * threads));
  }
  static int64_t padded(int64_t floats) { return (floats + 15) / 16 * 16; }
};

inline int cpu_threads(int requested) { return requested > 0 ? requested : omp_get_max_threads(); }

// body(row, thread) for every row; rows are taken `grain` at a time, since their lengths differ.
template <class Body>
void parallel_rows(int64_t rows, int threads, const Body& body, int grain = 8) {
#pragma omp parallel for schedule(dynamic, grain) num_threads(threads)
  for (int64_t row = 0; row < rows; ++row) body(row, omp_get_thread_num());
}

}  // namespace alsbench
