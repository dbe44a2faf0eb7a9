// SPDX-License-Identifier: Apache-2.0
// Trained factors as files that numpy reads, and the maps from row to original id.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace alsbench {

// A little-endian float32 array of rows x cols in .npy format 1.0, C order (NumPy Enhancement
// Proposal 1).
std::string npy_bytes(const std::vector<float>& values, int64_t rows, int64_t cols);

// One original id a line; line i (from 0) is row i of the factors. Generated sets have no ids: the
// row number stands for it.
std::string id_map_text(const std::vector<std::string>& ids, int64_t rows);

}  // namespace alsbench
