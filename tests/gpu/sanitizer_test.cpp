// SPDX-License-Identifier: Apache-2.0
// compute-sanitizer over the project's CUDA variants: the good ones are clean, the deliberately
// broken ones are caught. Each check runs this program again under the tool, with one of the
// disabled tests below.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/stage/stage_support.h"
#include "tests/unit/rating_sets.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr int kFound = 77;  // what the tool exits with when it found something

std::string missing_requirement() {
  std::string reason;
  if (cuda_device_count(&reason) == 0) return reason;
  if (std::system("compute-sanitizer --version > /dev/null 2>&1") != 0)
    return "compute-sanitizer is not on the PATH";
  return "";
}

#define SKIP_WITHOUT_SANITIZER() \
  if (const std::string reason = missing_requirement(); !reason.empty()) GTEST_SKIP() << reason

// Exit and output of the tool.
struct Verdict {
  int exit_code = 0;
  std::string report;
};

Verdict run_under(const std::string& tool, const std::string& test) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string log = testing::TempDir() + "alsbench-" + tool + ".log";
  const std::string command = "ALSBENCH_FENCES=off compute-sanitizer --tool " + tool +
                              " --error-exitcode " + std::to_string(kFound) + " --print-limit 5 '" +
                              self + "' --gtest_also_run_disabled_tests --gtest_filter=" + test +
                              " > " + log + " 2>&1";
  Verdict verdict;
  verdict.exit_code = WEXITSTATUS(std::system(command.c_str()));
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("=========")) verdict.report += line + "\n";
  return verdict;
}

void expect_clean(const std::string& tool, const std::string& test) {
  const Verdict verdict = run_under(tool, test);
  EXPECT_EQ(verdict.exit_code, 0) << verdict.report;
}

void expect_caught(const std::string& tool, const std::string& test) {
  const Verdict verdict = run_under(tool, test);
  EXPECT_EQ(verdict.exit_code, kFound) << verdict.report;
}

void run_once(const Variant& variant, const Config& config, const RatingSet& set, int32_t rank) {
  const auto device = open_device("0");
  const DeviceProblem problem(*device, set, rank, 0.05f);
  for (const Side side : {Side::x, Side::theta}) {
    const auto made = make_fixture(
        {problem, variant.stage, std::string(name_of(side)), storage_of(variant, config), 1});
    StageFixture& fixture = *made;
    if (objection_of(variant, config, fixture.shape(), device->traits())) continue;
    const auto executable = device->prepare(variant, config, fixture.shape());
    fixture.restore(variant);
    fixture.poison();
    fixture.launch(*executable);
    device->synchronize();
  }
}

void run_defect(const std::string& defect) {
  const Variant& chaos = variant_named(&stages::hermitian, "chaos", Backend::cuda);
  run_once(chaos, chaos.space.parse("defect=" + defect), planted_set(20, 12, 0.5), 10);
}

// Every visible kernel of ours, at its default and with each parameter's values one at a time;
// those that cut long rows into pieces on long rows as well.
void run_all_kernels() {
  const RatingSet set = planted_set(24, 140, 0.5, 2), long_rows = planted_set(3, 2400, 0.9, 0);
  for (const Variant& variant : catalog()) {
    if (variant.backend != Backend::cuda || variant.hidden || !variant.plan) continue;
    run_once(variant, variant.space.default_config(), set, 33);
    for (const Parameter& parameter : variant.space.parameters())
      for (size_t i = 1; i < parameter.values.size(); ++i)
        run_once(variant,
                 variant.space.default_config().with(parameter.name, parameter.values[i].text), set,
                 33);
    if (variant.space.find("chunk") == nullptr) continue;
    const Config cut = variant.space.default_config().with("chunk", "1024");
    run_once(variant, cut, long_rows, 33);
    if (cut.has("order")) run_once(variant, cut.with("order", "columns"), long_rows, 33);
  }
}

// Those whose blocks are teams of warps, at ranks that need them.
void run_teams() {
  const RatingSet set = planted_set(24, 140, 0.5, 2), long_rows = planted_set(3, 2400, 0.9, 0);
  for (const Variant& variant : catalog()) {
    if (variant.space.find("sums") == nullptr || variant.backend != Backend::cuda) continue;
    const Config cut = variant.space.default_config().with("chunk", "1024");
    for (const int32_t rank : {110, 150, 230}) {  // a row is shared by two, four and eight warps
      run_once(variant, variant.space.default_config(), set, rank);
      run_once(variant, cut, long_rows, rank);
      if (cut.has("precondition"))
        run_once(variant, cut.with("precondition", "jacobi"), long_rows, rank);
      if (!cut.has("products")) continue;
      for (const char* matrix : {"fp32", "fp16"})
        run_once(variant,
                 cut.with("factors", "int8").with("products", "wgmma").with("matrix", matrix),
                 long_rows, rank);
    }
  }
}

TEST(Planted, DISABLED_out_of_bounds) { run_defect("out_of_bounds"); }
TEST(Planted, DISABLED_race) { run_defect("race"); }
TEST(Planted, DISABLED_none) { run_defect("none"); }
TEST(Kernels, DISABLED_all) { run_all_kernels(); }
TEST(Kernels, DISABLED_teams) { run_teams(); }

TEST(Sanitizer, MemcheckCatchesAnOutOfBoundsWrite) {
  SKIP_WITHOUT_SANITIZER();
  expect_caught("memcheck", "Planted.DISABLED_out_of_bounds");
  expect_clean("memcheck", "Planted.DISABLED_none");
}

TEST(Sanitizer, RacecheckCatchesAMissingBarrier) {
  SKIP_WITHOUT_SANITIZER();
  expect_caught("racecheck", "Planted.DISABLED_race");
  expect_clean("racecheck", "Planted.DISABLED_none");
}

TEST(Sanitizer, MemcheckIsCleanOverEveryKernel) {
  SKIP_WITHOUT_SANITIZER();
  expect_clean("memcheck", "Kernels.*");
}

TEST(Sanitizer, RacecheckIsCleanOverEveryKernel) {
  SKIP_WITHOUT_SANITIZER();
  expect_clean("racecheck", "Kernels.*");
}

TEST(Sanitizer, SynccheckIsCleanOverEveryKernel) {
  SKIP_WITHOUT_SANITIZER();
  expect_clean("synccheck", "Kernels.DISABLED_all");
}

TEST(Sanitizer, SynccheckIsCleanOverTeams) {
  SKIP_WITHOUT_SANITIZER();
  expect_clean("synccheck", "Kernels.DISABLED_teams");
}

}  // namespace
}  // namespace alsbench
