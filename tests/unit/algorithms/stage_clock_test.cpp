// SPDX-License-Identifier: Apache-2.0
#include "harness/train/stage_clock.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tests/unit/algorithms/enqueued_work.h"
#include "tests/unit/forwarding_device.h"

namespace alsbench {
namespace {

// Time passes where the test says so. Recorded work is run by launch() alone: its events take their
// moments then.
class RecordingDevice : public ForwardingDevice {
 public:
  std::unique_ptr<Event> make_event() override { return std::make_unique<Moment>(*this); }
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override {
    return queue_.record(work);
  }
  // Work of so many seconds, enqueued.
  void enqueue(double seconds) {
    act([this, seconds] { now_ += seconds; });
  }
  int events() const { return events_; }

 private:
  struct Moment : Event {
    explicit Moment(RecordingDevice& owner) : device(owner) { ++device.events_; }
    void record() override {
      device.act([this] { at = device.now_; });
    }
    double seconds_since(const Event& earlier) const override {
      return at - static_cast<const Moment&>(earlier).at;
    }
    RecordingDevice& device;
    double at = 0;
  };
  void act(EnqueuedWork::Action action) { queue_.enqueue(std::move(action)); }

  EnqueuedWork queue_;
  double now_ = 0;
  int events_ = 0;
};

TEST(StageClock, AddsUpAStageAndNeedsOneEventBetweenStages) {
  RecordingDevice device;
  StageClock clock(device);
  clock.device("x", "update", [&] { device.enqueue(1); });
  clock.device("x", "update", [&] { device.enqueue(2); });
  clock.device("x", "convert", [&] { device.enqueue(4); });
  clock.device("theta", "update", [&] { device.enqueue(8); });
  clock.device("x", "convert", [&] { device.enqueue(16); });
  const IterationTimes times = clock.finish();
  EXPECT_EQ(times.stage_seconds, (std::map<std::string, double>{
                                     {"theta/update", 8}, {"x/convert", 20}, {"x/update", 3}}));
  EXPECT_EQ(times.seconds, 31);
  EXPECT_EQ(device.events(), 5);
  EXPECT_EQ(clock.finish().seconds, 0);
}

TEST(StageClock, LeavesTheHostsTimeToTheHost) {
  RecordingDevice device;
  StageClock clock(device);
  clock.device("x", "gram", [&] { device.enqueue(1); });
  device.enqueue(100);  // of no stage
  clock.host("x", "eigenvectors", [&] { device.enqueue(100); });
  clock.device("x", "rotate", [&] { device.enqueue(2); });
  const IterationTimes times = clock.finish();
  EXPECT_EQ(times.stage_seconds.at("x/rotate"), 2);
  EXPECT_LT(times.stage_seconds.at("x/eigenvectors"), 1);
}

TEST(StageClock, HasTheTimesOfARecordingEachTimeItRuns) {
  RecordingDevice device;
  StageClock clock(device);
  double seconds = 1;
  const auto recording = clock.record([&] {
    clock.device("x", "update", [&] { device.enqueue(seconds); });
    clock.device("theta", "update", [&] { device.enqueue(2 * seconds); });
  });
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(clock.finish().seconds, 0);  // nothing has run
  seconds = 100;                         // the recording stays as it is
  for (int iteration = 0; iteration < 3; ++iteration) {
    clock.device("x", "upload", [&] { device.enqueue(4); });
    clock.run(*recording);
    const IterationTimes times = clock.finish();
    EXPECT_EQ(times.stage_seconds, (std::map<std::string, double>{
                                       {"theta/update", 2}, {"x/update", 1}, {"x/upload", 4}}));
  }
}

TEST(StageClock, RecordsNothingOnACpu) {
  ForwardingDevice device;
  StageClock clock(device);
  EXPECT_EQ(clock.record([] { FAIL(); }), nullptr);
}

}  // namespace
}  // namespace alsbench
