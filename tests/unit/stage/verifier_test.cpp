// SPDX-License-Identifier: Apache-2.0
// The verifier catches variants that are wrong in one place: fakes that spoil the output of a right
// one.
#include "harness/stage/verifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/stage/als/reference_rows.h"
#include "kernels/shared/params/ceiling.h"
#include "kernels/shared/spin.h"
#include "tests/contract/awkward_problems.h"
#include "tests/unit/texts.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

constexpr int32_t kRank = 10;
constexpr int64_t kRow = 20;  // of the ragged set; it has ratings

using Spoil = std::function<void(UpdateParams&)>;

// A variant that runs `original` and then spoils its output.
Variant spoiled(const Variant& original, const Spoil& spoil) {
  Variant fake = original;
  fake.run = [&original, spoil](const Config& config, const Shape& shape, const StageParams& params,
                                const RunContext& context) {
    original.run(config, shape, params, context);
    auto update = params.as<UpdateParams>();
    spoil(update);
  };
  return fake;
}

class VerifierTest : public ::testing::Test {
 protected:
  Verification verify_variant(const Variant& variant, const std::string& point = "") {
    const Config config = variant.space.parse(point);
    const auto made = make_fixture({problem_, variant.stage, "x", storage_of(variant, config), 1});
    StageFixture& fixture = *made;
    const auto executable = device_->prepare(variant, config, fixture.shape());
    ReferenceCache references;
    return verify({fixture, variant, config, *executable, references});
  }
  Verification verify_spoiled(Stage stage, const char* name, const Spoil& spoil,
                              const std::string& point = "") {
    return verify_variant(spoiled(variant_named(stage, name, Backend::cpu), spoil), point);
  }

  std::unique_ptr<Device> device_ = open_cpu_device();
  RatingSet set_ = testing::ragged_set();
  DeviceProblem problem_{*device_, set_, kRank, 0.05f};
};

float& matrix_element(const UpdateParams& params, int64_t row, int i, int j) {
  return static_cast<float*>(params.matrices)[(row * kRank + i) * kRank + j];
}

float& solution_element(const UpdateParams& params, int64_t row, int i) {
  return static_cast<float*>(params.solution.data)[row * params.solution.pitch + i];
}

TEST_F(VerifierTest, AcceptsARightVariantAndReportsItsError) {
  const Verification result =
      verify_variant(variant_named(&stages::hermitian, "naive", Backend::cpu));
  EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
  EXPECT_EQ(result.rows_checked, set_.by_user.rows);
  EXPECT_GT(result.max_error, 0);
  EXPECT_LE(result.max_error, result.tolerance);
}

TEST_F(VerifierTest, AcceptsAVariantThatDoesSomeOfItsWorkTwice) {
  const Variant& planted = variant_named(&stages::hermitian, "planted", Backend::cpu);
  const Verification result = verify_variant(planted, "extra=150");
  EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
}

TEST_F(VerifierTest, OneWrongEntryOfAIsFoundAndNamed) {
  const Verification result = verify_spoiled(&stages::hermitian, "naive", [](UpdateParams& params) {
    matrix_element(params, kRow, 4, 2) *= 1.0001f;
    matrix_element(params, kRow, 2, 4) *= 1.0001f;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_GT(result.max_error, result.tolerance);
  EXPECT_TRUE(contains(result.detail, "row 20"));
  EXPECT_TRUE(contains(result.detail, "A(2, 4)"));
}

TEST_F(VerifierTest, LambdaWithoutTheRatingCountIsWrong) {
  const Verification result = verify_spoiled(&stages::hermitian, "naive", [](UpdateParams& params) {
    for (int i = 0; i < kRank; ++i) matrix_element(params, kRow, i, i) -= 18 * params.lambda;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong") << result.detail;
}

TEST_F(VerifierTest, AsymmetryWithinTheToleranceIsWrong) {
  const Verification result = verify_spoiled(&stages::hermitian, "naive", [](UpdateParams& params) {
    float& element = matrix_element(params, kRow, 4, 2);
    element = std::nextafter(element, 1.0f);
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "symmetric"));
}

TEST_F(VerifierTest, TheCopyOfASolutionIsTheSolutionToTheBit) {
  const Verification result = verify_spoiled(
      &stages::update, "blocked",
      [](UpdateParams& params) {
        ++static_cast<uint16_t*>(params.rounded)[kRow * params.solution.pitch + 3];
      },
      "factors=fp16");
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "row 20"));
  EXPECT_TRUE(contains(result.detail, "its copy in fp16"));
}

TEST_F(VerifierTest, NanIsAClassOfItsOwn) {
  const Verification result = verify_spoiled(&stages::bias, "rows", [](UpdateParams& params) {
    params.bias[kRow * params.solution.pitch + 3] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(name_of(result.outcome), "nan") << result.detail;
}

// A variant that treats all rows but one.
TEST_F(VerifierTest, AnUnwrittenRowIsNan) {
  for (const auto& [stage, name] : {std::pair{&stages::hermitian, "naive"},
                                    {&stages::bias, "rows"},
                                    {&stages::solve, "cholesky"},
                                    {&stages::solve, "cg"},
                                    {&stages::update, "blocked"}}) {
    const Variant& original = variant_named(stage, name, Backend::cpu);
    Variant fake = original;
    fake.run = [&original](const Config& config, const Shape& shape, const StageParams& params,
                           const RunContext& context) {
      auto update = params.as<UpdateParams>();
      --update.row_count;
      original.run(config, shape, update, context);
    };
    const Verification result = verify_variant(fake, original.space.find("warm") ? "warm=off" : "");
    EXPECT_EQ(name_of(result.outcome), "nan") << original.id() << " " << result.detail;
  }
}

TEST_F(VerifierTest, AnEmptyRowMustBeTheIdentity) {
  const Verification result = verify_spoiled(&stages::hermitian, "naive", [](UpdateParams& params) {
    matrix_element(params, 0, 3, 3) = 0;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "row 0 (0 ratings)"));
}

TEST_F(VerifierTest, BiasOfAnotherRatingIsWrong) {
  const Verification result = verify_spoiled(&stages::bias, "rows", [](UpdateParams& params) {
    params.bias[kRow * params.solution.pitch] *= 1.001f;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong") << result.detail;
}

TEST_F(VerifierTest, AWrongSolutionIsFoundInEverySolver) {
  for (const char* name : {"lu", "cholesky", "cg"}) {
    const Verification result = verify_spoiled(&stages::solve, name, [](UpdateParams& params) {
      solution_element(params, kRow, 7) *= 1.01f;
    });
    EXPECT_EQ(name_of(result.outcome), "wrong") << name << " " << result.detail;
    EXPECT_TRUE(contains(result.detail, "row 20"));
  }
}

TEST_F(VerifierTest, CgThatStopsEarlyOrRecordsOtherStepsIsWrong) {
  const Variant& cg = variant_named(&stages::solve, "cg", Backend::cpu);
  Variant lazy = cg;
  lazy.run = [&cg](const Config& config, const Shape& shape, const StageParams& params,
                   const RunContext& context) {
    cg.run(config.with("steps", "1"), shape, params, context);
  };
  EXPECT_EQ(name_of(verify_variant(lazy, "steps=3").outcome), "wrong");
  const Verification miscounted = verify_spoiled(
      &stages::solve, "cg", [](UpdateParams& p) { p.steps[kRow] -= 1; }, "steps=2");
  EXPECT_EQ(name_of(miscounted.outcome), "wrong") << miscounted.detail;
}

// Algorithm 1 as the paper prints it: r = r - alpha p. It must not pass for CG.
TEST_F(VerifierTest, ThePapersMisprintedCgIsWrong) {
  Variant misprint = variant_named(&stages::solve, "cg", Backend::cpu);
  misprint.run = [](const Config& config, const Shape&, const StageParams& stage_params,
                    const RunContext&) {
    const auto& params = stage_params.as<UpdateParams>();
    for (int64_t row = 0; row < params.row_count; ++row) {
      std::vector<double> x(kRank, 0.0), r(kRank), p, ap(kRank);
      for (int i = 0; i < kRank; ++i) r[i] = params.bias[row * params.solution.pitch + i];
      p = r;
      int step = 0;
      for (; step < config.integer("steps"); ++step) {
        double rr = 0, pap = 0, next = 0;
        for (int i = 0; i < kRank; ++i) {
          ap[i] = 0;
          for (int j = 0; j < kRank; ++j) ap[i] += matrix_element(params, row, i, j) * p[j];
          rr += r[i] * r[i];
          pap += p[i] * ap[i];
        }
        if (rr == 0) break;
        for (int i = 0; i < kRank; ++i) {
          x[i] += rr / pap * p[i];
          r[i] -= rr / pap * p[i];
          next += r[i] * r[i];
        }
        for (int i = 0; i < kRank; ++i) p[i] = r[i] + next / rr * p[i];
      }
      for (int i = 0; i < kRank; ++i) solution_element(params, row, i) = static_cast<float>(x[i]);
      params.steps[row] = step;
    }
  };
  EXPECT_EQ(name_of(verify_variant(misprint, "warm=off").outcome), "wrong");
}

TEST_F(VerifierTest, ADiagnosticPointIsSkippedWithTheReason) {
  Variant phased = variant_named(&stages::hermitian, "naive", Backend::cpu);
  phased.space = {{.name = "phase", .values = {"all", "load"}, .effect = Effect::diagnostic}};
  const Verification result = verify_variant(phased, "phase=load");
  EXPECT_EQ(name_of(result.outcome), "skipped");
  EXPECT_TRUE(contains(result.detail, "phase=load"));
}

TEST_F(VerifierTest, AWrongSumOfSquaresOrColdCountIsWrong) {
  const Variant& rmse = variant_named(&stages::rmse, "rows", Backend::cpu);
  for (const bool cold : {false, true}) {
    Variant fake = rmse;
    fake.run = [&rmse, cold](const Config& config, const Shape& shape, const StageParams& params,
                             const RunContext& context) {
      rmse.run(config, shape, params, context);
      const auto& errors = params.as<RmseParams>();
      if (cold)
        errors.partial_cold[5] += 1;
      else
        errors.partial_sums[5] *= 1.01;
    };
    EXPECT_EQ(name_of(verify_variant(fake).outcome), "wrong") << cold;
  }
}

TEST_F(VerifierTest, AnUpdateIsHeldAgainstCgOfTheSameSteps) {
  const Variant& update = variant_named(&stages::update, "blocked", Backend::cpu);
  for (const char* point :
       {"steps=1", "steps=6", "warm=off,steps=3", "tolerance=1e-3", "factors=fp16,steps=4",
        "steps=2,precondition=jacobi", "tolerance=1e-3,precondition=jacobi"}) {
    const Verification result = verify_variant(update, point);
    EXPECT_EQ(name_of(result.outcome), "ok") << point << " " << result.detail;
    EXPECT_EQ(result.rows_checked, set_.by_user.rows);
    EXPECT_GT(result.max_residual, 0) << point;
  }
}

TEST_F(VerifierTest, AWrongUpdateIsFoundAndNamed) {
  const Verification result = verify_spoiled(&stages::update, "blocked", [](UpdateParams& params) {
    solution_element(params, kRow, 7) *= 1.01f;
  });
  EXPECT_EQ(name_of(result.outcome), "wrong");
  EXPECT_TRUE(contains(result.detail, "row 20"));
  const Verification miscounted = verify_spoiled(
      &stages::update, "blocked", [](UpdateParams& p) { p.steps[kRow] -= 1; }, "steps=2");
  EXPECT_EQ(name_of(miscounted.outcome), "wrong") << miscounted.detail;
}

TEST_F(VerifierTest, AnotherPreconditionerIsWrong) {
  const Variant& update = variant_named(&stages::update, "blocked", Backend::cpu);
  Variant fake = update;
  fake.run = [&update](const Config& config, const Shape& shape, const StageParams& params,
                       const RunContext& context) {
    update.run(config.with("precondition", "none"), shape, params, context);
  };
  EXPECT_EQ(name_of(verify_variant(fake, "steps=2,precondition=jacobi").outcome), "wrong");
}

// Lambda that is not weighted by the number of ratings, and a rating too little.
TEST_F(VerifierTest, AnUpdateOfOtherEquationsIsWrong) {
  const Variant& update = variant_named(&stages::update, "blocked", Backend::cpu);
  Variant fake = update;
  fake.run = [&update](const Config& config, const Shape& shape, const StageParams& params,
                       const RunContext& context) {
    auto other = params.as<UpdateParams>();
    other.lambda *= 0.9f;
    update.run(config, shape, other, context);
  };
  EXPECT_EQ(name_of(verify_variant(fake).outcome), "wrong");
  std::vector<int64_t> offsets;
  fake.run = [&](const Config& config, const Shape& shape, const StageParams& params,
                 const RunContext& context) {
    auto other = params.as<UpdateParams>();
    offsets.assign(other.ratings.offsets, other.ratings.offsets + other.ratings.rows + 1);
    offsets[kRow] += 1;
    other.ratings.offsets = offsets.data();
    update.run(config, shape, other, context);
  };
  EXPECT_EQ(name_of(verify_variant(fake).outcome), "wrong");
}

TEST_F(VerifierTest, ACopyThatLeavesOutTheLastByteIsWrong) {
  const Variant& copy = variant_named(*stage_named("copy"), "memcpy", Backend::cpu);
  Variant fake = copy;
  fake.run = [&copy](const Config& config, const Shape& shape, const StageParams& params,
                     const RunContext& context) {
    auto shorter = params.as<CopyParams>();
    shorter.bytes -= 1;
    copy.run(config, shape, shorter, context);
  };
  EXPECT_EQ(name_of(verify_variant(fake).outcome), "wrong");
}

TEST_F(VerifierTest, AChainThatIsOneStepTooLongIsWrong) {
  const Variant& spin = variant_named(*stage_named("spin"), "chain", Backend::cpu);
  EXPECT_EQ(name_of(verify_variant(spin).outcome), "ok");
  Variant fake = spin;
  fake.run = [&spin](const Config& config, const Shape& shape, const StageParams& params,
                     const RunContext& context) {
    spin.run(config, shape, params, context);
    uint32_t& end = params.as<SpinParams>().target[3];
    end = end * kSpinFactor + kSpinTerm;
  };
  EXPECT_EQ(name_of(verify_variant(fake).outcome), "wrong");
}

TEST_F(VerifierTest, AFactorisationOfAnotherMatrixIsWrong) {
  for (const char* name : {"lu", "cholesky"}) {
    const Verification result =
        verify_spoiled(*stage_named("factorize_batched"), name,
                       [](UpdateParams& params) { matrix_element(params, kRow, 5, 5) *= 1.01f; });
    EXPECT_EQ(name_of(result.outcome), "wrong") << name << " " << result.detail;
  }
}

TEST_F(VerifierTest, ReferenceRowsAreThoseOfTheReferenceFormedOnce) {
  const RatingSet set = testing::long_row_set();  // one row takes several pieces
  const DeviceProblem problem(*device_, set, kRank, 0.05f);
  const UpdateFixture fixture({problem, &stages::normal_equations, "x", {}, 1}, {.matrices = true});
  const UpdateParams params = fixture.update_params(0);
  ReferenceCache references;
  const std::vector<ReferenceRow>& rows = reference_rows(references, fixture, Scalar::fp32);
  ASSERT_FALSE(rows.empty());
  int64_t longest = 0;
  for (const ReferenceRow& row : rows) {
    const auto a = reference::normal_matrix(params.ratings, params.factors, 0.05f, row.row);
    const auto b = reference::right_hand_side(params.ratings, params.factors, row.row);
    longest = std::max(longest, row.count);
    for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(row.a[i], a[i], 1e-12 * a[0]) << row.row;
    for (size_t i = 0; i < b.size(); ++i)
      ASSERT_NEAR(row.b[i], b[i], 1e-12 * (1 + row.magnitude[i])) << row.row;
  }
  EXPECT_EQ(longest, 5000);
  EXPECT_EQ(&reference_rows(references, fixture, Scalar::fp32), &rows);
}

}  // namespace
}  // namespace alsbench
