// SPDX-License-Identifier: Apache-2.0
#include "variants/catalog.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "variants/families.h"

namespace alsbench {

namespace {

std::vector<std::function<void(Catalog&)>>& more_families() {
  static std::vector<std::function<void(Catalog&)>> families;
  return families;
}

const Catalog& whole_catalog() {
  static const Catalog whole = [] {
    Catalog catalog;
    for (const auto add_family : kFamilies) add_family(catalog);
    for (const auto& add_family : more_families()) add_family(catalog);
    catalog.sort();
    return catalog;
  }();
  return whole;
}

}  // namespace

void extend_catalog(std::function<void(Catalog&)> add_family) {
  more_families().push_back(std::move(add_family));
}

void Catalog::sort() {
  const auto place = [&](const Variant& variant) {
    const auto stage = std::find(stages_.begin(), stages_.end(), variant.stage);
    return std::pair(variant.backend == Backend::cuda, stage - stages_.begin());
  };
  std::stable_sort(variants_.begin(), variants_.end(),
                   [&](const Variant& a, const Variant& b) { return place(a) < place(b); });
}

const std::vector<Stage>& all_stages() { return whole_catalog().stages(); }
const std::vector<Variant>& catalog() { return whole_catalog().variants(); }
const std::vector<const PipelineGrammar*>& all_grammars() { return whole_catalog().grammars(); }

std::optional<Stage> stage_named(std::string_view name) {
  for (const Stage stage : all_stages())
    if (stage->name == name) return stage;
  return std::nullopt;
}

const Variant* find_variant(Stage stage, std::string_view name, Backend backend) {
  for (const auto& variant : catalog())
    if (variant.stage == stage && variant.name == name && variant.backend == backend)
      return &variant;
  return nullptr;
}

const Variant& variant_named(Stage stage, std::string_view name, Backend backend) {
  if (const Variant* variant = find_variant(stage, name, backend)) return *variant;
  std::vector<std::string> names;
  for (const auto& variant : catalog())
    if (variant.stage == stage && variant.backend == backend && !variant.hidden)
      names.push_back(variant.name);
  throw UsageError("stage '" + std::string(name_of(stage)) + "' has no " +
                   std::string(name_of(backend)) + " variant '" + std::string(name) + "'" +
                   suggestion(name, names));
}

}  // namespace alsbench
