#include "variants/catalog.h"

#include "variants/core/error.h"
#include "variants/core/suggestion.h"
#include "variants/families.h"

namespace alsbench {

const std::vector<Variant>& catalog() {
  static const std::vector<Variant> variants = [] {
    std::vector<Variant> list;
    add_hermitian_cpu(list);
    add_bias_cpu(list);
    add_solve_cpu(list);
    add_update_cpu(list);
    add_rmse_cpu(list);
    add_baseline_cpu(list);
    add_hermitian_cuda(list);
    add_bias_cuda(list);
    add_normal_equations_cuda(list);
    add_solve_cuda(list);
    add_update_cuda(list);
    add_rmse_cuda(list);
    add_baseline_cuda(list);
    add_chaos_cpu(list);
    add_chaos_cuda(list);
    add_planted_cpu(list);
    add_planted_cuda(list);
    return list;
  }();
  return variants;
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
