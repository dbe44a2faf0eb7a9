// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/kernel_code_hash.h"

#include "harness/device/cuda_backend.h"
#include "harness/files/hash.h"
#include "harness/record/provenance.h"

namespace alsbench {
namespace {

// Of custom kernels, their folder's files; else the program's own sources.
std::string host_code_of(std::string_view stage) {
  for (const KernelsProvenance& kernels : provenance().kernels)
    if (kernels.name == stage) return kernels.hash;
  return host_code_hash();
}

void add_host_code(Fnv1a128& hash, const Variant& variant) {
  hash.add_field(host_code_of(name_of(variant.stage)));
  const Backend backend = variant.backend;
  if (backend != Backend::cuda) return;
  const CudaVersions versions = cuda_versions();
  hash.add_field(versions.cublas).add_field(versions.cusolver).add_field(versions.cusparse);
}

}  // namespace

std::optional<std::string> code_hash_of_steps(const std::vector<PipelineStep>& steps,
                                              const Shape& shape, const DeviceTraits& traits) {
  const bool cuda = traits.backend == Backend::cuda;
  if (cuda && !cuda_built()) return std::nullopt;
  Fnv1a128 hash;
  std::vector<CompileRequest> requests;
  for (const PipelineStep& step : steps) {
    hash.add_field(text_of(step));
    if (!step.variant->plan) {
      add_host_code(hash, *step.variant);
      continue;
    }
    const auto kernels =
        requests_of(step.variant->plan(step.config, shape, traits), traits.architecture);
    requests.insert(requests.end(), kernels.begin(), kernels.end());
  }
  for (const CompileResult& result : compile_all(requests)) {
    if (!result.error.empty()) return std::nullopt;
    hash.add_field(result.kernel.code_hash);
  }
  return hash.hex();
}

}  // namespace alsbench
