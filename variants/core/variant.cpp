// SPDX-License-Identifier: Apache-2.0
#include "variants/core/variant.h"

namespace alsbench {

std::string Variant::id() const {
  return std::string(name_of(stage)) + "/" + name + "/" + std::string(name_of(backend));
}

std::string Storage::text() const {
  const std::string types = std::string(name_of(factors)) + ":" + std::string(name_of(matrices));
  return order.empty() ? types : types + ":" + order;
}

Storage storage_of(const Variant& variant, const Config& config) {
  Storage storage;
  for (const Parameter& parameter : variant.space.parameters()) {
    if (!parameter.operand || !config.has(parameter.name)) continue;
    const std::string& text = config.get(parameter.name);
    if (*parameter.operand == Operand::ratings) {
      storage.order = parameter.name + "=" + text;
      continue;
    }
    Scalar& type = *parameter.operand == Operand::factors ? storage.factors : storage.matrices;
    type = scalar_named(text).value_or(Scalar::fp32);
    for (const Value& value : parameter.values)
      if (value.text == text && value.stored) type = *value.stored;
  }
  return storage;
}

int parameters_changed(const Variant& variant, const Config& config) {
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
