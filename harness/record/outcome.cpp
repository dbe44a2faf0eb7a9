// SPDX-License-Identifier: Apache-2.0
#include "harness/record/outcome.h"

#include <array>
#include <utility>

namespace alsbench {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 9> kOutcomes{{
    {Outcome::ok, "ok"},
    {Outcome::wrong, "wrong"},
    {Outcome::nan, "nan"},
    {Outcome::crashed, "crashed"},
    {Outcome::hung, "hung"},
    {Outcome::oom, "oom"},
    {Outcome::launch_refused, "launch_refused"},
    {Outcome::compile_error, "compile_error"},
    {Outcome::skipped, "skipped"},
}};

}  // namespace

std::string_view name_of(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)].second; }

std::optional<Outcome> outcome_named(std::string_view name) {
  for (const auto& [value, text] : kOutcomes)
    if (text == name) return value;
  return std::nullopt;
}

bool failed(Outcome outcome) { return outcome != Outcome::ok && outcome != Outcome::skipped; }

}  // namespace alsbench
