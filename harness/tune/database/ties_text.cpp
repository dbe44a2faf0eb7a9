// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/ties_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace alsbench {
namespace {

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) list.push_back(part);
  return list;
}

// The settings in which `other` differs; nothing where the two are not of the same variants.
std::optional<std::string> difference(const std::string& pick, const std::string& other) {
  const auto steps = parts(pick, '/'), other_steps = parts(other, '/');
  if (steps.size() != other_steps.size()) return std::nullopt;
  std::vector<std::string> found;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto words = parts(steps[i], ':'), other_words = parts(other_steps[i], ':');
    if (words.size() != other_words.size() || words.empty()) return std::nullopt;
    // The stage and the variant; then the settings.
    if (!std::equal(words.begin(), words.end() - 1, other_words.begin())) return std::nullopt;
    const auto settings = parts(words.back(), ','), other_settings = parts(other_words.back(), ',');
    if (settings.size() != other_settings.size()) return std::nullopt;
    for (size_t k = 0; k < settings.size(); ++k)
      if (settings[k] != other_settings[k])
        found.push_back(steps.size() > 1 ? words[0] + ":" + other_settings[k] : other_settings[k]);
  }
  return fmt::format("{}", fmt::join(found, ","));
}

}  // namespace

std::string ties_text(const std::string& pick, const std::vector<std::string>& ties,
                      const std::string& indent) {
  constexpr size_t kShown = 3;
  std::string text;
  size_t others = 0;
  for (const std::string& tied : ties) {
    if (tied == pick || ++others > kShown) continue;
    const auto differs = difference(pick, tied);
    text += fmt::format("{}tied with {}\n", indent, differs ? "the same, but " + *differs : tied);
  }
  if (others > kShown)
    text += fmt::format("{}tied with {} more, which --json names\n", indent, others - kShown);
  return text;
}

}  // namespace alsbench
