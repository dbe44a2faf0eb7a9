// SPDX-License-Identifier: Apache-2.0
// StageClock: what the stages of an iteration take. It waits for the device once, in the end: while
// one stage runs, the next ones are enqueued.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.h"
#include "harness/train/training.h"

namespace alsbench {

class StageClock {
 public:
  explicit StageClock(Device& device) : device_(&device) {}

  // Enqueues `work` onto the device; its seconds are those of "of/stage". The first after finish()
  // includes the latency of a launch.
  void device(std::string_view of, std::string_view stage, const std::function<void()>& work);
  // Does `work` on the host, after all that was enqueued.
  void host(std::string_view of, std::string_view stage, const std::function<void()>& work);
  // Waits for the device. The times since the last call.
  IterationTimes finish();

 private:
  struct Span {
    std::string stage;
    size_t start, stop;  // of events_
  };
  size_t record();  // an event, now

  Device* device_;
  IterationTimes times_;
  std::vector<Span> spans_;
  std::vector<std::unique_ptr<Event>> events_;
  size_t used_ = 0;             // of events_
  bool at_last_event_ = false;  // nothing was done since the last one
};

}  // namespace alsbench
