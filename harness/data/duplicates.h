// SPDX-License-Identifier: Apache-2.0
// Resolves cells that a file holds more than once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/data/csr.h"
#include "harness/data/data_request.h"

namespace alsbench {

// `matrix` as build_csr leaves it: equal cells next to each other, in the order of the file.
// `describe(row, col)` says where a cell is held twice, for messages.
Csr resolve_duplicates(const Csr& matrix, Duplicates mode,
                       const std::function<std::string(int64_t row, int32_t col)>& describe);

}  // namespace alsbench
