// SPDX-License-Identifier: Apache-2.0
#include "base/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace alsbench {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  size_t best_distance = std::max<size_t>(2, word.size() / 2) + 1;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names,
                       std::string_view more) {
  const std::string near = nearest_name(word, names);
  return fmt::format("{} (one of: {}{})", near.empty() ? "" : "; did you mean '" + near + "'?",
                     fmt::join(names, ", "), more);
}

std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& names, std::string_view more) {
  return fmt::format("unknown {} '{}'{}", kind, word, suggestion(word, names, more));
}

}  // namespace alsbench
