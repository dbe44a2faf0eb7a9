// SPDX-License-Identifier: Apache-2.0
// Outcome: what became of a case; wrong is a result with a class, never an abort, and never ranked.
#pragma once

#include <optional>
#include <string_view>

namespace alsbench {

enum class Outcome { ok, wrong, nan, crashed, hung, oom, launch_refused, compile_error, skipped };

std::string_view name_of(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);
bool failed(Outcome outcome);  // neither ok nor skipped

}  // namespace alsbench
