// SPDX-License-Identifier: Apache-2.0
// Variants that are deterministic: equal executions give the same bits, on the CPU at any number of
// threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "harness/stage/stage_support.h"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/fma_chain.h"
#include "kernels/shared/params/als.h"
#include "kernels/shared/params/basis.h"
#include "kernels/shared/params/ccd.h"
#include "kernels/shared/params/ceiling.h"
#include "kernels/shared/params/implicit.h"
#include "kernels/shared/params/levels.h"
#include "kernels/shared/params/metric.h"
#include "kernels/shared/params/recommend.h"
#include "kernels/shared/params/sgd.h"
#include "kernels/shared/params/start.h"
#include "tests/contract/awkward_problems.h"
#include "tests/contract/register.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

// A warp has a row to itself at the first rank; at the second, a team of warps shares it.
constexpr std::array<int32_t, 2> kRanks{33, 128};
static_assert(mma_team(MmaLayout{kRanks[0]}).warps == 1);
static_assert(mma_team(MmaLayout{kRanks[1]}).warps > 1);

// Bytes of every output of a stage, as a variant left them.
class Outputs {
 public:
  Outputs(const StageFixture& fixture, const Storage& storage)
      : fixture_(fixture), matrix_element_(size_of(storage.matrices)) {
    const StageParams params = fixture.params(0);
    if (params.holds<UpdateParams>()) add(params.as<UpdateParams>());
    if (params.holds<RmseParams>()) add(params.as<RmseParams>());
    if (params.holds<TopKParams>()) add(params.as<TopKParams>());
    if (params.holds<GemmParams>()) add(params.as<GemmParams>());
    if (params.holds<FmaParams>()) add(params.as<FmaParams>());
    if (params.holds<GramParams>()) add(params.as<GramParams>());
    if (params.holds<RotateParams>()) add(params.as<RotateParams>());
    if (params.holds<SubsampleParams>()) add(params.as<SubsampleParams>());
    if (params.holds<BlendParams>()) add(params.as<BlendParams>());
    if (params.holds<ImplicitParams>()) add(params.as<ImplicitParams>());
    if (params.holds<ImplicitLossParams>()) add(params.as<ImplicitLossParams>());
    if (params.holds<SgdParams>()) add(params.as<SgdParams>(), size_of(storage.factors));
    if (params.holds<CentreParams>()) add(params.as<CentreParams>());
    if (params.holds<LevelColumnsParams>()) add(params.as<LevelColumnsParams>());
    if (params.holds<CcdUpdateParams>()) add(params.as<CcdUpdateParams>());
    if (params.holds<CcdNextParams>()) add(params.as<CcdNextParams>());
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void add(const void* data, int64_t bytes) {
    if (data == nullptr) return;
    const size_t at = bytes_.size();
    bytes_.resize(at + static_cast<size_t>(bytes));
    fixture_.problem().device().download(bytes_.data() + at, data, bytes);
  }
  void add(const UpdateParams& p) {
    const Stage stage = fixture_.stage();
    const int64_t rows = p.row_count, rank = p.solution.rank, pitch = p.solution.pitch;
    ASSERT_EQ(rows, fixture_.measured_rows()) << "more than one batch";
    if (stage == &stages::solve || stage == &stages::update)
      add(p.solution.data, rows * pitch * 4);
    else
      add(p.matrices, rows * rank * rank * matrix_element_);
    if (stage == &stages::bias || stage == &stages::normal_equations) add(p.bias, rows * pitch * 4);
    add(p.steps, rows * 4);
    add(p.status, rows * 4);
  }
  void add(const RmseParams& p) {
    add(p.partial_sums, kRmsePartials * 8);
    add(p.partial_cold, kRmsePartials * 8);
  }
  void add(const TopKParams& p) {
    add(p.items, p.x.rows * p.k * 4);
    add(p.scores, p.x.rows * p.k * 4);
  }
  void add(const GramParams& p) { add(p.gram, int64_t{4} * p.factors.rank * p.factors.rank); }
  void add(const RotateParams& p) {
    add(p.target.data, int64_t{4} * p.target.rows * p.target.pitch);
  }
  void add(const SubsampleParams& p) {
    int64_t count = 0;
    fixture_.problem().device().download(&count, p.offsets + p.ratings.rows, sizeof(count));
    add(p.indices, 4 * count);
    add(p.values, 4 * count);
  }
  void add(const BlendParams& p) {
    add(p.target.data, int64_t{4} * p.target.rows * p.target.pitch);
  }
  void add(const ImplicitParams& p) {
    const UpdateParams& update = p.update;
    const int64_t rows = update.row_count, rank = update.solution.rank,
                  pitch = update.solution.pitch;
    ASSERT_EQ(rows, fixture_.measured_rows()) << "more than one batch";
    if (fixture_.stage()->fused) {
      add(update.solution.data, rows * pitch * 4);
      add(update.steps, rows * 4);
    } else {
      add(update.matrices, rows * rank * rank * 4);
      add(update.bias, rows * pitch * 4);
    }
  }
  void add(const ImplicitLossParams& p) {
    for (const double* sums : {p.losses, p.squares, p.confidence}) add(sums, kLossPartials * 8);
  }
  void add(const SgdParams& p, int64_t element) {
    for (const FactorsView& factors : {p.row_factors, p.col_factors})
      add(factors.data, factors.rows * factors.pitch * element);
  }
  void add(const CentreParams& p) { add(p.values, int64_t{4} * p.ratings.nnz); }
  void add(const LevelColumnsParams& p) {
    add(p.factors.data, int64_t{4} * p.factors.rows * p.factors.pitch);
    add(p.levels, int64_t{4} * p.factors.rows);
  }
  void add(const CcdUpdateParams& p) {
    add(p.residuals, int64_t{4} * p.ratings.nnz);
    add(p.own, p.ratings.rows * static_cast<int64_t>(sizeof(CcdValues)));
  }
  void add(const CcdNextParams& p) {
    add(p.factors.data, p.factors.rows * p.factors.pitch * 4);
    add(p.values, p.factors.rows * static_cast<int64_t>(sizeof(CcdValues)));
  }
  // Of one task: how many there are is the device's to say.
  void add(const FmaParams& p) { add(p.target, p.chains / kFmaSummed * int64_t{4}); }
  void add(const GemmParams& p) { add(p.c, p.batch * p.c_stride() * 4); }

  const StageFixture& fixture_;
  int64_t matrix_element_;
  std::string bytes_;
};

// Whether a value is the least or the greatest of its parameter; words have no order.
bool is_end(const Parameter& parameter, const Value& value) {
  if (!std::isdigit(static_cast<unsigned char>(value.text.front()))) return true;
  const auto number = [](const Value& v) { return std::atof(v.text.c_str()); };
  const auto beyond = [&](double sign) {
    return std::any_of(parameter.values.begin(), parameter.values.end(), [&](const Value& other) {
      return sign * number(other) > sign * number(value);
    });
  };
  return !(beyond(1) && beyond(-1));
}

// The default, and the ends of each parameter, the others at their default.
std::vector<Config> points_of(const Variant& variant) {
  const Config base = variant.space.default_config();
  std::vector<Config> points{base};
  for (const Parameter& parameter : variant.space.parameters())
    for (const Value& value : parameter.values)
      if (!parameter.diagnostic() && is_end(parameter, value) &&
          value.text != parameter.values.front().text)
        points.push_back(base.with(parameter.name, value.text));
  return points;
}

// The outputs of `runs` executions with equal arguments on one device.
std::vector<std::string> executions(const DeviceProblem& problem, const Variant& variant,
                                    const Config& config, int runs) {
  const auto made = make_fixture({problem, variant.stage, "x", storage_of(variant, config), 1});
  StageFixture& fixture = *made;
  const auto executable = problem.device().prepare(variant, config, fixture.shape());
  std::vector<std::string> outputs;
  for (int run = 0; run < runs; ++run) {
    fixture.poison();
    fixture.restore(variant);
    fixture.launch(*executable);
    outputs.push_back(Outputs(fixture, storage_of(variant, config)).bytes());
  }
  return outputs;
}

// Executes every point on all problems, which have equal ratings, and compares. Returns the number
// of comparisons: 0 where no point can run.
int expect_equal_bits(const Variant& variant, const std::vector<const DeviceProblem*>& problems,
                      int runs) {
  int compared = 0;
  for (const Config& config : points_of(variant)) {
    SCOPED_TRACE(fmt::format("{} [{}] rank {}", variant.id(), config.text(), problems[0]->rank()));
    std::vector<std::string> outputs;
    for (const DeviceProblem* problem : problems) {
      if (objection_of(variant, config, problem->shape(Side::x), problem->device().traits()))
        continue;
      for (std::string& output : executions(*problem, variant, config, runs))
        outputs.push_back(std::move(output));
    }
    for (const std::string& output : outputs) EXPECT_NE(output, "");
    for (size_t i = 1; i < outputs.size(); ++i, ++compared)
      EXPECT_TRUE(outputs[i] == outputs[0]) << "execution " << i << " differs from the first";
  }
  return compared;
}

bool checked_bit_by_bit(Stage stage) {
  constexpr std::array kExact{"copy", "read",      "gather_copy", "spin",
                              "mma",  "gather_l1", "gather_l2",   "gather_memory"};
  return std::find(kExact.begin(), kExact.end(), stage->name) != kExact.end();
}

bool says_it_is_deterministic(const Variant& variant) {
  return !variant.hidden && variant.nondeterminism.empty() && !checked_bit_by_bit(variant.stage);
}

void expect_equal_bits_on_cpu(const Variant& variant) {
  const auto one = open_cpu_device(1), two = open_cpu_device(2);
  const RatingSet set = testing::uneven_set(37, 1500);
  int compared = 0;
  for (const int32_t rank : kRanks) {
    const DeviceProblem alone(*one, set, rank, testing::kLambda),
        shared(*two, set, rank, testing::kLambda);
    compared += expect_equal_bits(variant, {&alone, &shared}, 2);
  }
  EXPECT_GT(compared, 0);
}

// Two million ratings in rows of up to 10000: the longest are cut into pieces, whose order is a
// matter of timing.
void expect_equal_bits_on_cuda(const Variant& variant) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const auto device = open_device("0");
  const RatingSet set = testing::uneven_set(1024, 10'000);
  int compared = 0;
  for (const int32_t rank : kRanks) {
    const DeviceProblem problem(*device, set, rank, testing::kLambda);
    compared += expect_equal_bits(variant, {&problem}, 3);
  }
  if (compared == 0) GTEST_SKIP() << "no point can run on this device";
}

}  // namespace

void testing::register_determinism() {
  for (const Variant& variant : catalog())
    if (says_it_is_deterministic(variant))
      register_test(variant, "equal_bits", [&variant] {
        variant.backend == Backend::cpu ? expect_equal_bits_on_cpu(variant)
                                        : expect_equal_bits_on_cuda(variant);
      });
}

}  // namespace alsbench
