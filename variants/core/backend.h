// SPDX-License-Identifier: Apache-2.0
// Backend: where a variant runs.
#pragma once

#include <optional>
#include <string_view>

namespace alsbench {

enum class Backend { cuda, cpu };

std::string_view name_of(Backend backend);
std::optional<Backend> backend_named(std::string_view name);

}  // namespace alsbench
