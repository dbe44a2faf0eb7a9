// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/stage_support.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "harness/stage/supports.h"

namespace alsbench {

const StageSupport& support_of(Stage stage) {
  static const std::vector<StageSupport> table{
      hermitian_support(),   bias_support(), normal_equations_support(),  solve_support(),
      update_support(),      rmse_support(), factorize_batched_support(), copy_support(),
      gather_copy_support(), spin_support(), gemm_batched_support()};
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
