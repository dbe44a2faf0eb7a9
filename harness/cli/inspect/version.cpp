// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/version.h"

#include <fmt/format.h>

#include "harness/device/built_libraries.h"
#include "harness/record/provenance.h"
#include "kernels/cpu/blas.h"

namespace alsbench {
namespace {

std::string text_or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace

std::string version_text() {
  const BuildProvenance build = build_provenance();
  return fmt::format(
      "alsbench {}\n"
      "commit: {}{}\n"
      "compiler: {}\n"
      "build type: {}\n"
      "CUDA toolkit: {}\n"
      "cuBLAS: {}\n"
      "BLAS: {}",
      build.version, build.git_commit, build.git_dirty ? ", with local changes" : "",
      build.compiler, build.build_type, text_or(build.cuda_toolkit, "none"),
      text_or(built_cublas_version(), "none"), built_blas_version());
}

}  // namespace alsbench
