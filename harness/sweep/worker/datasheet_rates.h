// SPDX-License-Identifier: Apache-2.0
// What vendors' data sheets promise of a device, for shares of the nominal roof beside those of the
// measured one.
#pragma once

#include <optional>
#include <string_view>

namespace alsbench {

// Dense rates: without the factor of two for structured sparsity.
struct NominalRates {
  std::string_view device;  // as the driver names it
  double fp32_flops_per_second;
  double tf32_flops_per_second;
  double fp16_flops_per_second;  // tensor cores
  double bytes_per_second;
  std::string_view source;
};

// Nothing for a device whose data sheet is not in the table (and for slices of one).
std::optional<NominalRates> nominal_rates(std::string_view device);

}  // namespace alsbench
