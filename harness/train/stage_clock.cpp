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

void StageClock::Moments::begin(std::string stage) {
  if (stage == stage_) return;
  const size_t now = record();
  if (!stage_.empty()) spans_.push_back({std::move(stage_), start_, now});
  stage_ = std::move(stage);
  start_ = now;
}

void StageClock::Moments::end() {
  if (!stage_.empty()) spans_.push_back({std::exchange(stage_, {}), start_, record()});
}

void StageClock::Moments::add_to(IterationTimes& times) const {
  for (const Span& span : spans_)
    times.add(span.stage, events_[span.stop]->seconds_since(*events_[span.start]));
}

void StageClock::Moments::clear() {
  spans_.clear();
  used_ = 0;
}

size_t StageClock::Moments::record() {
  if (used_ == events_.size()) events_.push_back(device_->make_event());
  events_[used_]->record();
  return used_++;
}

void StageClock::device(std::string_view of, std::string_view stage,
                        const std::function<void()>& work) {
  moments_.begin(name_of_stage(of, stage));
  work();
}

void StageClock::host(std::string_view of, std::string_view stage,
                      const std::function<void()>& work) {
  moments_.end();
  device_->synchronize();
  const Clock::time_point start = Clock::now();
  work();
  times_.add(name_of_stage(of, stage), seconds_since(start));
}

std::unique_ptr<StageClock::Recording> StageClock::record(const std::function<void()>& work) {
  Moments before = std::exchange(moments_, Moments(*device_));
  auto recorded = device_->record([&] {
    work();
    moments_.end();
  });
  Moments recording = std::exchange(moments_, std::move(before));
  if (recorded == nullptr) return nullptr;
  return std::make_unique<Recording>(Recording{std::move(recorded), std::move(recording)});
}

void StageClock::run(Recording& recording) {
  moments_.end();
  recording.work->launch();
  ran_ = &recording;
}

IterationTimes StageClock::finish() {
  moments_.end();
  device_->synchronize();
  moments_.add_to(times_);
  moments_.clear();
  if (const Recording* const ran = std::exchange(ran_, nullptr)) ran->moments.add_to(times_);
  return std::exchange(times_, {});
}

}  // namespace alsbench
