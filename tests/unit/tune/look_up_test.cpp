// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "harness/tune/database/shape_distance.h"
#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

const std::string kTile8 = "hermitian:tiled:tile=8";
const std::string kTile5 = "hermitian:tiled:tile=5";

TEST(LookUp, DeviceAndShapeBucketComeFirst) {
  const TuningDatabase database(
      {entry_of(gpu(), movielens(), kTile5), entry_of(gpu("NVIDIA H100 PCIe"), netflix(), kTile5),
       entry_of(gpu(), netflix(), kTile8)},
      same_code);
  Shape alike = netflix();
  alike.rows += 1000;  // the same powers of two
  const Served served = database.look_up(query_for(gpu(), alike));
  EXPECT_EQ(served.level, ServedLevel::shape);
  EXPECT_EQ(text_of(served.steps), canonical(kTile8));
  EXPECT_FALSE(served.stale);
  ASSERT_TRUE(served.entry);
  EXPECT_EQ(served.entry->speedup_over_default(), 2);
}

TEST(LookUp, TheNearestShapeComesSecond) {
  const TuningDatabase database(
      {entry_of(gpu(), movielens(), kTile5), entry_of(gpu(), netflix(), kTile8),
       entry_of(gpu(), shape_of_size(1 << 20, 1 << 20, int64_t{1} << 28, 100), kTile5)},
      same_code);
  const Served served =
      database.look_up(query_for(gpu(), shape_of_size(300000, 20000, 60000000, 100)));
  EXPECT_EQ(served.level, ServedLevel::nearest);
  EXPECT_EQ(text_of(served.steps), canonical(kTile8));
  EXPECT_TRUE(contains(served.reason, "doublings away"));
}

TEST(LookUp, TheNearestRankGoesBeforeTheNearestSize) {
  const TuningDatabase database(
      {entry_of(gpu(), netflix(88), kTile5),
       entry_of(gpu(), shape_of_size(240000, 10000, 40000000, 100), kTile8),
       entry_of(gpu(), netflix(108), kTile5)},
      same_code);
  const Served served = database.look_up(query_for(gpu(), netflix(96)));
  EXPECT_EQ(served.level, ServedLevel::nearest);
  EXPECT_EQ(served.entry->shape.rank, 100);
}

TEST(LookUp, OneEntryServesWithinTwoDoublingsOfEachSizeAndRanksNearby) {
  const TuningDatabase database({entry_of(gpu(), netflix(), kTile8)}, same_code);
  for (const Shape& near :
       {netflix(85), netflix(102), netflix(118), shape_of_size(1900000, 17770, 99072112, 100),
        shape_of_size(480189, 71000, 99072112, 100), shape_of_size(480189, 17770, 25000000, 100)})
    EXPECT_EQ(database.look_up(query_for(gpu(), near)).level, ServedLevel::nearest);
  for (const Shape& far :
       {netflix(64), netflix(128), shape_of_size(4000000, 17770, 99072112, 100),
        shape_of_size(480189, 17770, 1000000, 100), shape_of_size(480189, 200, 99072112, 100)}) {
    const Served served = database.look_up(query_for(gpu(), far));
    EXPECT_EQ(served.level, ServedLevel::fallback) << served.line();
    EXPECT_FALSE(served.entry);
    EXPECT_TRUE(contains(served.reason, "nothing near rank:"));
  }
}

// The rules know how the time of update:fused goes with the size, but at rank 32 not that of
// update:matrix_free.
TEST(LookUp, APipelineThatNoRuleWeighsServesOneDoublingAtMost) {
  const auto level = [](const std::string& pick, int64_t rows) {
    const TuningDatabase database(
        {entry_of(gpu(), shape_of_size(2000, 2000, 100000, 32), pick, std::string(kWholePipeline))},
        same_code);
    return database.look_up(
        query_for(gpu(), shape_of_size(rows, 2000, 50 * rows, 32), std::string(kWholePipeline)));
  };
  EXPECT_EQ(level("update:matrix_free", 3900).level, ServedLevel::nearest);
  const Served far = level("update:matrix_free", 4100);
  EXPECT_EQ(far.level, ServedLevel::fallback);
  EXPECT_TRUE(contains(far.reason, "no rule weighs it here"));
  EXPECT_EQ(level("update:fused", 7900).level, ServedLevel::nearest);
}

// Netflix's entries serve a set whose users are Netflix's items, side by side.
TEST(LookUp, ATransposedSetIsServedByTheOtherSide) {
  const Shape items = shape_of_size(17770, 480189, 99072112, 100);
  TunedEntry of_items = entry_of(gpu(), items, kTile5);
  of_items.part = "theta";
  const TuningDatabase database({of_items, entry_of(gpu(), netflix(), kTile8)}, same_code);
  for (const auto& [part, shape, pick] :
       {std::tuple("x", items, kTile5), std::tuple("theta", netflix(), kTile8),
        std::tuple("x", netflix(), kTile8), std::tuple("theta", items, kTile5)}) {
    TunedQuery query = query_for(gpu(), shape);
    query.part = part;
    const Served served = database.look_up(query);
    EXPECT_EQ(served.level, ServedLevel::shape);
    EXPECT_EQ(text_of(served.steps), canonical(pick));
  }
}

TEST(LookUp, OfEntriesOfOneBucketThatOfThePartGoesFirst) {
  TunedEntry other = entry_of(gpu(), netflix(), kTile5);
  other.part = "theta";
  other.median_seconds = 0.1;
  const TuningDatabase database({other, entry_of(gpu(), netflix(), kTile8)}, same_code);
  EXPECT_EQ(database.look_up(query_for(gpu(), netflix())).entry->part, "x");
}

TEST(LookUp, AnotherDeviceOfTheArchitectureComesThird) {
  const TuningDatabase database({entry_of(gpu("Tesla T4", 75), netflix(), kTile5),
                                 entry_of(gpu("NVIDIA H100 PCIe"), netflix(), kTile8)},
                                same_code);
  const Served served = database.look_up(query_for(gpu(), netflix()));
  EXPECT_EQ(served.level, ServedLevel::architecture);
  EXPECT_EQ(text_of(served.steps), canonical(kTile8));
  EXPECT_TRUE(contains(served.reason, "NVIDIA H100 PCIe"));
}

// A CPU's tuning serves others of its instruction set, whatever their names and threads.
TEST(LookUp, AnotherCpuOfTheInstructionSetComesThird) {
  const auto processor = [](const std::string& name, int bits) {
    DeviceTraits traits;
    traits.name = name, traits.multiprocessors = 16, traits.architecture = bits;
    return traits;
  };
  const TunedEntry entry = entry_of(processor("A", 512), netflix(), "update:blocked", "pipeline");
  const TuningDatabase database({entry}, same_code);
  const auto level = [&](const std::string& name, int bits) {
    return database.look_up(query_for(processor(name, bits), netflix(), "pipeline")).level;
  };
  EXPECT_EQ(level("B", 512), ServedLevel::architecture);
  EXPECT_EQ(level("B", 256), ServedLevel::fallback);
  EXPECT_EQ(level("A", 0), ServedLevel::shape);
}

// A tuning without AMX tiles says nothing of a processor that has them.
TEST(LookUp, ACpuWithTilesIsAnotherDeviceAndArchitecture) {
  DeviceTraits processor;
  processor.name = "A", processor.multiprocessors = 16, processor.architecture = 512;
  const TunedEntry entry = entry_of(processor, netflix(), "update:blocked", "pipeline");
  const TuningDatabase database({entry}, same_code);
  EXPECT_EQ(database.look_up(query_for(processor, netflix(), "pipeline")).level,
            ServedLevel::shape);
  processor.tiles = true;
  EXPECT_EQ(database.look_up(query_for(processor, netflix(), "pipeline")).level,
            ServedLevel::fallback);
}

TEST(LookUp, AnotherNumberOfMultiprocessorsIsAnotherDevice) {
  DeviceTraits slice = gpu();
  slice.multiprocessors = 16;
  const TuningDatabase database({entry_of(slice, netflix(), kTile8)}, same_code);
  EXPECT_EQ(database.look_up(query_for(gpu(), netflix())).level, ServedLevel::architecture);
}

TEST(LookUp, TheDefaultComesLast) {
  const TuningDatabase database({}, same_code);
  for (const std::string& what : {std::string("hermitian"), std::string("solve/cg")}) {
    const Served served = database.look_up(query_for(gpu(), netflix(), what));
    EXPECT_EQ(served.level, ServedLevel::fallback);
    ASSERT_EQ(served.steps.size(), 1u);
    EXPECT_EQ(served.steps[0].config, served.steps[0].variant->space.default_config());
  }
  const Served pipeline = database.look_up(query_for(gpu(), netflix(), "pipeline"));
  EXPECT_TRUE(text_of(pipeline.steps).starts_with("update:fused:"));
  EXPECT_TRUE(contains(pipeline.reason, "; by rule: update:fused:"));
  EXPECT_THROW(database.look_up(query_for(gpu(), netflix(), "solve/cgg")), UsageError);
}

TEST(LookUp, StorageTypesAreKeptWhereAsked) {
  const std::string half = "hermitian:tiled:output=fp16";
  TunedEntry fast = entry_of(gpu(), netflix(), half);
  fast.median_seconds = 0.1;
  const TuningDatabase database({entry_of(gpu(), netflix(), kTile8), fast}, same_code);
  TunedQuery query = query_for(gpu(), netflix());
  EXPECT_EQ(text_of(database.look_up(query).steps), canonical(half));
  query.matrices = Scalar::fp32;
  EXPECT_EQ(text_of(database.look_up(query).steps), canonical(kTile8));
}

TEST(LookUp, AShapeMayBeLeftOut) {
  const TuningDatabase database(
      {entry_of(gpu(), netflix(), kTile8), entry_of(gpu(), netflix(96), kTile5)}, same_code);
  TunedQuery query = query_for(gpu(), netflix());
  query.hidden = {netflix()};
  const Served served = database.look_up(query);
  EXPECT_EQ(served.level, ServedLevel::nearest);
  EXPECT_EQ(served.entry->shape.rank, 96);
  query.hidden.push_back(netflix(96));
  EXPECT_EQ(database.look_up(query).level, ServedLevel::fallback);
}

TEST(LookUp, TheGoalMustBeTheOneAsked) {
  const TuningDatabase database({entry_of(gpu(), netflix(), kTile8)}, same_code);
  TunedQuery to_rmse = query_for(gpu(), netflix());
  to_rmse.goal = Goal::time_to_target;
  EXPECT_EQ(database.look_up(to_rmse).level, ServedLevel::fallback);
}

TEST(LookUp, TheAlgorithmMustBeTheOneAsked) {
  Algorithm other = default_algorithm();
  other.name = "other";
  const std::string pick = "update:fused";
  const TuningDatabase database({entry_of(gpu(), netflix(), pick, "pipeline")}, same_code);
  TunedQuery query = query_for(gpu(), netflix(), "pipeline");
  EXPECT_TRUE(database.look_up(query).entry);
  query.algorithm = &other;
  EXPECT_FALSE(database.look_up(query).entry);
  TunedEntry of_other = entry_of(gpu(), netflix(), pick, "pipeline");
  of_other.algorithm = &other;
  EXPECT_NE(key_of(of_other), key_of(entry_of(gpu(), netflix(), pick, "pipeline")));
  EXPECT_TRUE(TuningDatabase({of_other}, same_code).look_up(query).entry);
}

TEST(LookUp, AnEntryWhoseCodeChangedSaysSo) {
  const auto changed = [](const std::vector<PipelineStep>&, const Shape&, const DeviceTraits&) {
    return std::optional<std::string>("other code");
  };
  const Served stale = TuningDatabase({entry_of(gpu(), netflix(), kTile8)}, changed)
                           .look_up(query_for(gpu(), netflix()));
  EXPECT_TRUE(stale.stale);
  EXPECT_TRUE(contains(stale.line(), "stale"));
  const auto unknown = [](const std::vector<PipelineStep>&, const Shape&, const DeviceTraits&) {
    return std::optional<std::string>();
  };
  const Served served = TuningDatabase({entry_of(gpu(), netflix(), kTile8)}, unknown)
                            .look_up(query_for(gpu(), netflix()));
  EXPECT_FALSE(served.stale);
  EXPECT_TRUE(contains(served.line(), "not known"));
}

TEST(LookUp, AnEntryThatCannotRunThereIsPassedOver) {
  TunedEntry gone = entry_of(gpu(), netflix(), kTile8);
  gone.pick.front().config = Config().with("tile", "77");  // a value this program does not have
  EXPECT_EQ(TuningDatabase({gone}, same_code).look_up(query_for(gpu(), netflix())).level,
            ServedLevel::fallback);

  // buffers=2 needs sm_80; an entry that says it was measured on an older device is not believed.
  const DeviceTraits old = gpu("Tesla T4", 75);
  const TuningDatabase database({entry_of(old, netflix(), "hermitian:tiled:buffers=2")}, same_code);
  const Served served = database.look_up(query_for(old, netflix()));
  EXPECT_EQ(served.level, ServedLevel::fallback);
  EXPECT_TRUE(contains(served.reason, "passed over"));
  EXPECT_TRUE(contains(served.reason, "sm_80"));
}

TEST(LookUp, DevicesAreFoundByEitherSpelling) {
  const TuningDatabase database(
      {entry_of(gpu(), netflix(), kTile8), entry_of(gpu("A B"), netflix(), kTile8),
       entry_of(gpu("A-B"), netflix(), kTile8)},
      same_code);
  ASSERT_NE(database.device_named("nvidia-h200"), nullptr);
  EXPECT_EQ(database.device_named("NVIDIA H200")->name, "NVIDIA H200");
  EXPECT_EQ(database.device_named("A-B")->name, "A-B");
  EXPECT_THROW(database.device_named("a-b"), UsageError);  // two devices meet in one spelling
  EXPECT_EQ(database.device_named("nvidia-b200"), nullptr);
}

// Whatever the database holds and whatever is asked: what is served can run there, a bucket's
// answer is of that bucket, and the nearest is within reach.
TEST(LookUp, HoldsWhatItPromisesForRandomDatabasesAndQuestions) {
  std::mt19937 random(1);
  const auto below = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  const auto any_shape = [&] {
    const int64_t rows = int64_t{1} << below(24), cols = int64_t{1} << below(24);
    const std::vector<int32_t> ranks{1, 8, 33, 64, 100, 102, 128, 200, 512};
    return shape_of_size(rows, cols, rows << below(8), ranks[static_cast<size_t>(below(9))]);
  };
  const std::vector<DeviceTraits> devices{gpu(), gpu("NVIDIA H100 PCIe"), gpu("Tesla T4", 75),
                                          gpu("NVIDIA L40S", 89)};
  const std::vector<std::string> stages{"hermitian", "normal_equations", "solve"};
  std::map<std::string, std::vector<std::string>> picks;
  for (const Variant& variant : catalog())
    if (variant.backend == Backend::cuda && !variant.hidden)
      variant.space.for_each([&](const Config& config) {
        picks[std::string(name_of(variant.stage))].push_back(
            text_of(PipelineStep{&variant, config}));
      });
  std::map<ServedLevel, int> levels;
  for (int round = 0; round < 200; ++round) {
    std::vector<TunedEntry> entries;
    std::vector<Shape> shapes;
    for (int i = 0; i < 12; ++i) {
      const std::string& stage = stages[static_cast<size_t>(below(3))];
      const auto& choice = picks[stage];
      shapes.push_back(any_shape());
      entries.push_back(
          entry_of(devices[static_cast<size_t>(below(4))], shapes.back(),
                   choice[static_cast<size_t>(below(static_cast<int>(choice.size())))], stage));
    }
    const TuningDatabase database(entries, same_code);
    for (int question = 0; question < 20; ++question) {
      const Shape shape = below(2) == 0 ? any_shape() : shapes[static_cast<size_t>(below(12))];
      const TunedQuery query = query_for(devices[static_cast<size_t>(below(4))], shape,
                                         stages[static_cast<size_t>(below(3))]);
      const Served served = database.look_up(query);
      ++levels[served.level];
      ASSERT_EQ(served.steps.size(), 1u);
      if (served.entry) {
        ASSERT_EQ(objection_of(served.steps, shape, query.device), std::nullopt) << served.line();
        EXPECT_EQ(name_of(served.steps[0].variant->stage), query.what);
        EXPECT_EQ(served.entry->device.architecture, query.device.architecture);
      }
      const bool own = served.entry && served.entry->device.name == query.device.name;
      EXPECT_EQ(own, served.level == ServedLevel::shape || served.level == ServedLevel::nearest);
      if (served.level == ServedLevel::shape) {
        EXPECT_EQ(bucket_of(served.entry->shape), bucket_of(shape));
      }
      if (served.level == ServedLevel::nearest) {
        EXPECT_TRUE(is_near(served.entry->shape, shape));
      }
    }
  }
  for (const ServedLevel level :
       {ServedLevel::shape, ServedLevel::nearest, ServedLevel::architecture, ServedLevel::fallback})
    EXPECT_GT(levels[level], 0) << name_of(level) << " was never asked";
}

}  // namespace
}  // namespace alsbench
