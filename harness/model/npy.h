// SPDX-License-Identifier: Apache-2.0
// Factor matrices as files that numpy reads: little-endian float32, rows x cols, C order, in .npy
// format 1.0 (NumPy Enhancement Proposal 1).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "harness/data/csr.h"
#include "harness/files/file_content.h"
#include "harness/files/mapped_file.h"

namespace alsbench {

// The matrix as such a file. `values` must outlive it.
FileContent npy_content(std::span<const float> values, int64_t rows, int64_t cols);

struct NpyMatrix {
  Array<float> values;  // row-major, in the mapped file
  int64_t rows = 0;
  int64_t cols = 0;
};

// Reads what npy_content writes. Throws UsageError that says what it is instead, and `remedy`;
// `name` names the file.
NpyMatrix npy_matrix(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                     const std::string& remedy = "copy the model again, or train it again");

}  // namespace alsbench
