#include "variants/variant.h"

namespace alsbench {

std::string Variant::id() const {
  return std::string(name_of(stage)) + "/" + name + "/" + std::string(name_of(backend));
}

Scalar factors_storage(const Config& config) {
  return config.is("factors", "fp16") || config.is("precision", "fp16") ? Scalar::fp16
                                                                        : Scalar::fp32;
}

Scalar matrices_storage(const Config& config) {
  return config.is("output", "fp16") || config.is("matrix", "fp16") ? Scalar::fp16 : Scalar::fp32;
}

std::optional<std::string> objection_of(const Variant& variant, const Config& config,
                                        const Shape& shape, const DeviceTraits& traits) {
  if (variant.backend != traits.backend)
    return "needs a " + std::string(name_of(variant.backend)) + " device";
  if (shape.rank < 1) return "rank must be at least 1";
  return variant.objection ? variant.objection(config, shape, traits) : std::nullopt;
}

}  // namespace alsbench
