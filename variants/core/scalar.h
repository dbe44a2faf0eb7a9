// SPDX-License-Identifier: Apache-2.0
// Scalar: the type that numbers are stored in.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace alsbench {

// tf32 is a float that is rounded to the 11 bits which tensor cores read. int8 is a signed byte
// with a scale. fp8 is one in e4m3 (kernels/shared/byte_factors.h).
enum class Scalar { fp32, fp16, bf16, tf32, int8, fp8 };

const std::vector<Scalar>& all_scalars();
std::string_view name_of(Scalar scalar);
std::optional<Scalar> scalar_named(std::string_view name);
int64_t size_of(Scalar scalar);       // bytes
int significand_bits(Scalar scalar);  // the implicit one among them
// Whether a copy of factors in that type is bytes, with a scale a feature.
bool has_scales(Scalar scalar);
// The element type of that name in kernels: "float", "alsbench::Half", ...
std::string_view element_type(Scalar scalar);

}  // namespace alsbench
