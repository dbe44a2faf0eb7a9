// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/stage_support.h"

#include <fmt/format.h>

#include <deque>
#include <stdexcept>

#include "harness/stage/supports.h"

namespace alsbench {

namespace {

std::deque<StageSupport>& table() {
  static std::deque<StageSupport> rows = [] {
    std::deque<StageSupport> built_in;
    for (const auto support : kSupports) built_in.push_back(support());
    return built_in;
  }();
  return rows;
}

}  // namespace

void add_support(const StageSupport& support) { table().push_back(support); }

const StageSupport& support_of(Stage stage) {
  const std::string_view name = stage->contract.empty() ? stage->name : stage->contract;
  for (const StageSupport& support : table())
    if (support.stage == name) return support;
  throw std::logic_error(fmt::format("stage {} has no fixture and no check", stage->name));
}

std::unique_ptr<StageFixture> make_fixture(const FixtureRequest& request) {
  const Device& device = request.problem.device();
  const int64_t before = device.allocated_bytes();
  std::unique_ptr<StageFixture> fixture = support_of(request.stage).make(request);
  request.problem.device().synchronize();
  fixture->bytes_ = device.allocated_bytes() - before + fixture->shared_bytes_;
  return fixture;
}

}  // namespace alsbench
