// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/bias_terms.h"

#include "harness/algorithms/als/prepared.h"
#include "variants/als/stages.h"

namespace alsbench {

BiasTerms::BiasTerms(const DeviceProblem& problem) : problem_(&problem) {
  Device& device = problem.device();
  for (const Side side : {Side::x, Side::theta})
    of(side) = {prepared(problem, &stages::centre, "elements", side),
                prepared(problem, &stages::level_columns, "rows", side),
                device.allocate(int64_t{4} * problem.ratings(side).rows),
                device.allocate(int64_t{4} * problem.ratings(side).nnz)};
  reset();
}

void BiasTerms::reset() {
  for (const Side side : {Side::x, Side::theta}) {
    const std::vector<float> levels(static_cast<size_t>(problem_->ratings(side).rows),
                                    mean_of(side));
    problem_->device().upload(of(side).levels.data(), levels.data(), of(side).levels.bytes());
  }
}

void BiasTerms::read(const Factors& factors) {
  for (const Side side : {Side::x, Side::theta}) {
    const std::vector<float> values = factors.of(side).download();
    std::vector<float> levels;
    for (size_t at = column(side); at < values.size(); at += problem_->rank())
      levels.push_back(values[at]);
    problem_->device().upload(of(side).levels.data(), levels.data(), of(side).levels.bytes());
  }
}

void BiasTerms::open(Side side, Factors& factors, StageClock& clock) {
  const Side fixed = other(side);
  const float mean = mean_of(side);
  clock.device(name_of(side), stages::centre.name, [&] {
    of(side).centre->launch(CentreParams{problem_->ratings(side), of(fixed).levels.as<float>(),
                                         mean, of(side).values.as<float>()});
  });
  clock.device(name_of(side), stages::level_columns.name, [&] {
    LevelColumnsParams unknown = columns_of(side, factors);
    unknown.own_weight = 1;
    unknown.own_shift = mean;
    of(side).columns->launch(unknown);
    LevelColumnsParams known = columns_of(fixed, factors);
    known.other_value = 1;
    of(fixed).columns->launch(known);
  });
}

RatingsView BiasTerms::ratings(Side side) const {
  // A rating less what is known of it may be larger than the largest rating, but not by this much.
  constexpr float kRoom = 0.25f;
  RatingsView ratings = problem_->ratings(side);
  ratings.values = of(side).values.as<float>();
  ratings.half_scale *= kRoom;
  return ratings;
}

void BiasTerms::close(Side side, Factors& factors, StageClock& clock) {
  clock.device(name_of(side), stages::level_columns.name, [&] {
    for (const Side each : {side, other(side)}) {
      LevelColumnsParams whole = columns_of(each, factors);
      whole.takes = each == side ? 1 : 0;
      whole.own_weight = 1;
      whole.other_value = 1;
      of(each).columns->launch(whole);
    }
  });
}

float BiasTerms::mean_of(Side side) const {
  return side == Side::x ? static_cast<float>(problem_->set().mean) : 0;
}

LevelColumnsParams BiasTerms::columns_of(Side side, Factors& factors) const {
  LevelColumnsParams params;
  params.factors = factors.of(side).view();
  params.offsets = problem_->ratings(side).offsets;
  params.levels = of(side).levels.as<float>();
  params.own = column(side);
  params.other = column(other(side));
  params.shift = mean_of(side);
  return params;
}

}  // namespace alsbench
