// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/default_kernels.h"

#include <utility>

#include "harness/cli/inspect/default_shape.h"
#include "harness/device/nvrtc_release.h"
#include "variants/catalog.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

// The kernels of one baseline, compiled together once all are known.
class DefaultLaunches {
 public:
  DefaultLaunches(const std::string& arch, const std::vector<int32_t>& ranks)
      : traits_(traits_of_architecture(parse_architecture(arch))),
        baseline_{arch, "nvrtc " + nvrtc_release(), ranks, {}} {
    check_compilable(traits_.architecture);
  }

  const DeviceTraits& traits() const { return traits_; }

  // The launches of a configuration at a rank. The prefix tells a default pipeline's from those of
  // the variant's own default.
  void add(const std::string& prefix, const PipelineStep& step, int32_t rank) {
    const auto& [variant, config] = step;
    const Shape shape = default_shape(variant->stage, rank);
    StaticKernel kernel{prefix + variant->id(), config, rank};
    if (const auto objection = objection_of(*variant, config, shape, traits_)) {
      kernel.outcome = Outcome::skipped;
      kernel.detail = *objection;
      baseline_.kernels.push_back(kernel);
      return;
    }
    for (const KernelLaunch& launch : variant->plan(config, shape, traits_).launches) {
      launches_.emplace_back(baseline_.kernels.size(), launch);
      requests_.push_back({launch.source, launch.instance, traits_.architecture, false});
      baseline_.kernels.push_back(kernel);
      ++kernel.launch;
    }
  }

  DefaultKernels compile(const KnownKernels& known, int jobs) {
    const std::vector<std::string> hashes = source_hashes(requests_);
    std::vector<CompileRequest> requests;
    std::vector<size_t> requested;
    for (size_t i = 0; i < requests_.size(); ++i) {
      const auto found = known.find(hashes[i]);
      baseline_.kernels[launches_[i].first].source_hash = hashes[i];
      if (found != known.end()) {
        set_result(i, {found->second, ""});
        continue;
      }
      requests.push_back(requests_[i]);
      requested.push_back(i);
    }
    const auto results = compile_all(requests, jobs);
    for (size_t i = 0; i < results.size(); ++i) set_result(requested[i], results[i]);
    return {std::move(baseline_), requests.size(), requests_.size() - requests.size()};
  }

 private:
  void set_result(size_t index, const CompileResult& result) {
    StaticKernel& kernel = baseline_.kernels[launches_[index].first];
    kernel.outcome = result.error.empty() ? Outcome::ok : Outcome::compile_error;
    kernel.detail = result.error;
    if (kernel.detail.empty())
      kernel.report = {report_of(result.kernel, launches_[index].second, traits_)};
  }

  DeviceTraits traits_;
  StaticBaseline baseline_;
  std::vector<CompileRequest> requests_;
  std::vector<std::pair<size_t, KernelLaunch>> launches_;  // index in the baseline's kernels
};

}  // namespace

KnownKernels known_kernels(const StaticBaseline& base) {
  KnownKernels known;
  for (const StaticKernel& of : base.kernels) {
    if (of.source_hash.empty() || !of.report) continue;
    const KernelReport& report = *of.report;
    CompiledKernel& kernel = known[of.source_hash];
    kernel.registers = report.registers;
    kernel.spill_store_bytes = report.spill_store_bytes;
    kernel.spill_load_bytes = report.spill_load_bytes;
    kernel.stack_bytes = report.stack_bytes;
    kernel.static_shared_bytes = report.static_shared_bytes;
    kernel.code_hash = report.code_hash;
  }
  return known;
}

DefaultKernels compile_defaults(const std::string& arch, const std::vector<int32_t>& ranks,
                                const KnownKernels& known, int jobs) {
  DefaultLaunches launches(arch, ranks);
  for (const Variant& variant : catalog())
    if (variant.plan && !variant.hidden)
      for (const int32_t rank : ranks)
        launches.add("", {&variant, variant.space.default_config()}, rank);
  for (const PipelineGrammar* grammar : all_grammars())
    for (const int32_t rank : ranks) {
      if (!has_pipelines(*grammar, Backend::cuda)) continue;
      for (const PipelineStep& step :
           default_pipeline(*grammar, netflix_shape(rank), launches.traits()).steps)
        if (step.variant->plan) launches.add("default/", step, rank);
    }
  return launches.compile(known, jobs);
}

}  // namespace alsbench
