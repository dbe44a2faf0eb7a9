// SPDX-License-Identifier: Apache-2.0
// Every variant of the catalog, at the points of its default space, against the FP64 reference on
// awkward problems. Where there is no GPU, the plans of CUDA variants are checked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>

#include "harness/device/cuda_backend.h"
#include "harness/files/embedded.h"
#include "harness/stage/verifier.h"
#include "tests/contract/awkward_problems.h"
#include "tests/contract/register.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

enum class Points { all, each_value };

// `each_value`: all of a small space, else the default and each value of each parameter.
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
    for (size_t i = 1; i < parameter.values.size() && !parameter.diagnostic(); ++i)
      points.push_back(base.with(parameter.name, parameter.values[i].text));
  return points;
}

// Verifies all points of a case on both sides; fixtures are shared by points of equal storage.
class ContractRun {
 public:
  ContractRun(Device& device, const Variant& variant, const RatingSet& set, int32_t rank)
      : device_(device),
        variant_(variant),
        set_(set),
        problem_(device, set, rank, testing::kLambda) {}

  void check_all(const std::vector<Config>& points) {
    compile(points);
    // the other side of the long row is thousands of equal rows: the ragged set has better ones
    const bool both = set_.by_item.rows < 1000;
    for (const Config& config : points) {
      check(config, Side::x);
      if (both) check(config, Side::theta);
    }
  }
  int checked() const { return checked_; }
  const std::string& objection() const { return objection_; }  // of the last point that has one

 private:
  // All kernels at once, on all cores; what cannot be compiled is left to the check.
  void compile(const std::vector<Config>& points) const {
    std::vector<CompileRequest> requests;
    for (const Config& config : points)
      for (const Side side : {Side::x, Side::theta})
        add_requests(requests, variant_, config, problem_.shape(side), device_.traits());
    if (!requests.empty()) compile_all(requests);
  }

  void check(const Config& config, Side side) {
    SCOPED_TRACE(fmt::format("{}: [{}] side {}", set_.id, config.text(), name_of(side)));
    if (const auto no = objection_of(variant_, config, problem_.shape(side), device_.traits())) {
      objection_ = *no;
      return;
    }
    StageFixture& fixture = fixture_for(config, side);
    const auto executable = device_.prepare(variant_, config, fixture.shape());
    const Verification result = verify({fixture, variant_, config, *executable, references_});
    EXPECT_EQ(name_of(result.outcome), "ok") << result.detail;
    EXPECT_GT(result.rows_checked, 0);
    ++checked_;
  }

  StageFixture& fixture_for(const Config& config, Side side) {
    const Storage storage = storage_of(variant_, config);
    auto& fixture = fixtures_[{side, storage}];
    if (!fixture)
      fixture = make_fixture({problem_, variant_.stage, std::string(name_of(side)), storage, 1});
    return *fixture;
  }

  Device& device_;
  const Variant& variant_;
  const RatingSet& set_;
  DeviceProblem problem_;
  ReferenceCache references_;
  std::map<std::pair<Side, Storage>, std::unique_ptr<StageFixture>> fixtures_;
  int checked_ = 0;
  std::string objection_;
};

// No problem changes what the variant does.
bool sized_by_device(const Variant& variant) { return variant.stage->work == nullptr; }

void expect_contract(Device& device, const Variant& variant, int32_t rank, Points which) {
  const std::vector<Config> points = points_of(variant, which);
  int checked = 0;
  std::string objection;
  for (const RatingSet& set : testing::awkward_sets()) {
    ContractRun run(device, variant, set, rank);
    run.check_all(points);
    checked += run.checked();
    objection = run.objection();
    if (sized_by_device(variant)) break;
  }
  // A variant with a bound on the rank says so at every point.
  if (checked == 0) GTEST_SKIP() << objection;
}

bool is_embedded(const std::string& source) {
  const auto& files = embedded_kernels();
  return std::any_of(files.begin(), files.end(),
                     [&](const EmbeddedFile& file) { return file.path == source; });
}

void expect_launchable(const KernelPlan& plan, const DeviceTraits& traits) {
  EXPECT_FALSE(plan.launches.empty());
  EXPECT_GE(plan.workspace_bytes, 0);
  for (const KernelLaunch& launch : plan.launches) {
    SCOPED_TRACE(launch.instance);
    EXPECT_TRUE(is_embedded(launch.source)) << launch.source;
    EXPECT_GE(launch.grid, 1);
    EXPECT_LE(launch.grid, std::numeric_limits<int32_t>::max());
    EXPECT_GE(launch.block, 1);
    EXPECT_LE(launch.block, 1024);
    EXPECT_GE(launch.shared_bytes, 0);
    EXPECT_LE(launch.shared_bytes, traits.shared_bytes_per_block);
    EXPECT_LE(launch.clear_workspace_bytes, plan.workspace_bytes);
  }
}

// On every architecture: a point says why it cannot run, or has a plan that can be launched.
void expect_plans(const Variant& variant, int32_t rank, Points which) {
  for (const int architecture : known_architectures())
    for (const RatingSet& set : testing::awkward_sets())
      for (const Csr* ratings : {&set.by_user, &set.by_item})
        for (const Config& config : points_of(variant, which)) {
          const DeviceTraits traits = traits_of_architecture(architecture);
          const Shape shape = shape_of(*ratings, rank);
          SCOPED_TRACE(fmt::format("{}: [{}] {}", set.id, config.text(), traits.name));
          if (const auto no = objection_of(variant, config, shape, traits))
            EXPECT_NE(*no, "");
          else if (variant.plan)
            expect_launchable(variant.plan(config, shape, traits), traits);
        }
}

// Of CUDA variants the default and each parameter; with ALSBENCH_CONTRACT=all in the environment
// every point, which are tens of thousands of kernels.
Points wanted_points() {
  const char* wanted = std::getenv("ALSBENCH_CONTRACT");
  return wanted != nullptr && std::string(wanted) == "all" ? Points::all : Points::each_value;
}

void expect_cuda_contract(const Variant& variant, int32_t rank) {
  expect_plans(variant, rank, wanted_points());
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const auto device = open_device("0");
  expect_contract(*device, variant, rank, wanted_points());
}

}  // namespace

void testing::register_contract() {
  for (const Variant& variant : catalog()) {
    if (variant.hidden) continue;
    for (const int32_t rank : awkward_ranks()) {
      register_test(variant, fmt::format("rank{}", rank), [&variant, rank] {
        if (variant.backend == Backend::cuda) return expect_cuda_contract(variant, rank);
        expect_contract(*open_cpu_device(), variant, rank, Points::all);
      });
      if (sized_by_device(variant)) break;
    }
  }
}

}  // namespace alsbench
