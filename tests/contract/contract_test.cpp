// Every variant of the catalog, at the points of its default space, against the FP64 reference on
// awkward problems.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include "harness/device/cuda_backend.h"
#include "harness/stage/verifier.h"
#include "tests/contract/awkward_problems.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr float kLambda = 0.05f;

struct Case {
  const Variant* variant;
  const RatingSet* set;
  int32_t rank;
};

std::vector<Case> cases_of(Backend backend) {
  std::vector<Case> cases;
  for (const Variant& variant : catalog()) {
    if (variant.backend != backend || variant.hidden) continue;
    for (const RatingSet& set : testing::awkward_sets())
      for (const int32_t rank : testing::awkward_ranks()) cases.push_back({&variant, &set, rank});
  }
  return cases;
}

std::string name_of_case(const ::testing::TestParamInfo<Case>& info) {
  std::string name =
      fmt::format("{}_{}_rank{}", info.param.variant->id(), info.param.set->id, info.param.rank);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

enum class Points { all, knobs };

// `knobs`: all of a small space, else the default and each value of each parameter.
std::vector<Config> points_of(const Variant& variant, Points which) {
  constexpr int64_t kSmallSpace = 16;
  std::vector<Config> points;
  if (which == Points::all || variant.space.size() <= kSmallSpace) {
    variant.space.for_each([&](const Config& config) { points.push_back(config); });
    return points;
  }
  const Config base = variant.space.default_config();
  points.push_back(base);
  for (const Parameter& parameter : variant.space.parameters())
    for (size_t i = 1; i < parameter.values.size() && !parameter.diagnostic; ++i)
      points.push_back(base.with(parameter.name, parameter.values[i].text));
  return points;
}

// Verifies all points of a case on both sides; fixtures are shared by points of equal storage.
class ContractRun {
 public:
  ContractRun(Device& device, const Case& c)
      : device_(device), case_(c), problem_(device, *c.set, c.rank, kLambda) {}

  void check_all(Points which) {
    const std::vector<Config> points = points_of(*case_.variant, which);
    compile(points);
    // the other side of the long row is thousands of equal rows: the ragged set has better ones
    const bool both = case_.set->by_item.rows < 1000;
    for (const Config& config : points) {
      check(config, Side::x);
      if (both) check(config, Side::theta);
    }
    // A variant with a bound on the rank says so at every point.
    if (checked_ == 0) GTEST_SKIP() << objection_;
  }

 private:
  // All kernels at once, on all cores; what cannot be compiled is left to the check.
  void compile(const std::vector<Config>& points) const {
    std::vector<CompileRequest> requests;
    for (const Config& config : points)
      for (const Side side : {Side::x, Side::theta})
        add_requests(requests, *case_.variant, config, problem_.shape(side), device_.traits());
    if (!requests.empty()) compile_all(requests);
  }

  void check(const Config& config, Side side) {
    const Variant& variant = *case_.variant;
    SCOPED_TRACE(fmt::format("{} [{}] side {}", variant.id(), config.text(), name_of(side)));
    if (const auto no = objection_of(variant, config, problem_.shape(side), device_.traits())) {
      objection_ = *no;
      return;
    }
    StageFixture& fixture = fixture_for(config, side);
    const auto executable = device_.prepare(variant, config, fixture.shape());
    const Verification result = verify(fixture, variant, config, *executable, references_);
    EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
    EXPECT_GT(result.rows_checked, 0);
    ++checked_;
  }

  StageFixture& fixture_for(const Config& config, Side side) {
    const Scalar factors = factors_storage(config);
    auto& fixture = fixtures_[{side, factors, matrices_storage(config)}];
    if (!fixture)
      fixture = make_fixture(
          {problem_, case_.variant->stage, side, factors, matrices_storage(config), 1});
    return *fixture;
  }

  Device& device_;
  const Case& case_;
  DeviceProblem problem_;
  ReferenceCache references_;
  std::map<std::tuple<Side, Scalar, Scalar>, std::unique_ptr<StageFixture>> fixtures_;
  int checked_ = 0;
  std::string objection_;
};

class CpuContract : public ::testing::TestWithParam<Case> {};

TEST_P(CpuContract, EveryPointMatchesTheReference) {
  const auto device = open_cpu_device();
  ContractRun(*device, GetParam()).check_all(Points::all);
}

INSTANTIATE_TEST_SUITE_P(Catalog, CpuContract, ::testing::ValuesIn(cases_of(Backend::cpu)),
                         name_of_case);

class CudaContract : public ::testing::TestWithParam<Case> {};

// The default and each knob; with ALSBENCH_CONTRACT=all in the environment every point, which are
// tens of thousands of kernels.
Points wanted_points() {
  const char* wanted = std::getenv("ALSBENCH_CONTRACT");
  return wanted != nullptr && std::string(wanted) == "all" ? Points::all : Points::knobs;
}

TEST_P(CudaContract, PointsMatchTheReference) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const auto device = open_device("0");
  ContractRun(*device, GetParam()).check_all(wanted_points());
}

INSTANTIATE_TEST_SUITE_P(Catalog, CudaContract, ::testing::ValuesIn(cases_of(Backend::cuda)),
                         name_of_case);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CudaContract);

}  // namespace
}  // namespace alsbench
