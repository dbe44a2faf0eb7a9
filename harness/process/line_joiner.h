// SPDX-License-Identifier: Apache-2.0
// Whole lines of text that comes in pieces, in little memory however long a line is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace alsbench {

class LineJoiner {
 public:
  // Characters of a line beyond `longest` are dropped. Any of `ends` ends a line.
  explicit LineJoiner(size_t longest, std::string_view ends = "\n")
      : longest_(longest), ends_(ends) {}

  // Calls take(std::string) with each line that these bytes complete.
  template <typename Take>
  void add(std::string_view bytes, Take&& take) {
    while (!bytes.empty()) {
      const size_t end = std::min(bytes.find_first_of(ends_), bytes.size());
      rest_.append(bytes.substr(0, std::min(end, longest_ - rest_.size())));
      if (end == bytes.size()) return;
      take(std::exchange(rest_, {}));
      bytes.remove_prefix(end + 1);
    }
  }

  const std::string& rest() const { return rest_; }  // the unfinished line

 private:
  size_t longest_;
  std::string_view ends_;
  std::string rest_;
};

}  // namespace alsbench
