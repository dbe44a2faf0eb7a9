// SPDX-License-Identifier: Apache-2.0
// OtherWork: the share of the processors that other processes had. It is what the processors
// worked, as the kernel counts it, less the processor time of this process.
#pragma once

#include <deque>
#include <optional>

namespace alsbench {

// The share in a time, and what it may be off by: the kernel looks a hundred times a second at what
// a processor does.
struct OthersShare {
  double share = 0;
  double error = 0;
  int processors = 0;  // of which it is a share
};

class OtherWork {
 public:
  // In seconds; `own` is the processor time of this process.
  struct Reading {
    double at = 0, busy = 0, own = 0;
    int processors = 1;
  };

  // Shorter times are judged by as many seconds before their end.
  static constexpr double kMinSeconds = 2;

  // Readings come in the order of time.
  void add(const Reading& now);
  // From `begin` on, or from kMinSeconds before the last reading where that is earlier. Nothing
  // where there are fewer than two readings.
  std::optional<OthersShare> since(double begin) const;

 private:
  std::deque<Reading> readings_;
};

// Processor time that all threads of this process have had so far.
double own_processor_seconds();

// Of this process, from `begin` by steady_seconds() on, as far as it was watched. Nothing where the
// system does not say. Reads what it needs 20 times a second at most.
std::optional<OthersShare> others_share_since(double begin);

}  // namespace alsbench
