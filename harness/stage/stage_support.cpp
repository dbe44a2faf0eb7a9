// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/stage_support.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "harness/stage/supports.h"

namespace alsbench {

const StageSupport& support_of(Stage stage) {
  static const std::vector<StageSupport> table = [] {
    std::vector<StageSupport> rows;
    for (const auto support : kSupports) rows.push_back(support());
    return rows;
  }();
  for (const StageSupport& support : table)
    if (support.stage == stage->name) return support;
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
