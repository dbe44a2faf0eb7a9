// SPDX-License-Identifier: Apache-2.0
// Entries, devices and shapes that the tests of the tuning database share.
#pragma once

#include <string>

#include "base/split.h"
#include "harness/tune/database/tuned_entry.h"
#include "harness/tune/database/tuning_database.h"
#include "variants/default_pipeline.h"

namespace alsbench {

inline DeviceTraits gpu(const std::string& name = "NVIDIA H200", int architecture = 90) {
  DeviceTraits traits = traits_of_architecture(architecture);
  traits.name = name;
  return traits;
}

inline Shape shape_of_size(int64_t rows, int64_t cols, int64_t nnz, int32_t rank) {
  const int64_t mean = rows > 0 ? nnz / rows : 0;
  return {rows, cols, nnz, rank, {0, mean / 2, mean, mean, 2 * mean, 4 * mean, 8 * mean}, 0};
}

inline Shape netflix(int32_t rank = 100) { return shape_of_size(480189, 17770, 99072112, rank); }
inline Shape movielens(int32_t rank = 100) { return shape_of_size(138493, 26744, 18000237, rank); }

// The steps of a pipeline's text.
inline std::vector<StepRecord> picked(const std::string& text, Backend backend = Backend::cuda) {
  std::vector<PipelineStep> steps;
  for (const std::string_view step : split(text, "/")) steps.push_back(parse_step(step, backend));
  return records_of(steps);
}
// That text, complete.
inline std::string canonical(const std::string& text) { return text_of(picked(text)); }

inline TunedEntry entry_of(const DeviceTraits& device, const Shape& shape, const std::string& pick,
                           const std::string& what = "hermitian") {
  TunedEntry entry;
  entry.device = device;
  entry.what = what;
  entry.shape = shape;
  entry.data = "a set";
  entry.pick = picked(pick, device.backend);
  entry.default_pick = entry.pick;
  entry.median_seconds = 0.5;
  entry.default_seconds = 1;
  entry.ties = {entry.pick};
  entry.search = {"exhaustive", 0, 60, 12, 7};
  entry.code_hash = "code";
  entry.provenance.time_utc = "2026-01-31T12:00:00Z";
  entry.provenance.git_commit = "abc";
  for (const PipelineStep& step : steps_of(entry.pick, device.backend)) {
    const Storage storage = step.storage();
    if (storage.factors == Scalar::fp16) entry.storage.factors = Scalar::fp16;
    if (storage.matrices == Scalar::fp16) entry.storage.matrices = Scalar::fp16;
  }
  return entry;
}

// Code that has not changed since entry_of().
inline std::optional<std::string> same_code(const std::vector<PipelineStep>&, const Shape&,
                                            const DeviceTraits&) {
  return "code";
}

inline TunedQuery query_for(const DeviceTraits& device, const Shape& shape,
                            const std::string& what = "hermitian") {
  TunedQuery query;
  query.device = device;
  query.shape = shape;
  query.what = what;
  return query;
}

inline std::string text_of(const std::vector<PipelineStep>& steps) {
  return Pipeline{steps}.text();
}

}  // namespace alsbench
