// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/version.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/device/cuda_backend.h"
#include "harness/record/provenance.h"
#include "kernels/cpu/blas_core.h"

namespace alsbench {
namespace {

std::string text_or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace

std::string version_text() {
  const Json build = build_provenance();
  const auto text = [&](const char* key) { return build.at(key).get<std::string>(); };
  const bool dirty = build.at("git_dirty").get<bool>();
  const CudaVersions cuda = cuda_versions();
  return fmt::format(
      "alsbench {}\n"
      "commit: {}{}\n"
      "compiler: {}\n"
      "build type: {}\n"
      "CUDA toolkit: {}\n"
      "cuBLAS: {}\n"
      "BLAS: {}\n"
      "Google Benchmark: {}",
      text("version"), text("git_commit"), dirty ? ", with local changes" : "", text("compiler"),
      text("build_type"), build.at("cuda_toolkit").is_null() ? "none" : text("cuda_toolkit"),
      text_or(cuda.cublas, "none"), blas_config(), google_benchmark_version());
}

}  // namespace alsbench
