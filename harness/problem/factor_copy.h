// SPDX-License-Identifier: Apache-2.0
// Copies of a factor matrix in the type that a pipeline reads it in.
#pragma once

#include <cstdint>

#include "harness/device/device.h"
#include "variants/core/scalar.h"

namespace alsbench {

// Whether a copy is the factors' elements, each rounded by itself, so that an update can write the
// copy of its solutions.
inline bool rounds_elements(Scalar type) { return type != Scalar::fp32 && type != Scalar::int8; }
int64_t factor_copy_bytes(Scalar type, const FactorsView& factors);
// Makes the copy, enqueued. Finite factors that become infinite are counted: added to the word
// `overflows` of the device, unless it is null.
void copy_factors(Device& device, void* target, Scalar type, const FactorsView& source,
                  uint32_t* overflows);
// A copy in bytes begins with the largest magnitude of each feature. An update raises them to those
// of its solutions, so that they need not be looked for: first cleared, then used, enqueued.
void clear_largest(Device& device, void* copy, int32_t rank);
void copy_measured_factors(Device& device, void* copy, const FactorsView& source);

}  // namespace alsbench
