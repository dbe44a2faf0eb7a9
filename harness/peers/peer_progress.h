// SPDX-License-Identifier: Apache-2.0
// The output of a peer while it trains: its lines, with the time of each, become progress.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/peers/peer.h"
#include "harness/process/line_joiner.h"
#include "harness/record/peer_record.h"

namespace alsbench {

class ProgressReader {
 public:
  explicit ProgressReader(const std::vector<ProgressPattern>& patterns) : patterns_(&patterns) {}

  // Bytes that came so many seconds after the peer was started.
  void add(std::string_view bytes, double at_seconds);

  int64_t bytes() const { return bytes_; }  // of all that was written
  std::vector<PeerProgress> take_progress() { return std::move(progress_); }
  // As the peer says, the last time.
  std::optional<double> total_seconds() const { return total_seconds_; }
  std::optional<double> test_metric() const { return test_metric_; }

 private:
  void read_line(const std::string& line, double at_seconds);

  const std::vector<ProgressPattern>* patterns_;
  LineJoiner lines_{500, "\r\n"};
  int64_t bytes_ = 0;
  std::vector<PeerProgress> progress_;
  std::optional<double> total_seconds_, test_metric_;
};

}  // namespace alsbench
