// SPDX-License-Identifier: Apache-2.0
#include "variants/core/scalar.h"

#include <array>

namespace alsbench {
namespace {

struct ScalarInfo {
  Scalar scalar;
  std::string_view name, element_type;
  int64_t bytes;
  int significand_bits;
};

constexpr std::array kScalars{ScalarInfo{Scalar::fp32, "fp32", "float", 4, 24},
                              ScalarInfo{Scalar::fp16, "fp16", "alsbench::Half", 2, 11},
                              ScalarInfo{Scalar::bf16, "bf16", "alsbench::Bfloat", 2, 8},
                              ScalarInfo{Scalar::tf32, "tf32", "alsbench::Tf32", 4, 11},
                              ScalarInfo{Scalar::int8, "int8", "alsbench::Int8", 1, 7},
                              ScalarInfo{Scalar::fp8, "fp8", "alsbench::Fp8", 1, 4}};

const ScalarInfo& info_of(Scalar scalar) { return kScalars.at(static_cast<size_t>(scalar)); }

}  // namespace

const std::vector<Scalar>& all_scalars() {
  static const std::vector<Scalar> all = [] {
    std::vector<Scalar> list;
    for (const ScalarInfo& info : kScalars) list.push_back(info.scalar);
    return list;
  }();
  return all;
}

std::string_view name_of(Scalar scalar) { return info_of(scalar).name; }
int64_t size_of(Scalar scalar) { return info_of(scalar).bytes; }
int significand_bits(Scalar scalar) { return info_of(scalar).significand_bits; }
bool has_scales(Scalar scalar) { return size_of(scalar) == 1; }
std::string_view element_type(Scalar scalar) { return info_of(scalar).element_type; }

std::optional<Scalar> scalar_named(std::string_view name) {
  for (const ScalarInfo& info : kScalars)
    if (info.name == name) return info.scalar;
  return std::nullopt;
}

}  // namespace alsbench
