// SPDX-License-Identifier: Apache-2.0
// Iterations that are recorded once and run as a whole, as on a GPU, give the model of those that
// are enqueued one by one.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/unit/algorithms/enqueued_work.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/forwarding_device.h"

namespace alsbench {
namespace {

// Records what is enqueued, with the addresses of that moment.
class GraphDevice : public ForwardingDevice {
 public:
  std::unique_ptr<RecordedWork> record(const std::function<void()>& work) override {
    return queue_.record([&] {
      act([this] { ++graphs_run_; });
      work();
    });
  }
  int graphs_run() const { return graphs_run_; }

  std::unique_ptr<Executable> prepare(const Variant& v, const Config& c, const Shape& s) override {
    return std::make_unique<Recorded>(*this, ForwardingDevice::prepare(v, c, s));
  }
  std::unique_ptr<Event> make_event() override {
    return std::make_unique<Moment>(*this, ForwardingDevice::make_event());
  }
  void copy(void* t, const void* s, int64_t n) override {
    act([=, this] { ForwardingDevice::copy(t, s, n); });
  }
  void fill(void* t, int byte, int64_t n) override {
    act([=, this] { ForwardingDevice::fill(t, byte, n); });
  }
  void convert(void* t, Scalar type, const void* s, int64_t n, uint32_t* overflows) override {
    act([=, this] { ForwardingDevice::convert(t, type, s, n, overflows); });
  }
  void find_largest(void* t, const FactorsView& s) override {
    act([=, this] { ForwardingDevice::find_largest(t, s); });
  }
  void quantize(Scalar type, const QuantizeParams& p) override {
    act([=, this] { ForwardingDevice::quantize(type, p); });
  }
  void share_largest(const ShareLargestParams& p) override {
    act([=, this] { ForwardingDevice::share_largest(p); });
  }
  void carry_scales(const CarryScalesParams& p) override {
    act([=, this] { ForwardingDevice::carry_scales(p); });
  }

 private:
  struct Recorded : Executable {
    Recorded(GraphDevice& owner, std::unique_ptr<Executable> real)
        : device(owner), inner(std::move(real)) {}
    void launch(const StageParams& params) override {
      device.act([this, params] { inner->launch(params); });
    }
    const std::vector<KernelReport>& kernels() const override { return inner->kernels(); }
    GraphDevice& device;
    std::unique_ptr<Executable> inner;
  };
  struct Moment : Event {
    Moment(GraphDevice& owner, std::unique_ptr<Event> real)
        : device(owner), inner(std::move(real)) {}
    void record() override {
      device.act([this] { inner->record(); });
    }
    double seconds_since(const Event& earlier) const override {
      return inner->seconds_since(*static_cast<const Moment&>(earlier).inner);
    }
    GraphDevice& device;
    std::unique_ptr<Event> inner;
  };
  void act(EnqueuedWork::Action action) { queue_.enqueue(std::move(action)); }

  EnqueuedWork queue_;
  int graphs_run_ = 0;
};

class RecordedTraining : public testing::TestWithParam<std::string> {};

TEST_P(RecordedTraining, HasTheModelOfOneThatIsNot) {
  const RatingSet set = planted_set(200, 120, 0.5);
  for (const std::string pipeline : {"exact", "update:matrix_free:steps=4,late_steps=2"}) {
    TrainOptions options = options_of(pipeline);
    options.recipe.hyper = parse_hyper(default_algorithm(), GetParam());
    GraphDevice recording;
    ForwardingDevice plain;
    const TrainResult a = train(recording, set, options), b = train(plain, set, options);
    EXPECT_GT(recording.graphs_run(), 0) << pipeline;
    ASSERT_EQ(a.iterations.size(), b.iterations.size());
    for (size_t i = 0; i < a.iterations.size(); ++i)
      EXPECT_NEAR(a.iterations[i].test_metric, b.iterations[i].test_metric, 1e-6)
          << pipeline << ", iteration " << i + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Hyper, RecordedTraining,
                         testing::Values("", "start=constant", "start=sketch",
                                         "rotated_iterations=3",
                                         "over_relaxation=0.6,first_share=0.5",
                                         "start=sketch,rotated_iterations=2"));

}  // namespace
}  // namespace alsbench
