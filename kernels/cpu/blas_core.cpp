// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/blas_core.h"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

// What OpenBLAS's constructor calls; no header declares them, and an OpenBLAS that was built for
// one processor (without DYNAMIC_ARCH) lacks them.
extern "C" {
void gotoblas_dynamic_init() __attribute__((weak));
void gotoblas_dynamic_quit() __attribute__((weak));
}

namespace alsbench {

std::string blas_config() { return openblas_get_config(); }

std::string blas_core() { return openblas_get_corename(); }

std::string better_blas_core() {
#if defined(__x86_64__)
  // OpenBLAS's x86-64 cores without AVX2.
  constexpr std::array<std::string_view, 10> kOld{
      "Katmai", "Coppermine", "Northwood",  "Prescott", "Banias",
      "Core2",  "Penryn",     "Dunnington", "Nehalem",  "Sandybridge"};
  if (std::find(kOld.begin(), kOld.end(), blas_core()) == kOld.end()) return "";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return "";
}

void choose_blas_core_again() {
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
}

}  // namespace alsbench
