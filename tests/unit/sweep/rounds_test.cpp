// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/rounds.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace alsbench {
namespace {

const StopRule kRule{.min_samples = 4, .max_samples = 10, .max_noise = 0.01, .max_seconds = 60};

std::vector<Measurement> measurements(std::initializer_list<const char*> names) {
  std::vector<Measurement> list;
  for (const char* name : names) {
    list.emplace_back();
    list.back().name = name;
  }
  return list;
}

TEST(Rounds, EachMeasurementStopsByItsOwnRule) {
  auto list = measurements({"steady/cold", "noisy/cold", "broken/cold"});
  int calls = 0, broken_calls = 0;
  measure_interleaved(list, kRule, 1, [&](size_t index) -> std::optional<Sample> {
    ++calls;
    if (index == 2) return ++broken_calls < 2 ? std::optional(Sample{1, 1}) : std::nullopt;
    return Sample{index == 0 ? 0.5 : 0.5 + 0.1 * (calls % 5), 0.75};
  });
  EXPECT_EQ(list[0].stop_reason, "noise");
  EXPECT_EQ(list[0].samples.size(), 4u);
  EXPECT_EQ(list[1].stop_reason, "samples");
  EXPECT_EQ(list[1].samples.size(), 10u);
  EXPECT_EQ(list[2].stop_reason, "");
  EXPECT_EQ(broken_calls, 2);
}

// Of a sample of 0.5 s in which a thread waited for so long.
Sample waited(double seconds) {
  Sample sample{0.5 + seconds, 0.5 + seconds};
  sample.contention.processor = ProcessorUse{1, seconds, 3, 4};
  return sample;
}

TEST(Rounds, DisturbedSamplesAreTakenAgain) {
  auto list = measurements({"sometimes"});
  int calls = 0;
  measure_interleaved(list, kRule, 1, [&](size_t) {
    return std::optional(waited(++calls % 3 == 0 ? 0.4 : 0.001));
  });
  EXPECT_EQ(list[0].stop_reason, "noise");
  EXPECT_EQ(list[0].samples.size(), 4u);
  EXPECT_FALSE(list[0].left_out.empty());
  for (const Sample& sample : list[0].samples) EXPECT_DOUBLE_EQ(sample.seconds, 0.501);
}

TEST(Rounds, ThreeSamplesThatNothingDisturbedHaveAMedianOfTheirOwn) {
  auto list = measurements({"mostly"});
  int calls = 0;
  measure_interleaved(list, kRule, 1, [&](size_t) {
    return std::optional(waited(++calls % 10 == 0 ? 0.001 : 0.4));
  });
  EXPECT_EQ(list[0].stop_reason, "time");
  EXPECT_EQ(list[0].samples.size(), 3u);
  EXPECT_GT(list[0].left_out.size(), list[0].samples.size());
  for (const Sample& sample : list[0].samples) EXPECT_DOUBLE_EQ(sample.seconds, 0.501);
}

TEST(Rounds, AMeasurementThatIsAlwaysDisturbedEndsAndSaysSo) {
  auto list = measurements({"always"});
  measure_interleaved(list, kRule, 1, [&](size_t) { return std::optional(waited(0.5)); });
  EXPECT_EQ(list[0].stop_reason, "disturbed");
  EXPECT_EQ(static_cast<int64_t>(list[0].samples.size()), kPatience * kRule.max_samples);
  EXPECT_TRUE(list[0].left_out.empty());
}

// Of two threads on two processors that nobody kept waiting, while others had this share of them.
Sample unhindered(double others) {
  Sample sample{0.5, 0.5};
  sample.contention.processor = ProcessorUse{1, 0, 0, 4, others, 0.075, 2, 2};
  return sample;
}

TEST(Rounds, AMedianBesideAsMuchOtherWorkIsMarkedThoughNoThreadWaited) {
  for (const auto& [others, reason] : {std::pair(0.098, "noise"), std::pair(0.45, "disturbed")}) {
    auto list = measurements({"shared"});
    measure_interleaved(list, kRule, 1, [&](size_t) { return std::optional(unhindered(others)); });
    EXPECT_EQ(list[0].stop_reason, reason);
    EXPECT_EQ(list[0].samples.size(), 4u) << "more of them would not be better";
    EXPECT_TRUE(list[0].left_out.empty());
  }
}

TEST(Rounds, SamplesThatNothingDisturbedKeepTheirMedianOnACrowdedMachine) {
  auto list = measurements({"shared"});
  int calls = 0;
  measure_interleaved(list, kRule, 1, [&](size_t) {
    Sample sample = unhindered(0.45);
    if (++calls % 2 == 0) sample.seconds = 0.9, sample.contention.processor->waited_seconds = 0.4;
    return std::optional(sample);
  });
  EXPECT_EQ(list[0].stop_reason, "disturbed");
  EXPECT_FALSE(list[0].left_out.empty());
  for (const Sample& sample : list[0].samples) EXPECT_DOUBLE_EQ(sample.seconds, 0.5);
}

TEST(Rounds, FewCrowdedSamplesMarkNothing) {
  auto list = measurements({"shortly"});
  int calls = 0;
  measure_interleaved(list, kRule, 1,
                      [&](size_t) { return std::optional(unhindered(++calls <= 2 ? 0.45 : 0)); });
  EXPECT_EQ(list[0].stop_reason, "noise");
}

TEST(Rounds, OrderDependsOnTheSeedAlone) {
  const auto order_of = [](uint64_t seed) {
    auto list = measurements({"a", "b", "c", "d"});
    std::vector<size_t> order;
    measure_interleaved(list, kRule, seed, [&](size_t index) {
      order.push_back(index);
      return std::optional(Sample{1, 1});
    });
    return order;
  };
  EXPECT_EQ(order_of(1), order_of(1));
  EXPECT_NE(order_of(1), order_of(2));
}

TEST(Rounds, SaysOnceOfEachMeasurementThatItIsDecided) {
  auto list = measurements({"steady", "noisy", "broken"});
  std::vector<size_t> decided;
  int calls = 0;
  measure_interleaved(
      list, kRule, 1,
      [&](size_t index) -> std::optional<Sample> {
        ++calls;
        if (index == 2) return std::nullopt;
        return Sample{index == 0 ? 0.5 : 0.5 + 0.1 * (calls % 5), 0.5};
      },
      [&](size_t index) {
        decided.push_back(index);
        EXPECT_EQ(list[index].stop_reason.empty(), index == 2);
      });
  EXPECT_EQ(decided, (std::vector<size_t>{2, 0, 1}));
}

TEST(Rounds, AMillionSamplesBeginAtOnce) {
  auto list = measurements({"many"});
  constexpr StopRule kMany{
      .min_samples = 1'000'000, .max_samples = 1'000'000, .max_noise = 0, .max_seconds = 600};
  int calls = 0;
  measure_interleaved(list, kMany, 1, [&](size_t) {
    return ++calls < 2500 ? std::optional(Sample{1, 1}) : std::nullopt;
  });
  EXPECT_EQ(list[0].samples.size(), 2499u);
}

TEST(Rounds, ExceptionEndsTheMeasuring) {
  auto list = measurements({"a", "b"});
  int calls = 0;
  EXPECT_THROW(measure_interleaved(list, kRule, 1,
                                   [&](size_t) -> std::optional<Sample> {
                                     ++calls;
                                     throw std::runtime_error("stop");
                                   }),
               std::runtime_error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace alsbench
