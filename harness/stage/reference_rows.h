// ReferenceRows: the equations of the rows that checks look at, in double. Forming them costs more
// than a launch (a popular item's row has hundreds of thousands of ratings), and all configurations
// of a side with the same storage of the factors share them, so they are formed once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "harness/stage/stage_fixture.h"
#include "kernels/cpu/reference/reference.h"

namespace alsbench {

// A_u and b_u of one row with `count` ratings, of the factors as the device holds them.
struct ReferenceRow {
  int64_t row = 0;
  int64_t count = 0;
  reference::Vector a, b;
  reference::Vector magnitude;  // per element of b: the sum of |r theta_i|, what its error is
                                // relative to
};

// Serves fixtures of one problem and seed; not for two threads at a time.
class ReferenceRows {
 public:
  // `sampled`: random rows of a problem that is too large for all of them, beside the longest, the
  // shortest and empty ones.
  explicit ReferenceRows(int64_t sampled = 64) : sampled_(sampled) {}
  int64_t sampled() const { return sampled_; }
  // Of the fixture's side, ascending. `factors` is the storage type that the configuration reads.
  const std::vector<ReferenceRow>& of(const StageFixture& fixture, Scalar factors);
  void clear() { rows_.clear(); }

 private:
  int64_t sampled_;
  std::map<std::pair<Side, Scalar>, std::vector<ReferenceRow>> rows_;
};

}  // namespace alsbench
