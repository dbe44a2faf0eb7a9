// SPDX-License-Identifier: Apache-2.0
// ReplayObjective: an objective that serves the samples of a recorded journal, in their order and
// at the recorded cost. It compares and tests strategies without a device.
#pragma once

#include <string>
#include <vector>

#include "harness/tune/search/space_file.h"
#include "harness/tune/search/tuning_journal.h"

namespace alsbench {

// The part of a recording that a space file admits, with the file's default where its point was
// recorded. Throws UsageError that names `source` and lists, each with its JSON pointer, what the
// recording does not have.
Recording restricted(Recording recording, const SpaceFile& file, const std::string& source);

// Why the part's default is another than the file names; empty where it is that, or none is named.
std::string default_problem(const Recording& part, const SpaceFile& file);

class ReplayObjective : public Objective {
 public:
  // `recording` must outlive it.
  explicit ReplayObjective(const Recording& recording)
      : recording_(recording), served_(recording.space.size(), 0) {}

  void announce(const std::vector<size_t>&, const std::vector<size_t>&) override {}
  // Has fewer samples, down to none after the first call, where the recording has no more.
  Evaluation measure(size_t point, int64_t samples, double give_up_seconds) override;
  double elapsed_seconds() const override { return elapsed_seconds_; }
  std::optional<double> share_of_ceiling(size_t, double) const override { return std::nullopt; }

 private:
  const Recording& recording_;
  std::vector<size_t> served_;  // samples of each point
  double elapsed_seconds_ = 0;
};

}  // namespace alsbench
