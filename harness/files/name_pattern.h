// SPDX-License-Identifier: Apache-2.0
// The pattern of --filter: a regular expression that names are searched with.
#pragma once

#include <string>

#include "harness/files/regular_expression.h"

namespace alsbench {

// One that begins with ^ is tried at the beginning alone.
class NamePattern {
 public:
  // Throws UsageError naming `option` where `text` is no regular expression, or too long.
  NamePattern(const std::string& option, const std::string& text);
  bool found_in(const std::string& name) const {
    return anchored_ ? expression_.begins(name) : expression_.found_in(name);
  }

 private:
  RegularExpression expression_;
  bool anchored_;
};

}  // namespace alsbench
