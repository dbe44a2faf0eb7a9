// SPDX-License-Identifier: Apache-2.0
// Which solutions of one system pass.
#include "harness/stage/als/system_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/stage/tolerance.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

using reference::Vector;

constexpr int kSystemRank = 6, kRatings = 60, kSteps = 3;

// A_u and b_u of a row with random factors and ratings.
CheckedSystem random_system() {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0, 0.2);
  CheckedSystem system;
  system.count = kRatings;
  system.steps = kSteps;
  system.diagonal = 0.01 * kRatings;
  system.input_error = sum_tolerance(kRatings);
  system.a.assign(kSystemRank * kSystemRank, 0.0);
  system.b.assign(kSystemRank, 0.0);
  for (int k = 0; k < kRatings; ++k) {
    Vector theta(kSystemRank);
    for (double& value : theta) value = uniform(generator);
    for (int i = 0; i < kSystemRank; ++i) {
      system.b[i] += 3.5 * theta[i];
      for (int j = 0; j < kSystemRank; ++j) system.a[i * kSystemRank + j] += theta[i] * theta[j];
    }
  }
  for (int i = 0; i < kSystemRank; ++i) system.a[i * kSystemRank + i] += system.diagonal;
  system.magnitude = system.b;
  system.start.assign(kSystemRank, 0.0);
  return system;
}

RowCheck checked(const CheckedSystem& system, std::string_view config = "warm=off,steps=3") {
  const Variant& variant = variant_named(&stages::update, "fused", Backend::cuda);
  RowCheck check;
  check_system(variant, variant.space.parse(config), system, check);
  return check;
}

TEST(CheckSystem, ARoundedMatrixIsRightForTheVariantThatKeepsItInHalf) {
  CheckedSystem system = random_system();
  const Vector rounded = reference::with_rounded_sums(system.a, system.diagonal);
  system.x = reference::conjugate_gradient_in_float(rounded, system.b, system.start, {kSteps});
  EXPECT_TRUE(checked(system).wrong());
  system.storage = Scalar::fp16;
  const RowCheck check = checked(system);
  EXPECT_FALSE(check.wrong()) << check.error << " of " << check.tolerance;
  system.x = reference::conjugate_gradient_in_float(system.a, system.b, system.start, {kSteps});
  EXPECT_TRUE(checked(system).wrong());
}

// The right one is preconditioned where the configuration says so, and only there.
TEST(CheckSystem, APreconditionedSolutionIsRightForThatConfigurationAlone) {
  CheckedSystem system = random_system();
  for (int i = 0; i < kSystemRank; ++i)
    system.a[i * (kSystemRank + 1)] *= 1 + i;  // else Jacobi changes little
  for (const Scalar storage : {Scalar::fp32, Scalar::fp16}) {
    system.storage = storage;
    const Vector seen = storage == Scalar::fp32
                            ? system.a
                            : reference::with_rounded_sums(system.a, system.diagonal);
    system.x = reference::conjugate_gradient_in_float(
        seen, system.b, system.start,
        {.steps = kSteps, .diagonal = reference::diagonal_of(system.a)});
    const RowCheck check = checked(system, "warm=off,steps=3,precondition=jacobi");
    EXPECT_FALSE(check.wrong()) << check.error << " of " << check.tolerance;
    EXPECT_TRUE(checked(system).wrong());
  }
}

}  // namespace
}  // namespace alsbench
