// SPDX-License-Identifier: Apache-2.0
// Condition: a comparison that points of a search space must satisfy, as space files have it. It
// compares two products of parameters and numbers, as in `tile * threads <= 1280`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variants/core/config.h"

namespace alsbench {

class Condition {
 public:
  // Throws UsageError quoting the text and saying what is wrong with it.
  explicit Condition(std::string_view text);

  // Also true where the configuration lacks one of the parameters.
  bool holds(const Config& config) const;
  const std::string& text() const { return text_; }
  const std::vector<std::string>& parameters() const { return parameters_; }

 private:
  std::string text_, comparison_;
  std::vector<std::string> left_, right_;  // factors: numbers, words, names of parameters
  std::vector<std::string> parameters_;    // words that may be names
};

}  // namespace alsbench
