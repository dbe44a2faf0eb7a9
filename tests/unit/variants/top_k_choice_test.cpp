// SPDX-License-Identifier: Apache-2.0
#include "variants/recommend/top_k_choice.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/texts.h"

namespace alsbench {
namespace {

constexpr Shape kNetflix{.rows = 480189, .cols = 17770, .nnz = 99072112, .rank = 100};

TEST(TopKChoice, KeepsRoomForTwiceTheItemsOnEveryGpu) {
  for (const int architecture : {80, 86, 89, 90, 100, 120})
    for (const int k : {1, 100, 256, 257, 512}) {
      const TopKChoice choice = top_k_choice(kNetflix, traits_of_architecture(architecture), k);
      EXPECT_GE(choice.config.integer("capacity"), 2 * k) << architecture;
    }
}

TEST(TopKChoice, SaysWhatAGpuCannotFind) {
  const auto message = [](const Shape& shape, int architecture, int k) -> std::string {
    return thrown_by([&] { top_k_choice(shape, traits_of_architecture(architecture), k); });
  };
  EXPECT_TRUE(contains(message(kNetflix, 90, 513), "at most 512 items"));
  EXPECT_TRUE(contains(message(kNetflix, 90, 513), "--device cpu"));
  EXPECT_TRUE(contains(message(kNetflix, 75, 10), "sm_80"));
  Shape large = kNetflix;
  large.rank = 1000;
  EXPECT_TRUE(contains(message(large, 90, 10), "bytes of shared memory"));
}

TEST(TopKChoice, TakesAnyNumberOfItemsOnACpu) {
  EXPECT_EQ(top_k_choice(kNetflix, DeviceTraits{}, 5000).variant->name, "blocked");
}

}  // namespace
}  // namespace alsbench
