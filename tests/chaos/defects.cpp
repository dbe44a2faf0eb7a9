// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/defects.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <thread>
#include <vector>

namespace alsbench {
namespace {

int recurse(volatile int* depth) {
  volatile char frame[4096];
  frame[*depth & 4095] = 1;
  *depth = *depth + 1;
  if (*depth == std::numeric_limits<int>::max()) return 0;
  return recurse(depth) + frame[0];
}

void leak() {
  constexpr size_t kBytes = size_t{16} << 20;
  auto* lost = static_cast<volatile char*>(std::malloc(kBytes));
  for (size_t i = 0; lost != nullptr && i < kBytes; i += 4096) lost[i] = 1;
}

// The output of the first execution once more.
void replay(const UpdateParams& params) {
  static std::vector<char> first;
  const int32_t rank = params.factors.rank;
  const auto bytes = static_cast<size_t>(params.row_count * rank * rank) * sizeof(float);
  if (first.size() < bytes)
    first.assign(static_cast<char*>(params.matrices), static_cast<char*>(params.matrices) + bytes);
  std::memcpy(params.matrices, first.data(), bytes);
}

}  // namespace

void commit_defect(std::string_view defect, const UpdateParams& params) {
  float* matrices = static_cast<float*>(params.matrices);
  // last words, for the log of the row
  std::fprintf(stderr, "chaos: %.*s\n", static_cast<int>(defect.size()), defect.data());
  if (defect == "segfault") std::raise(SIGSEGV);
  if (defect == "abort") std::abort();
  if (defect == "exit") _exit(0);
  if (defect == "stack_overflow") {
    volatile int depth = 0;
    matrices[0] = static_cast<float>(recurse(&depth));
  }
  if (defect == "infinite_loop")
    while (true) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (defect == "wrong") matrices[0] += 1 + matrices[0];
  if (defect == "nan") matrices[0] = std::numeric_limits<float>::quiet_NaN();
  if (defect == "oom") throw std::bad_alloc();
  if (defect == "leak") leak();
  if (defect == "replay") replay(params);
  if (defect == "beyond")
    matrices[params.row_count * params.factors.rank * params.factors.rank] = 1;
  if (defect == "junk") {
    std::fputs("{\"not\": \"the protocol\"}\n\x01\xff junk on stdout\n", stdout);
    std::fflush(stdout);
  }
}

}  // namespace alsbench
