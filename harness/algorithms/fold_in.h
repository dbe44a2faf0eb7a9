// SPDX-License-Identifier: Apache-2.0
// FoldIn: factors of users or items that a model was not trained on, from their ratings and the
// factors of the other side (docs/reference/models.md).
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "harness/algorithms/row_equations.h"
#include "harness/device/device.h"

namespace alsbench {

// Asked again, it copies nothing of the fixed side. Several threads may ask it.
class FoldIn {
 public:
  // So many rows at most are solved in double on the host; more are a half-iteration of the exact
  // pipeline, which takes as long to begin as some hundred rows take to solve.
  static constexpr int64_t kFewRows = 256;

  // `side`: that of the new rows; `fixed`: the factors of the other one.
  FoldIn(const ModelObjective& objective, Side side, const NpyMatrix& fixed)
      : objective_(objective), side_(side), fixed_(fixed) {}

  // The new rows, rows x rank; zero for one without ratings. `ratings`: a row for each of them, and
  // a column for each row of `fixed`. The device is for many rows.
  // Throws UsageError where the equations of a row have no solution, OutOfMemoryError.
  std::vector<float> rows(Device& device, const Csr& ratings) const;
  const RowEquations& equations() const;

 private:
  std::vector<float> solved(const Csr& ratings, int threads) const;

  ModelObjective objective_;
  Side side_;
  NpyMatrix fixed_;
  mutable std::once_flag begun_;
  mutable std::optional<RowEquations> equations_;  // once they are asked for
};

}  // namespace alsbench
