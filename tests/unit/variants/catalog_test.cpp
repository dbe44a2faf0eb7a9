// SPDX-License-Identifier: Apache-2.0
#include "variants/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/texts.h"
#include "variants/als/stages.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

TEST(CatalogTest, EveryVariantIsNamedOnceAndRunnable) {
  std::set<std::string> ids;
  for (const Variant& variant : catalog()) {
    EXPECT_TRUE(ids.insert(variant.id()).second) << variant.id() << " is there twice";
    EXPECT_FALSE(variant.summary.empty()) << variant.id();
    EXPECT_FALSE(variant.plan && variant.run) << variant.id();
    // vendor-library variants are listed without their code in a build without CUDA
    if (variant.backend == Backend::cpu || ALSBENCH_WITH_CUDA) {
      EXPECT_TRUE(variant.plan || variant.run) << variant.id();
    }
  }
}

TEST(CatalogTest, TheCpuHasAVariantOfEveryStageItsTrainerAndCeilingsNeed) {
  for (const Stage stage :
       {&stages::hermitian, &stages::bias, &stages::solve, &stages::rmse, *stage_named("copy"),
        *stage_named("read"), *stage_named("gather_copy"), *stage_named("spin"),
        *stage_named("gemm_batched"), *stage_named("factorize_batched")}) {
    bool found = false;
    for (const Variant& variant : catalog())
      found = found || (variant.stage == stage && variant.backend == Backend::cpu);
    EXPECT_TRUE(found) << name_of(stage);
  }
}

TEST(CatalogTest, AnUnknownVariantNamesTheNearest) {
  EXPECT_EQ(find_variant(&stages::solve, "cgs", Backend::cpu), nullptr);
  EXPECT_TRUE(contains(thrown_by([&] { variant_named(&stages::solve, "colesky", Backend::cpu); }),
                       "did you mean 'cholesky'"));
}

TEST(CatalogTest, AVariantOfAnotherBackendObjects) {
  DeviceTraits cuda;
  cuda.backend = Backend::cuda;
  const Variant& variant = variant_named(&stages::solve, "cg", Backend::cpu);
  const Config config = variant.space.default_config();
  EXPECT_EQ(objection_of(variant, config, Shape{.rank = 10}, cuda), "needs a cpu device");
  EXPECT_TRUE(objection_of(variant, config, Shape{.rank = 0}, DeviceTraits{}).has_value());
  EXPECT_FALSE(objection_of(variant, config, Shape{.rank = 10}, DeviceTraits{}).has_value());
}

}  // namespace
}  // namespace alsbench
