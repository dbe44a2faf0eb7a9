// SPDX-License-Identifier: Apache-2.0
// Choices of the rules at the shapes of the suite `defaults`, on architectures of which most were
// never measured, against tests/golden/expected/default-choices.txt. ALSBENCH_WRITE_EXPECTED=1
// rewrites that file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/algorithms/algorithms.h"
#include "harness/data/data_shape.h"
#include "harness/files/atomic_file.h"
#include "harness/stage/stage_fixture.h"
#include "harness/sweep/suite/suite.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

const std::filesystem::path kExpected =
    std::filesystem::path(ALSBENCH_SOURCE_DIR) / "tests/golden/expected/default-choices.txt";

// The values that are not the variant's defaults.
std::string brief(const std::vector<PipelineStep>& steps) {
  std::string text;
  for (const auto& [variant, config] : steps) {
    const Config usual = variant->space.default_config();
    std::string changed;
    for (const auto& [name, value] : config.entries())
      if (!usual.is(name, value)) changed += (changed.empty() ? ":" : ",") + name + "=" + value;
    text += fmt::format("{}{}:{}{}", text.empty() ? "" : "/", name_of(variant->stage),
                        variant->name, changed);
  }
  return text;
}

std::string choices() {
  std::vector<std::pair<std::string, DeviceTraits>> devices;
  for (const int architecture : {75, 80, 86, 89, 90, 100, 103, 120})
    devices.emplace_back(fmt::format("sm_{}", architecture), traits_of_architecture(architecture));
  devices.emplace_back(
      "cpu", DeviceTraits{.backend = Backend::cpu, .name = "a processor", .multiprocessors = 8});
  const Algorithm& als = algorithm_named("als");
  std::string text;
  for (const ProblemSpec& problem : load_suite("defaults").problems) {
    const DataShapes shapes = data_shapes(problem.data, problem.rank);
    for (const auto& [name, traits] : devices)
      for (const std::string& part : als.parts) {
        Shape shape = shapes.of(side_of(part));
        shape.damping = damping_of(problem.lambda, shapes.mean);
        const DefaultChoice choice = default_pipeline(als.pipelines(part), shape, traits);
        EXPECT_EQ(objection_of(choice.steps, shape, traits), std::nullopt);
        text +=
            fmt::format("{:26} {:7} {:6} {}\n", problem.name(), name, part, brief(choice.steps));
      }
  }
  return text;
}

TEST(DefaultChoices, AreTheExpected) {
  const std::string found = choices();
  if (std::getenv("ALSBENCH_WRITE_EXPECTED") != nullptr) write_file_atomically(kExpected, found);
  EXPECT_EQ(found, read_whole_file(kExpected))
      << "look at the change, then rewrite the file with ALSBENCH_WRITE_EXPECTED=1";
}

}  // namespace
}  // namespace alsbench
