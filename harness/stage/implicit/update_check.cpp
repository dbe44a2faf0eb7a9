// SPDX-License-Identifier: Apache-2.0
// implicit_update: the solutions of the checked rows against CG in double on the equations of the
// same weighted rows, rounded as the variant has them.
#include "harness/stage/als/update_check.h"

#include "harness/stage/implicit/implicit_fixture.h"
#include "harness/stage/supports.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

Verification check_implicit_update(const CheckRequest& request) {
  auto& fixture = dynamic_cast<ImplicitFixture&>(request.fixture);
  ReferenceCache& cache = request.references;
  return check_update(request, fixture,
                      {implicit_rows(cache, fixture, parameters::factors_type(request.config)),
                       implicit_rows(cache, fixture, Scalar::fp32),
                       [&fixture](int64_t count) { return fixture.diagonal(count); }});
}

std::unique_ptr<StageFixture> make_implicit_update(const FixtureRequest& request) {
  return std::make_unique<ImplicitFixture>(
      request,
      UpdateOperands{
          .solves = true, .rounds = true, .centred = true, .alpha = ImplicitFixture::kAlpha});
}

}  // namespace

StageSupport implicit_update_support() {
  return {"implicit_update", make_implicit_update, check_implicit_update};
}

}  // namespace alsbench
