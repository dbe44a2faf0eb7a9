// SPDX-License-Identifier: Apache-2.0
#include "variants/recommend/top_k_choice.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "kernels/cuda/recommend/layout.cuh"
#include "variants/catalog.h"
#include "variants/recommend/stages.h"

namespace alsbench {
namespace {

// Why the configuration cannot find k items, or nothing.
std::optional<std::string> objection_to(const TopKChoice& choice, const Shape& shape,
                                        const DeviceTraits& traits, int k) {
  if (auto objection = objection_of(*choice.variant, choice.config, shape, traits))
    return objection;
  if (traits.backend == Backend::cpu) return std::nullopt;
  const TopKLayout layout{shape.rank, choice.config.integer("rows"), choice.config.integer("items"),
                          choice.config.integer("capacity")};
  if (k <= layout.max_k()) return std::nullopt;
  return fmt::format("a GPU finds at most {} items for a user", layout.max_k());
}

}  // namespace

TopKChoice top_k_choice(const Shape& shape, const DeviceTraits& traits, int k) {
  const bool cpu = traits.backend == Backend::cpu;
  TopKChoice choice{&variant_named(&stages::top_k, cpu ? "blocked" : "fused", traits.backend)};
  bool found = false;
  std::string objection;  // of the last point: the largest capacity
  choice.variant->space.for_each([&](const Config& config) {
    if (found) return;
    choice.config = config;
    const auto no = objection_to(choice, shape, traits, k);
    found = !no;
    if (no) objection = *no;
  });
  if (found) return choice;
  throw UsageError(fmt::format("{} items for each user at rank {} on {}: {}; --device cpu can", k,
                               shape.rank, traits.name, objection));
}

}  // namespace alsbench
