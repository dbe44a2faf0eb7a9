// SPDX-License-Identifier: Apache-2.0
// StageClock: what the stages of an iteration take. It waits for the device once, in the end: while
// one stage runs, the next ones are enqueued. Stages that are the same in each iteration are
// recorded once and enqueued as a whole.
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
  // Moments between stages that follow each other on a device.
  class Moments {
   public:
    explicit Moments(Device& device) : device_(&device) {}
    // A stage begins, where the last one ends. Nothing where it is the same.
    void begin(std::string stage);
    void end();
    void add_to(IterationTimes& times) const;  // waits for the last one
    void clear();

   private:
    struct Span {
      std::string stage;
      size_t start, stop;  // of events_
    };
    size_t record();  // an event, now

    Device* device_;
    std::vector<Span> spans_;
    std::vector<std::unique_ptr<Event>> events_;
    size_t used_ = 0;    // of events_
    std::string stage_;  // that runs; or empty
    size_t start_ = 0;   // its event
  };
  struct Recording {
    std::unique_ptr<RecordedWork> work;
    Moments moments;
  };

  explicit StageClock(Device& device) : device_(&device), moments_(device) {}

  // Enqueues `work` onto the device; its seconds are those of "of/stage". The first after finish()
  // includes the latency of a launch.
  void device(std::string_view of, std::string_view stage, const std::function<void()>& work);
  // Does `work` on the host, after all that was enqueued.
  void host(std::string_view of, std::string_view stage, const std::function<void()>& work);
  // The stages that `work` enqueues by this clock, which run in no other order. Null where the
  // device cannot record them (Device::record).
  std::unique_ptr<Recording> record(const std::function<void()>& work);
  // Enqueues them; between two calls of finish() once at most.
  void run(Recording& recording);
  // Waits for the device. The times since the last call.
  IterationTimes finish();

 private:
  Device* device_;
  IterationTimes times_;
  Moments moments_;
  const Recording* ran_ = nullptr;
};

}  // namespace alsbench
