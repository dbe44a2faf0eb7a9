// SPDX-License-Identifier: Apache-2.0
// LogTail: the last lines of what a program writes, in little memory however much that is.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

class LogTail {
 public:
  static constexpr size_t kLines = 20;
  static constexpr size_t kLineLength = 500;  // longer lines are cut

  void add(std::string_view bytes);
  // The last complete lines, then the unfinished one where there is one.
  std::vector<std::string> lines() const;

 private:
  std::deque<std::string> lines_;
  std::string rest_;  // the unfinished line
};

}  // namespace alsbench
