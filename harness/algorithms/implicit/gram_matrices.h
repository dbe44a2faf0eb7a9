// SPDX-License-Identifier: Apache-2.0
// GramMatrices: the Gram matrices of both factor matrices, by the stage gram.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "harness/problem/device_problem.h"

namespace alsbench {

// How often a factor row counts: once, or as often as it has ratings.
enum class RowWeight { one, ratings };

class GramMatrices {
 public:
  // Throws ObjectionError, OutOfMemoryError.
  explicit GramMatrices(const DeviceProblem& problem);

  // Makes that of a side's factors, enqueued.
  void form(Side side, const FactorMatrix& factors, RowWeight weight);
  // rank x rank, on the device. The place stays the same.
  const float* of(Side side) const { return gram_[index(side)].as<float>(); }
  // The same on the host.
  std::vector<double> download(Side side) const;

 private:
  static size_t index(Side side) { return side == Side::x ? 0 : 1; }

  const DeviceProblem* problem_;
  Buffer offsets_;  // 0, 1, 2, ...: those of rows with one rating each
  std::array<std::unique_ptr<Executable>, 2> stage_;
  std::array<Buffer, 2> gram_;
};

}  // namespace alsbench
