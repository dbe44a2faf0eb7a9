// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/default_kernels.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "harness/cli/inspect/default_shape.h"
#include "harness/device/cuda_backend.h"
#include "harness/tune/database/tuning_database.h"
#include "variants/catalog.h"
#include "variants/default_pipeline.h"
#include "variants/pipeline.h"

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

// Rows whose lengths are lognormal, as those of public sets of ratings are, about this median.
Shape shape_of_rows(int64_t median, int32_t rank, int32_t distinct_ratings) {
  constexpr double kSigma = 1.25;
  // of the standard normal distribution, at the quantiles of a shape; the first and last of 100,000
  constexpr std::array<double, 7> kNormal{-4.3, -0.674, 0, 0.674, 1.282, 2.326, 4.3};
  Shape shape{.rows = 100'000, .cols = 50'000, .rank = rank};
  for (size_t i = 0; i < kNormal.size(); ++i)
    shape.row_length_quantiles[i] = std::clamp<int64_t>(
        std::llround(static_cast<double>(median) * std::exp(kSigma * kNormal[i])), 1, shape.cols);
  const double mean = static_cast<double>(median) * std::exp(kSigma * kSigma / 2);
  shape.nnz = static_cast<int64_t>(mean * static_cast<double>(shape.rows));
  shape.distinct_ratings = distinct_ratings;
  shape.damping = 0.02;
  return shape;
}

// The kernels of pipelines that were tuned at these ranks for devices of that architecture.
void add_tuned(std::vector<CompileRequest>& requests, const DeviceTraits& traits,
               const std::vector<int32_t>& ranks) {
  const TuningDatabase shipped = TuningDatabase::shipped();
  for (const TunedEntry& entry : shipped.entries()) {
    if (entry.what != kWholePipeline || entry.device.backend != traits.backend ||
        entry.device.architecture != traits.architecture ||
        std::find(ranks.begin(), ranks.end(), entry.shape.rank) == ranks.end())
      continue;
    try {
      for (const PipelineStep& step : steps_of(entry.pick, entry.device.backend))
        add_requests(requests, *step.variant, step.config, entry.shape, entry.device);
    } catch (const UsageError&) {
      // of a variant or a value that is gone: no look-up serves it
    }
  }
}

bool is_chosen(const std::vector<std::string>& stages, std::string_view stage) {
  return stages.empty() || std::find(stages.begin(), stages.end(), stage) != stages.end();
}

std::set<Stage> stages_of_pipelines() {
  std::set<Stage> stages;
  for (const PipelineGrammar* grammar : all_grammars())
    for (const std::vector<Stage>& form : grammar->forms) stages.insert(form.begin(), form.end());
  return stages;
}

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

DefaultKernels compile_defaults(const DefaultsRequest& request, const KnownKernels& known,
                                int jobs) {
  const auto& [arch, ranks, stages] = request;
  DefaultLaunches launches(arch, ranks);
  for (const Variant& variant : catalog())
    if (variant.plan && !variant.hidden && is_chosen(stages, variant.stage->name))
      for (const int32_t rank : ranks)
        launches.add("", {&variant, variant.space.default_config()}, rank);
  if (!stages.empty()) return launches.compile(known, jobs);
  for (const PipelineGrammar* grammar : all_grammars())
    for (const int32_t rank : ranks) {
      if (!has_pipelines(*grammar, Backend::cuda)) continue;
      for (const PipelineStep& step :
           default_pipeline(*grammar, netflix_shape(rank), launches.traits()).steps)
        if (step.variant->plan) launches.add("default/", step, rank);
    }
  return launches.compile(known, jobs);
}

std::vector<CompileRequest> packed_kernels(const DeviceTraits& traits,
                                           const std::vector<int32_t>& ranks) {
  std::vector<CompileRequest> requests = device_kernels(traits.architecture);
  add_tuned(requests, traits, ranks);
  const std::set<Stage> of_pipelines = stages_of_pipelines();
  for (const int32_t rank : ranks) {
    for (const int64_t median : {4, 16, 64, 128, 512})
      for (const int32_t distinct_ratings : {0, 10}) {
        const Shape shape = shape_of_rows(median, rank, distinct_ratings);
        for (const PipelineGrammar* grammar : all_grammars()) {
          if (!has_pipelines(*grammar, traits.backend)) continue;
          for (const PipelineStep& step : default_pipeline(*grammar, shape, traits).steps)
            add_requests(requests, *step.variant, step.config, shape, traits);
        }
      }
    const Shape shape = shape_of_rows(64, rank, 0);
    for (const Variant& variant : catalog())
      if (variant.plan && !variant.hidden && !variant.stage->ceiling &&
          !of_pipelines.contains(variant.stage))
        add_requests(requests, variant, variant.space.default_config(), shape, traits);
  }
  return requests;
}

}  // namespace alsbench
