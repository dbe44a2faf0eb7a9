// SPDX-License-Identifier: Apache-2.0
// The checks of implicit ALS accept what is right where ratings are zero and below, and catch
// variants that are wrong in one place.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/stage/verifier.h"
#include "kernels/shared/params/implicit.h"
#include "tests/contract/awkward_problems.h"
#include "tests/unit/texts.h"
#include "variants/catalog.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

constexpr int32_t kImplicitRank = 10;
constexpr int64_t kImplicitRow = 20;  // of the ragged set; it has ratings

// The ragged set with ratings from -1 on.
RatingSet set_with_zeros() {
  const RatingSet ragged = testing::ragged_set();
  std::vector<Rating> ratings;
  for (int32_t row = 0; row < ragged.by_user.rows; ++row)
    for (int64_t k = ragged.by_user.offsets[row]; k < ragged.by_user.offsets[row + 1]; ++k)
      ratings.push_back({row, ragged.by_user.indices[k], ragged.by_user.values[k] - 1.5f});
  return testing::rating_set("zeros", std::move(ratings), ragged.by_user.rows, ragged.by_user.cols);
}

class ImplicitCheckTest : public ::testing::Test {
 protected:
  // The variant's outcome where `spoil` changes what it has written.
  template <class Params>
  Verification verified(Stage stage, const char* name, void (*spoil)(Params&),
                        const std::string& part = "x") {
    const Variant& original = variant_named(stage, name, Backend::cpu);
    Variant fake = original;
    fake.run = [&original, spoil](const Config& config, const Shape& shape,
                                  const StageParams& params, const RunContext& context) {
      original.run(config, shape, params, context);
      auto outputs = params.as<Params>();
      spoil(outputs);
    };
    const Config config = fake.space.default_config();
    const auto fixture = make_fixture({problem_, stage, part, storage_of(fake, config), 1});
    const auto executable = device_->prepare(fake, config, fixture->shape());
    ReferenceCache references;
    return verify({*fixture, fake, config, *executable, references});
  }
  Verification verified_equations(void (*spoil)(ImplicitParams&), const std::string& part = "x") {
    return verified<ImplicitParams>(&stages::implicit_equations, "blocked", spoil, part);
  }

  std::unique_ptr<Device> device_ = open_cpu_device(2);
  RatingSet set_ = set_with_zeros();
  DeviceProblem problem_{*device_, set_, kImplicitRank, 0.05f};
};

float& matrix_element(ImplicitParams& params, int64_t row, int i, int j) {
  return static_cast<float*>(params.update.matrices)[(row * kImplicitRank + i) * kImplicitRank + j];
}

TEST_F(ImplicitCheckTest, RatingsOfZeroAndBelowAreRight) {
  for (const char* part : {"x", "theta"})
    for (const char* variant : {"naive", "blocked"}) {
      const Verification result = verified<ImplicitParams>(
          &stages::implicit_equations, variant, [](ImplicitParams&) {}, part);
      EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
      EXPECT_EQ(result.rows_checked, problem_.shape(*side_named(part)).rows);
    }
  const Verification loss =
      verified<ImplicitLossParams>(&stages::implicit_loss, "rows", [](ImplicitLossParams&) {});
  EXPECT_EQ(name_of(loss.outcome), "ok") << loss.detail;
}

TEST_F(ImplicitCheckTest, AWrongElementIsFoundAndNamed) {
  const Verification result = verified_equations([](ImplicitParams& params) {
    matrix_element(params, kImplicitRow, 4, 2) *= 1.0001f;
    matrix_element(params, kImplicitRow, 2, 4) *= 1.0001f;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "row 20"));
  EXPECT_TRUE(contains(result.detail, "A(2, 4)"));
}

TEST_F(ImplicitCheckTest, AGramMatrixThatIsLeftOutIsWrong) {
  const Verification result = verified_equations([](ImplicitParams& params) {
    for (int i = 0; i < kImplicitRank; ++i)
      for (int j = 0; j < kImplicitRank; ++j)
        matrix_element(params, kImplicitRow, i, j) -= params.gram[i * kImplicitRank + j];
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
}

TEST_F(ImplicitCheckTest, LambdaIsPlainOnOneSideAndWeightedOnTheOther) {
  const auto swap = [](ImplicitParams& params) {
    const UpdateParams& update = params.update;
    const int64_t* offsets = update.ratings.offsets + kImplicitRow;
    const float weighted = update.lambda * static_cast<float>(offsets[1] - offsets[0]);
    const float difference = weighted - update.lambda;
    for (int i = 0; i < kImplicitRank; ++i)
      matrix_element(params, kImplicitRow, i, i) += params.weighted != 0 ? -difference : difference;
  };
  for (const char* part : {"x", "theta"})
    EXPECT_EQ(name_of(verified_equations(swap, part).outcome), "wrong") << part;
}

TEST_F(ImplicitCheckTest, ARatingOfZeroThatCountsAsPreferredIsWrong) {
  const Verification result = verified_equations([](ImplicitParams& params) {
    const UpdateParams& update = params.update;
    for (int64_t k = update.ratings.offsets[kImplicitRow];
         k < update.ratings.offsets[kImplicitRow + 1]; ++k) {
      if (update.ratings.values[k] != 0) continue;
      const float* theta = static_cast<const float*>(update.factors.data) +
                           update.ratings.indices[k] * int64_t{update.factors.pitch};
      for (int i = 0; i < kImplicitRank; ++i)
        update.bias[kImplicitRow * update.solution.pitch + i] += theta[i];
    }
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
}

TEST_F(ImplicitCheckTest, AnUnwrittenElementIsSeen) {
  const Verification result = verified_equations([](ImplicitParams& params) {
    params.update.bias[kImplicitRow * params.update.solution.pitch] = std::nanf("");
  });
  EXPECT_EQ(name_of(result.outcome), "nan");
}

TEST_F(ImplicitCheckTest, ALossThatIsOffIsWrong) {
  const Verification result =
      verified<ImplicitLossParams>(&stages::implicit_loss, "rows", [](ImplicitLossParams& params) {
        for (int i = 0; i < kLossPartials; ++i) params.losses[i] *= 1.001;
      });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "loss"));
}

}  // namespace
}  // namespace alsbench
