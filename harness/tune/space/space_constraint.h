// SPDX-License-Identifier: Apache-2.0
// Condition: a comparison that points of a search space must satisfy, such as
// `tile * threads <= 1280`: products of parameters and numbers on both sides. Part of a space file.
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

  // True as well where the configuration lacks one of the parameters: it says nothing then.
  bool holds(const Config& config) const;
  const std::string& text() const { return text_; }
  const std::vector<std::string>& parameters() const { return parameters_; }

 private:
  std::string text_, comparison_;
  std::vector<std::string> left_, right_;  // factors: numbers, words, names of parameters
  std::vector<std::string> parameters_;    // words that may be names
};

}  // namespace alsbench
