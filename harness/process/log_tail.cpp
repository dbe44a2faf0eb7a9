// SPDX-License-Identifier: Apache-2.0
#include "harness/process/log_tail.h"

#include <algorithm>

namespace alsbench {

void LogTail::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    rest_.append(bytes.substr(0, std::min(end, kLineLength - rest_.size())));
    if (end == bytes.size()) return;
    lines_.push_back(std::move(rest_));
    rest_.clear();
    if (lines_.size() > kLines) lines_.pop_front();
    bytes.remove_prefix(end + 1);
  }
}

std::vector<std::string> LogTail::lines() const {
  std::vector<std::string> all(lines_.begin(), lines_.end());
  if (!rest_.empty()) all.push_back(rest_);
  return all;
}

}  // namespace alsbench
