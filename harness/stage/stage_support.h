// SPDX-License-Identifier: Apache-2.0
// Support of the harness for measuring a stage's variants: a fixture, and a check of its output. A
// stage without a row here can be listed and compiled, but not run.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "harness/record/verification.h"
#include "harness/stage/reference_cache.h"
#include "harness/stage/stage_fixture.h"
#include "variants/pipeline.h"

namespace alsbench {

// The fixture to check, and its executable.
struct CheckRequest {
  StageFixture& fixture;
  const Variant& variant;
  const Config& config;
  Executable& executable;
  ReferenceCache& references;

  Device& device() const { return fixture.problem().device(); }
};

struct StageSupport {
  std::string_view stage;
  std::unique_ptr<StageFixture> (*make)(const FixtureRequest&);
  // Poisons the outputs, runs the executable once, and compares.
  Verification (*check)(const CheckRequest&);
  // The steps that `make` runs to fill the inputs of a variant that stores so; null: none.
  std::vector<PipelineStep> (*inputs)(const Storage& storage, Backend backend) = nullptr;
};

// Another row, of stages that are known when the program runs. Before any thread asks.
void add_support(const StageSupport& support);

// Throws std::logic_error where the stage has no row.
const StageSupport& support_of(Stage stage);

// Throws OutOfMemoryError where not even one row fits.
std::unique_ptr<StageFixture> make_fixture(const FixtureRequest& request);

template <class Fixture>
std::unique_ptr<StageFixture> make(const FixtureRequest& request) {
  return std::make_unique<Fixture>(request);
}

}  // namespace alsbench
