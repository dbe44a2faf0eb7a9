// SPDX-License-Identifier: Apache-2.0
#include "variants/core/variant.h"

namespace alsbench {

std::string Variant::id() const {
  return std::string(name_of(stage)) + "/" + name + "/" + std::string(name_of(backend));
}

namespace {

// The storage type that a knob names; fp32 where there is none.
Scalar storage_of(const Config& config, const char* knob) {
  for (const Scalar scalar : all_scalars())
    if (config.is(knob, name_of(scalar))) return scalar;
  return Scalar::fp32;
}

}  // namespace

Scalar factors_storage(const Config& config) {
  // A product in TF32 reads floats as they are.
  if (config.is("precision", "fp16")) return Scalar::fp16;
  return storage_of(config, "factors");
}

Scalar matrices_storage(const Config& config) {
  const Scalar output = storage_of(config, "output");
  return output != Scalar::fp32 ? output : storage_of(config, "matrix");
}

int settings_changed(const Variant& variant, const Config& config) {
  int changed = 0;
  const Config fallback = variant.space.default_config();
  for (const auto& [name, value] : fallback.entries())
    changed += config.get_or(name, value) != value ? 1 : 0;
  return changed;
}

std::optional<std::string> objection_of(const Variant& variant, const Config& config,
                                        const Shape& shape, const DeviceTraits& traits) {
  if (variant.backend != traits.backend)
    return "needs a " + std::string(name_of(variant.backend)) + " device";
  if (shape.rank < 1) return "rank must be at least 1";
  return variant.objection ? variant.objection(config, shape, traits) : std::nullopt;
}

}  // namespace alsbench
