// SPDX-License-Identifier: Apache-2.0
// LiveObjective: measures points of a search space on a device. A worker process prepares, verifies
// and samples them, so a faulty point costs one evaluation. Other threads compile ahead.
#pragma once

#include <map>
#include <vector>

#include "base/clock.h"
#include "harness/record/case_record.h"
#include "harness/tune/search/objective.h"
#include "harness/tune/stage/compile_ahead.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// Kernels that the points need compiled; nothing for variants without kernels of ours.
std::vector<CompileRequest> kernels_of(const SearchSpace& space, const std::vector<size_t>& points,
                                       const Shape& shape, const DeviceTraits& traits);

class LiveObjective : public Objective {
 public:
  // All must outlive it. The space's variants are of one stage and backend.
  LiveObjective(const SearchSpace& space, TuningWorker& worker, CompileAhead& compiler,
                const std::string& part);

  void announce(const std::vector<size_t>& points, const std::vector<size_t>& guesses) override;
  Evaluation measure(size_t point, int64_t samples, double give_up_seconds) override;
  double elapsed_seconds() const override;
  std::optional<double> share_of_ceiling(size_t point, double seconds) const override;

  // Measures the ceilings of the space's points, which share_of_ceiling judges by. One that cannot
  // be measured is left out.
  void measure_ceilings();

 private:
  bool compile(Evaluation& evaluation);  // false: an error, which is its outcome
  bool prepare(const Case& c, Evaluation& evaluation);
  void sample(const Case& c, int64_t samples, double give_up_seconds, Evaluation& evaluation);

  const SearchSpace& space_;
  TuningWorker& worker_;
  CompileAhead& compiler_;
  std::string part_;
  DeviceTraits traits_;
  Shape shape_;
  Clock::time_point start_ = Clock::now();
  std::vector<CaseRecord> ceilings_;
  std::map<size_t, std::optional<Work>> works_;  // of prepared points
};

}  // namespace alsbench
