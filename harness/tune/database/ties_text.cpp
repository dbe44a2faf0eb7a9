// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/ties_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace alsbench {
namespace {

bool same_parameters(const Config& a, const Config& b) {
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

// The settings in which `other` differs; nothing where the two are not of the same variants.
std::optional<std::string> difference(const std::vector<StepRecord>& pick,
                                      const std::vector<StepRecord>& other) {
  if (pick.size() != other.size()) return std::nullopt;
  std::vector<std::string> found;
  for (size_t i = 0; i < pick.size(); ++i) {
    const StepRecord &mine = pick[i], &theirs = other[i];
    if (mine.stage != theirs.stage || mine.variant != theirs.variant ||
        !same_parameters(mine.config, theirs.config))
      return std::nullopt;
    for (const auto& [name, value] : theirs.config.entries())
      if (!mine.config.is(name, value))
        found.push_back(
            fmt::format("{}{}={}", pick.size() > 1 ? mine.stage + ":" : "", name, value));
  }
  return fmt::format("{}", fmt::join(found, ","));
}

}  // namespace

std::string ties_text(const std::vector<StepRecord>& pick,
                      const std::vector<std::vector<StepRecord>>& ties, const std::string& indent) {
  constexpr size_t kShown = 3;
  std::string text;
  size_t others = 0;
  for (const std::vector<StepRecord>& tied : ties) {
    if (tied == pick || ++others > kShown) continue;
    const auto differs = difference(pick, tied);
    text += fmt::format("{}tied with {}\n", indent,
                        differs ? "the same, but " + *differs : text_of(tied));
  }
  if (others > kShown)
    text += fmt::format("{}tied with {} more, which --json names\n", indent, others - kShown);
  return text;
}

}  // namespace alsbench
