// SPDX-License-Identifier: Apache-2.0
// Successive halving (Jamieson and Talwalkar, AISTATS 2016): all candidates are trained a little,
// the better half longer, until one is left.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace alsbench {

struct HalvingTrial {
  size_t candidate = 0;
  int iterations = 0;
  std::vector<double> metrics;  // of each seed; less is better; NaN: the training failed
  double metric() const;        // their mean
};

struct Halving {
  std::vector<HalvingTrial> trials;  // in the order that they ran in
  std::optional<size_t> best;        // none where all failed, or where it was interrupted
  bool interrupted = false;
};

// Trains a candidate from its start, once a seed, and returns its metrics, at least one; nothing to
// end the search.
using TrialOf = std::function<std::optional<std::vector<double>>(size_t candidate, int iterations)>;

// The number of iterations of each round. The last round, of two candidates, trains for all of
// them. Each one before trains for half as many, but for at least 3.
std::vector<int> halving_rounds(size_t candidates, int iterations);

// The better half of a round's candidates goes on to the next.
constexpr size_t promoted_of(size_t candidates) { return (candidates + 1) / 2; }

// Judges by the mean of a trial's metrics. Of equal ones the earlier candidate is the better one. A
// single candidate is not trained.
Halving halve(size_t candidates, int iterations, const TrialOf& trial);

}  // namespace alsbench
