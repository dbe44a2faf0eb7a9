// SPDX-License-Identifier: Apache-2.0
// The message on an unknown name: the nearest known ones, and all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

// The one nearest to `word` by edit distance, or "" where none is near.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

// "; did you mean 'x'? (one of: ...)"; without the question where none is near by edit distance.
// `more` ends the list.
std::string suggestion(std::string_view word, const std::vector<std::string>& names,
                       std::string_view more = "");

// "unknown <kind> 'word'", then the suggestion.
std::string unknown_name(std::string_view kind, std::string_view word,
                         const std::vector<std::string>& names, std::string_view more = "");

}  // namespace alsbench
