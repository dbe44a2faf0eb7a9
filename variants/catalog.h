// The catalog of all variants: an explicit list (no static registration), in declared order.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

// Every variant of this build, hidden ones included. References stay valid for the program's life.
const std::vector<Variant>& catalog();

// The variant of that stage, name and backend, or null.
const Variant* find_variant(Stage stage, std::string_view name, Backend backend);
// The same; throws UsageError that names the nearest valid name.
const Variant& variant_named(Stage stage, std::string_view name, Backend backend);

}  // namespace alsbench
