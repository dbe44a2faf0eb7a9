// SPDX-License-Identifier: Apache-2.0
// spin: the ends of all chains, to the bit.
#include "kernels/shared/spin.h"

#include <fmt/format.h>

#include "harness/stage/check.h"
#include "harness/stage/supports.h"

namespace alsbench {
namespace {

class SpinFixture : public StageFixture {
 public:
  explicit SpinFixture(const FixtureRequest& request)
      : StageFixture(request),
        chains_(kSpinChains * int64_t{device().traits().multiprocessors}),
        target_(device().allocate(chains_ * int64_t{sizeof(uint32_t)})) {}
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override { return SpinParams{target_.as<uint32_t>(), chains_}; }
  Operands operands(const Variant&, int64_t) const override {
    return {{}, {region_of("ends", target_)}, {}};
  }

 private:
  int64_t chains_;
  Buffer target_;
};

// `steps` steps of a chain at once: squaring the step, as one squares a number to raise it to a
// power.
uint32_t end_of_chain(uint32_t start, int steps) {
  uint32_t x = start, factor = kSpinFactor, term = kSpinTerm;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = x * factor + term;
    term = factor * term + term;
    factor *= factor;
  }
  return x;
}

Verification check_chains(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<SpinParams>();
  fixture.poison();
  request.executable.launch(params);
  std::vector<uint32_t> ends(static_cast<size_t>(params.chains));
  request.device().download(ends.data(), params.target, params.chains * 4);
  Tally tally;
  for (size_t chain = 0; chain < ends.size(); ++chain) {
    RowCheck row;
    const uint32_t expected = end_of_chain(static_cast<uint32_t>(chain), kSpinSteps);
    if (ends[chain] != expected)
      row.fail(fmt::format("ends with {} instead of {}", ends[chain], expected));
    tally.add(fmt::format("chain {}", chain), row);
  }
  return tally.result();
}

}  // namespace

StageSupport spin_support() { return {"spin", make<SpinFixture>, check_chains}; }

}  // namespace alsbench
