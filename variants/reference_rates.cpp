// SPDX-License-Identifier: Apache-2.0
#include "variants/reference_rates.h"

#include "variants/als/parameters.h"

namespace alsbench {
namespace {

// The text of the type that a configuration reads its factors in.
std::string type_of(const Variant& variant, const Config& config) {
  for (const Parameter& parameter : variant.space.parameters())
    if (parameter.operand == Operand::factors) return config.get_or(parameter.name, "fp32");
  return "";
}

// GEMM multiplies no bfloats and no e4m3 here: it is compared as halves. Where rows read bytes
// halves may still be its fastest, at small ranks.
std::vector<std::string> gemm_types(const std::string& type) {
  if (type == "int8") return {"int8", "fp16"};
  if (type == "bf16" || type == "fp8") return {"fp16"};
  return {type.empty() ? "fp32" : type};
}

}  // namespace

std::optional<std::string> reference_rate_measured_by(const Variant& variant,
                                                      const Config& config) {
  if (!variant.stage->reference_rate) return std::nullopt;
  const std::string type = type_of(variant, config);
  return std::string(variant.stage->name) + (type.empty() ? "" : " " + type);
}

Scalar multiplied_type(const Variant& variant, const Config& config) {
  if (variant.multiplies != nullptr) return variant.multiplies(config);
  if (!variant.stage->reference_rate) return Scalar::fp32;
  return scalar_named(type_of(variant, config)).value_or(Scalar::fp32);
}

bool exceeds_cache(const Work& work, double cache_bytes) {
  constexpr double kCacheMultiple = 8;
  return work.compulsory_bytes >= kCacheMultiple * cache_bytes;
}

std::vector<ReferenceRate> reference_rates_of(const Variant& variant, const Config& config,
                                              const Work& work, const DeviceTraits& traits) {
  const bool exceeds = exceeds_cache(work, static_cast<double>(traits.l2_bytes));
  std::vector<ReferenceRate> all;
  for (const Bound bound : variant.stage->bounds) {
    switch (bound) {
      case Bound::arithmetic:
        if (variant.multiplies == nullptr)
          all.push_back({"fma", Count::useful_flops, true, Limiter::fp32});
        else
          all.push_back({"mma " + std::string(name_of(multiplied_type(variant, config))),
                         Count::useful_flops, true, Limiter::tensor});
        for (const std::string& type : gemm_types(type_of(variant, config)))
          all.push_back({"gemm_batched " + type, Count::useful_flops, false, Limiter::tensor});
        break;
      // Less is passed where caches keep a part of it.
      case Bound::memory:
        all.push_back({"copy", Count::compulsory_bytes, exceeds, Limiter::dram});
        break;
      case Bound::reading:
        all.push_back({"read", Count::compulsory_bytes, exceeds, Limiter::dram, "copy"});
        all.push_back({"copy", Count::compulsory_bytes, false, Limiter::dram});
        break;
      case Bound::gather:
        // Rows that many name are read from the nearest cache, whatever holds them all.
        all.push_back({"gather_l1", Count::gathered_bytes, true, Limiter::l1});
        all.push_back(
            {"gather_l2", Count::gathered_bytes, parameters::reads_past_l1(config), Limiter::l2});
        all.push_back({"gather_memory", Count::gathered_bytes, false, Limiter::dram});
        break;
    }
  }
  return all;
}

}  // namespace alsbench
