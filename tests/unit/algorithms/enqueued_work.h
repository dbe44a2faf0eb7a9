// SPDX-License-Identifier: Apache-2.0
// EnqueuedWork: for devices of tests that record. What is enqueued is done at once, or kept, with
// its arguments of that moment, while the device records.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/device/device.h"

namespace alsbench {

class EnqueuedWork {
 public:
  using Action = std::function<void()>;

  // Keeps all that `work` enqueues and does none of it; launch() does it in order.
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) {
    recorded_.emplace();
    work();
    return std::make_unique<Replay>(std::exchange(recorded_, std::nullopt).value());
  }
  void enqueue(Action action) {
    if (recorded_)
      recorded_->push_back(std::move(action));
    else
      action();
  }

 private:
  struct Replay : RecordedWork {
    explicit Replay(std::vector<Action> all) : actions(std::move(all)) {}
    void launch() override {
      for (const Action& action : actions) action();
    }
    std::vector<Action> actions;
  };
  std::optional<std::vector<Action>> recorded_;
};

}  // namespace alsbench
