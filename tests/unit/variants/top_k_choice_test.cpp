// SPDX-License-Identifier: Apache-2.0
#include "variants/recommend/top_k_choice.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

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
    try {
      top_k_choice(shape, traits_of_architecture(architecture), k);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message(kNetflix, 90, 513).find("at most 512 items"), std::string::npos);
  EXPECT_NE(message(kNetflix, 90, 513).find("--device cpu"), std::string::npos);
  EXPECT_NE(message(kNetflix, 75, 10).find("sm_80"), std::string::npos);
  Shape large = kNetflix;
  large.rank = 1000;
  EXPECT_NE(message(large, 90, 10).find("bytes of shared memory"), std::string::npos);
}

TEST(TopKChoice, TakesAnyNumberOfItemsOnACpu) {
  EXPECT_EQ(top_k_choice(kNetflix, DeviceTraits{}, 5000).variant->name, "blocked");
}

}  // namespace
}  // namespace alsbench
