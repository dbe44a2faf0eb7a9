// SPDX-License-Identifier: Apache-2.0
// BiasTerms: the biases of ALS with biases (docs/explanation/biases.md). A user's level is the mean
// rating and the user's bias, an item's is its bias. Between updates the factors are whole: the
// last two columns of X are (level, 1), and those of Theta (1, level). Then x . theta is the
// prediction.
#pragma once

#include <memory>

#include "harness/algorithms/als/factors.h"
#include "harness/train/stage_clock.h"
#include "kernels/shared/params/levels.h"

namespace alsbench {

class BiasTerms {
 public:
  // Biases are zero. Throws ObjectionError, OutOfMemoryError.
  explicit BiasTerms(const DeviceProblem& problem);

  // To how they began; the factors are not whole then.
  void reset();
  // Takes the levels from factors that are whole.
  void read(const Factors& factors);

  // Before an update of `side`: its column of levels is the unknown bias, and what the other side's
  // levels explain is taken off the ratings. Enqueued.
  void open(Side side, Factors& factors, StageClock& clock);
  // The side's ratings without the bias terms, as an update takes them.
  RatingsView ratings(Side side) const;
  // After it: takes the new levels, and makes the factors of both sides whole. Enqueued.
  void close(Side side, Factors& factors, StageClock& clock);

 private:
  struct SideState {
    std::unique_ptr<Executable> centre, columns;
    Buffer levels, values;
  };
  SideState& of(Side side) { return side == Side::x ? x_ : theta_; }
  const SideState& of(Side side) const { return side == Side::x ? x_ : theta_; }
  // The mean rating of users, which their level has and their bias has not; 0 of items.
  float mean_of(Side side) const;
  int32_t column(Side side) const { return problem_->rank() - (side == Side::x ? 2 : 1); }
  LevelColumnsParams columns_of(Side side, Factors& factors) const;

  const DeviceProblem* problem_;
  SideState x_, theta_;
};

}  // namespace alsbench
