// SPDX-License-Identifier: Apache-2.0
#include "harness/record/counters.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alsbench {
namespace {

Counters kernel(double seconds, double cycles, double dram_share) {
  Counters counters;
  counters.seconds = seconds;
  counters.cycles = cycles;
  counters.active = 0.5;
  counters.dram_read_bytes = 100 * seconds;
  counters.dram = dram_share;
  counters.stalls = {{"long_scoreboard", seconds / 10}};
  return counters;
}

template <class T>
Json through_json(const T& value, T (*read)(const JsonField&)) {
  const Json json = to_json(value);
  return to_json(read(JsonField(json)));
}

TEST(Counters, AddUpBytesAndWeighSharesByCycles) {
  const Counters all = sum_of({kernel(1, 10, 0.2), kernel(3, 30, 0.6)});
  EXPECT_DOUBLE_EQ(all.seconds, 4);
  EXPECT_DOUBLE_EQ(all.dram_read_bytes, 400);
  EXPECT_DOUBLE_EQ(all.dram, 0.5);
  EXPECT_DOUBLE_EQ(all.active, 0.5);
  EXPECT_DOUBLE_EQ(all.clock_hz(), 10);
}

TEST(Counters, OfSeveralKernelsHaveTheStallsOfTheLongest) {
  EXPECT_DOUBLE_EQ(sum_of({kernel(1, 1, 0), kernel(3, 1, 0), kernel(2, 1, 0)}).stalls[0].share,
                   0.3);
}

TEST(Counters, ThatOneKernelLacksAreUnknownOfAll) {
  Counters other = kernel(1, 1, 0);
  other.dram_read_bytes = Counters::kUnknown;
  EXPECT_TRUE(std::isnan(sum_of({kernel(1, 1, 0), other}).dram_read_bytes));
}

TEST(Counters, AreReadAsTheyWereWritten) {
  const CountersRecord record{{kernel(1, 10, 0.25), kernel(2, 20, 0.5)}, 9, {}};
  EXPECT_EQ(through_json(record, read_as<CountersRecord>), to_json(record));
  EXPECT_TRUE(to_json(record)["kernels"][0]["l2_bytes"].is_null());  // unknown, never zero
}

TEST(Counters, SayWhyThereAreNone) {
  const CountersRecord record{
      {},
      0,
      CountersFailure{CountersFailureKind::permission, "not allowed", "ask the administrator"}};
  EXPECT_EQ(through_json(record, read_as<CountersRecord>), to_json(record));
  EXPECT_FALSE(record.counted());
  Json damaged = to_json(record);
  damaged["refusal"]["why"] = "mood";
  EXPECT_THROW(read_as<CountersRecord>(JsonField(damaged)), UsageError);
}

TEST(Counters, NameEveryReasonWhyThereAreNone) {
  for (const CountersFailureKind why :
       {CountersFailureKind::permission, CountersFailureKind::library, CountersFailureKind::build,
        CountersFailureKind::unsupported, CountersFailureKind::busy, CountersFailureKind::failed})
    EXPECT_EQ(named<CountersFailureKind>(name_of(why)), why);
}

}  // namespace
}  // namespace alsbench
