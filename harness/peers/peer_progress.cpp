// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_progress.h"

#include <algorithm>
#include <charconv>

namespace alsbench {
namespace {

constexpr size_t kMaxProgressLines = 20000;  // lines; what comes after is no training

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

}  // namespace

void ProgressReader::add(std::string_view bytes, double at_seconds) {
  bytes_ += static_cast<int64_t>(bytes.size());
  lines_.add(bytes, [&](const std::string& line) {
    if (!line.empty()) read_line(line, at_seconds);
  });
}

void ProgressReader::read_line(const std::string& line, double at_seconds) {
  for (const ProgressPattern& pattern : *patterns_) {
    const auto groups = pattern.pattern.groups_in(line);
    if (!groups) continue;
    PeerProgress progress{.at_seconds = at_seconds};
    bool counts = false;
    for (size_t i = 0; i < pattern.fields.size(); ++i) {
      const auto value = number_in((*groups)[i]);
      if (!value) continue;
      using Field = ProgressPattern::Field;
      switch (pattern.fields[i]) {
        case Field::iteration:
        case Field::index:
          progress.iteration = static_cast<int64_t>(std::clamp(*value, -1e9, 1e9)) +
                               (pattern.fields[i] == Field::index ? 1 : 0);
          counts = true;
          break;
        case Field::seconds:
          progress.own_seconds = value;
          break;
        case Field::total_seconds:
          total_seconds_ = value;
          break;
        case Field::test_metric:
          progress.own_test_metric = test_metric_ = value;
          break;
      }
    }
    if (counts && progress_.size() < kMaxProgressLines) progress_.push_back(progress);
    return;
  }
}

}  // namespace alsbench
