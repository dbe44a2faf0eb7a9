// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/packed_kernels.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/device/cuda_backend.h"
#include "variants/catalog.h"
#include "variants/default_pipeline.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

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

std::set<Stage> stages_of_pipelines() {
  std::set<Stage> stages;
  for (const PipelineGrammar* grammar : all_grammars())
    for (const std::vector<Stage>& form : grammar->forms) stages.insert(form.begin(), form.end());
  return stages;
}

}  // namespace

std::vector<CompileRequest> packed_kernels(const DeviceTraits& traits,
                                           const std::vector<int32_t>& ranks) {
  std::vector<CompileRequest> requests = device_kernels(traits.architecture);
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
