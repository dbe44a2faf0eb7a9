// SPDX-License-Identifier: Apache-2.0
#include "variants/core/stage.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "variants/als/stages.h"
#include "variants/catalog.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

// Netflix, user side (als.md's formulas, computed by hand).
Shape netflix() {
  Shape shape;
  shape.rows = 480189;
  shape.cols = 17770;
  shape.nnz = 99072112;
  shape.rank = 100;
  return shape;
}

TEST(StageWorkTest, HermitianCountsTheTriangleAndThePapersSquare) {
  const Work work = stages::hermitian.work(netflix(), {});
  EXPECT_DOUBLE_EQ(work.useful_flops, 99072112.0 * 100 * 101);
  EXPECT_DOUBLE_EQ(work.paper_flops, 2 * 99072112.0 * 100 * 100);
  EXPECT_GT(work.logical_bytes, work.compulsory_bytes);
}

TEST(StageWorkTest, HalfStorageHalvesTheMatrices) {
  WorkOptions half;
  half.storage.matrices = Scalar::fp16;
  const double saved = stages::hermitian.work(netflix(), {}).compulsory_bytes -
                       stages::hermitian.work(netflix(), half).compulsory_bytes;
  EXPECT_DOUBLE_EQ(saved, 480189.0 * 100 * 100 * 2);
}

TEST(StageWorkTest, CgReadsAOnceMoreThanItsStepsUnlessItBeginsWithZero) {
  WorkOptions cg;
  cg.config = Config({{"steps", "6"}, {"warm", "on"}});
  const Work warm = stages::solve.work(netflix(), cg);
  EXPECT_DOUBLE_EQ(warm.logical_bytes - warm.compulsory_bytes, 480189.0 * 6 * 40000);
  cg.config = cg.config.with("warm", "off");
  const Work cold = stages::solve.work(netflix(), cg);
  EXPECT_DOUBLE_EQ(cold.logical_bytes - cold.compulsory_bytes, 480189.0 * 5 * 40000);
}

TEST(StageWorkTest, AnUpdateThatNeverFormsACountsItsProducts) {
  const double elements = 99072112.0 * 100, vectors = 480189.0 * 100 * 10;
  WorkOptions cg;
  cg.config = Config({{"steps", "3"}, {"warm", "on"}});
  cg.products = Products::kept_rows;
  const Work kept = stages::update.work(netflix(), cg);
  EXPECT_DOUBLE_EQ(kept.useful_flops, elements * (4 + 4 * 2 + 2) + 3 * vectors);
  EXPECT_DOUBLE_EQ(kept.gathered_bytes, 4 * elements);
  cg.products = Products::gathered_rows;
  const Work gathered = stages::update.work(netflix(), cg);
  EXPECT_DOUBLE_EQ(gathered.useful_flops, kept.useful_flops);
  EXPECT_DOUBLE_EQ(gathered.gathered_bytes, 4 * kept.gathered_bytes);
  EXPECT_DOUBLE_EQ(gathered.compulsory_bytes, kept.compulsory_bytes);
  cg.solver_steps = 0;  // the first residual was small enough
  EXPECT_DOUBLE_EQ(stages::update.work(netflix(), cg).useful_flops, 4 * elements);
}

TEST(StageWorkTest, SixtyFourBitSizesPastTwoToThe31) {
  Shape huge = netflix();
  huge.rows = 50082603;
  huge.nnz = 3101144313;
  EXPECT_DOUBLE_EQ(stages::bias.work(huge, {}).useful_flops, 2 * 3101144313.0 * 100);
  EXPECT_EQ(copy_bytes(huge), int64_t{1} << 30);
  EXPECT_EQ(gather_copy_rows(huge), (int64_t{1} << 30) / (4 * 104));
}

TEST(StageWorkTest, BaselinesOfAnEmptyShapeStayPositive) {
  Shape empty;
  empty.rank = 1;
  EXPECT_EQ(gemm_shape(empty).batch, 1);
  EXPECT_EQ(gemm_shape(empty).k, 1);
  EXPECT_GT(copy_bytes(empty), 0);
}

TEST(StageNamesTest, EveryNameIsReadBack) {
  std::set<std::string_view> names;
  for (const Stage stage : all_stages()) {
    EXPECT_TRUE(names.insert(name_of(stage)).second) << name_of(stage) << " is there twice";
    EXPECT_EQ(stage_named(name_of(stage)), stage);
  }
  EXPECT_TRUE(names.contains("hermitian"));
  EXPECT_TRUE(names.contains("factorize_batched"));
}

TEST(StageNamesTest, WhatIsNoNameIsNothing) {
  EXPECT_EQ(stage_named(""), std::nullopt);
  EXPECT_EQ(stage_named("hermitean"), std::nullopt);
  EXPECT_EQ(backend_named("gpu"), std::nullopt);
}

}  // namespace
}  // namespace alsbench
