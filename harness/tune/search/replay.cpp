// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/replay.h"

namespace alsbench {

Evaluation ReplayObjective::measure(size_t point, int64_t samples, double give_up_seconds) {
  const Evaluation& recorded = recording_.evaluations.at(point);
  size_t& served = served_[point];
  const bool first = served == 0;
  Evaluation result = recorded;
  result.seconds.clear();
  if (!first)
    result.wait_seconds = result.prepare_seconds = result.verify_seconds = result.compile_seconds =
        0;
  const size_t total = recorded.seconds.size();
  while (served < total && static_cast<int64_t>(result.seconds.size()) < samples) {
    const double seconds = recorded.seconds[served++];
    result.seconds.push_back(seconds);
    if (give_up_seconds > 0 && seconds > give_up_seconds) break;
  }
  const double share =
      total > 0 ? static_cast<double>(result.seconds.size()) / static_cast<double>(total) : 1.0;
  result.measure_seconds = recorded.measure_seconds * share;
  elapsed_seconds_ += result.wait_seconds + result.prepare_seconds + result.measure_seconds;
  return result;
}

}  // namespace alsbench
