// SPDX-License-Identifier: Apache-2.0
// The factors that a peer left, read and held against the shape that they must have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "harness/peers/peer.h"
#include "harness/train/training.h"

namespace alsbench {

// Files that are missing, damaged or of another shape; the message names the file.
struct WrongFactors : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct FactorShape {
  int64_t users = 0;
  int64_t items = 0;
  int64_t rank = 0;
};

// Both matrices, by the names that a training has for them. Whether they are finite is not asked
// here. Throws WrongFactors.
std::vector<ModelMatrix> read_peer_factors(const FactorFiles& files,
                                           const std::filesystem::path& folder,
                                           const FactorShape& shape);

}  // namespace alsbench
