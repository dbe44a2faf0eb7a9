// SPDX-License-Identifier: Apache-2.0
#include "harness/train/stage_clock.h"

#include <utility>

#include "base/clock.h"

namespace alsbench {
namespace {

std::string name_of_stage(std::string_view of, std::string_view stage) {
  return std::string(of) + "/" + std::string(stage);
}

}  // namespace

void StageClock::device(std::string_view of, std::string_view stage,
                        const std::function<void()>& work) {
  const size_t start = at_last_event_ ? used_ - 1 : record();
  work();
  spans_.push_back({name_of_stage(of, stage), start, record()});
  at_last_event_ = true;
}

void StageClock::host(std::string_view of, std::string_view stage,
                      const std::function<void()>& work) {
  device_->synchronize();
  const Clock::time_point start = Clock::now();
  work();
  times_.add(name_of_stage(of, stage), seconds_since(start));
  at_last_event_ = false;
}

IterationTimes StageClock::finish() {
  device_->synchronize();
  for (const Span& span : spans_)
    times_.add(span.stage, events_[span.stop]->seconds_since(*events_[span.start]));
  spans_.clear();
  used_ = 0;
  at_last_event_ = false;
  return std::exchange(times_, {});
}

size_t StageClock::record() {
  if (used_ == events_.size()) events_.push_back(device_->make_event());
  events_[used_]->record();
  return used_++;
}

}  // namespace alsbench
