// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/blas.h"

#include <omp.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

// Sets a variable that the user left open, while it lives: other programs that this one starts have
// their own OpenBLAS.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value)
      : name_(name), is_set_(std::getenv(name) == nullptr && setenv(name, value.c_str(), 1) == 0) {}
  ~ScopedVariable() {
    if (is_set_) unsetenv(name_);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  bool is_set_;
};

std::string better_core(const Blas& functions) {
#if defined(__x86_64__)
  // OpenBLAS's x86-64 cores without AVX2.
  constexpr std::array<std::string_view, 10> kOld{
      "Katmai", "Coppermine", "Northwood",  "Prescott", "Banias",
      "Core2",  "Penryn",     "Dunnington", "Nehalem",  "Sandybridge"};
  const std::string_view core = functions.openblas_get_corename();
  if (std::find(kOld.begin(), kOld.end(), core) == kOld.end()) return "";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return "";
}

// Makes OpenBLAS choose again. No header declares what its constructor calls, and an OpenBLAS that
// was built for one processor (without DYNAMIC_ARCH) lacks it and keeps its kernels.
void choose_core(const SharedLibrary& library, const Blas& functions) {
  const std::string core = better_core(functions);
  if (core.empty()) return;
  const ScopedVariable variable("OPENBLAS_CORETYPE", core);
  void (*quit)() = nullptr;
  void (*init)() = nullptr;
  try {
    library.bind("gotoblas_dynamic_quit", quit);
    library.bind("gotoblas_dynamic_init", init);
  } catch (const MissingLibrary&) {
    return;
  }
  quit();
  init();
}

// Whether there is a limit (ulimit -v).
bool has_few_addresses() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool are_free(size_t bytes) {
  void* const addresses =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return addresses != MAP_FAILED && munmap(addresses, bytes) == 0;
}

// Each thread that computes takes a buffer, which stays for the next. Where there are no addresses
// for it OpenBLAS asks again for ever, so all are taken while it can be refused.
void take_buffers(const SharedLibrary& library) {
  constexpr size_t kBufferBytes = size_t{128} << 20;  // BUFFER_SIZE of its headers
  const auto threads = static_cast<size_t>(omp_get_max_threads());
  if (!are_free((threads + 1) * kBufferBytes))
    throw MissingLibrary("OpenBLAS needs 128 MiB of addresses for each of " +
                         std::to_string(threads) +
                         " threads; set OMP_NUM_THREADS to fewer, or raise ulimit -v");
  void* (*allocate)(int) = nullptr;
  void (*release)(void*) = nullptr;
  try {
    library.bind("blas_memory_alloc", allocate);
    library.bind("blas_memory_free", release);
  } catch (const MissingLibrary&) {
    return;  // that of Python's packages hides them
  }
  std::vector<void*> buffers(threads);
  for (void*& buffer : buffers) buffer = allocate(0);
  for (void* const buffer : buffers) release(buffer);
}

SharedLibrary open_blas() {
  const ScopedVariable threads("OPENBLAS_NUM_THREADS", "1");
  try {
    std::vector<std::string> folders = python_package_folders();
    folders.emplace_back(ALSBENCH_OPENBLAS_DIR);
    return SharedLibrary(ALSBENCH_OPENBLAS, folders);
  } catch (const MissingLibrary& error) {
    throw MissingLibrary(
        std::string("this needs OpenBLAS (") + ALSBENCH_OPENBLAS + "): " + error.what() +
        "; install it (Debian: libopenblas0), or name its folder in LD_LIBRARY_PATH");
  }
}

Blas loaded_blas() {
  const SharedLibrary library = open_blas();
  Blas functions;
#define ALSBENCH_BIND(name) library.bind(ALSBENCH_OPENBLAS_PREFIX #name, functions.name);
  ALSBENCH_BLAS_FUNCTIONS(ALSBENCH_BIND)
#undef ALSBENCH_BIND
  choose_core(library, functions);
  if (has_few_addresses()) take_buffers(library);
  return functions;
}

}  // namespace

const Blas& blas() {
  static const Blas loaded = loaded_blas();
  return loaded;
}

std::string blas_config() { return blas().openblas_get_config(); }

std::string blas_core() { return blas().openblas_get_corename(); }

std::string better_blas_core() { return better_core(blas()); }

std::string built_blas_version() { return "OpenBLAS " ALSBENCH_OPENBLAS_VERSION; }

}  // namespace alsbench
