// SPDX-License-Identifier: Apache-2.0
// Copies of a factor matrix in the type that a pipeline reads it in.
#pragma once

#include <cstdint>

#include "harness/device/device.h"
#include "harness/problem/row_range.h"
#include "kernels/shared/byte_factors.h"
#include "variants/core/scalar.h"

namespace alsbench {

// Whether a copy is the factors' elements, each rounded by itself, so an update can write the copy
// of its solutions.
inline bool rounds_elements(Scalar type) { return type != Scalar::fp32 && !has_scales(type); }
// A copy in bytes has every row once for each weight.
int64_t factor_copy_bytes(Scalar type, const FactorsView& factors, const Int8Weights& weights = {});
// Bytes from one row of a copy to the next, and those before its first row.
int64_t copy_row_bytes(Scalar type, const FactorsView& factors);
int64_t copy_rows_at(Scalar type, const FactorsView& factors);

struct FactorCopy {
  void* data;  // of the device
  Scalar type;
};

// Makes the copy, enqueued. Finite factors that become infinite are counted: added to the word
// `overflows` of the device, unless it is null.
void copy_factors(Device& device, FactorCopy copy, const FactorsView& source, uint32_t* overflows,
                  const Int8Weights& weights = {});
// The same of some rows alone, each element rounded by itself.
void round_rows(Device& device, FactorCopy copy, const FactorsView& source, RowRange rows,
                uint32_t* overflows);
// A copy in bytes begins with the largest magnitude of each feature, which must be those of all
// rows when the first row is stored. An update raises them to those of its solutions, so they need
// not be looked for. All enqueued.
void clear_largest(Device& device, void* copy, int32_t rank);
void find_largest(Device& device, void* copy, const FactorsView& source, RowRange rows);
uint32_t* largest_of(void* copy, int32_t rank);
FactorsView rows_of(const FactorsView& factors, RowRange rows);  // those rows alone

}  // namespace alsbench
