// SPDX-License-Identifier: Apache-2.0
// CCD++ (docs/explanation/ccd.md): an iteration goes through the features one after another, and
// updates each on both sides in turn.
#include "variants/ccd/ccd.h"

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/factors.h"
#include "harness/algorithms/ccd/ccd_side.h"
#include "harness/algorithms/rmse.h"
#include "harness/train/stage_clock.h"

namespace alsbench {
namespace {

class CcdTraining : public Training {
 public:
  CcdTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : problem_(problem),
        updates_(recipe.hyper.integer("inner")),
        x_(problem, Side::x, recipe.of("x").steps.front()),
        theta_(problem, Side::theta, recipe.of("theta").steps.front()),
        rmse_(problem),
        clock_(problem.device()) {
    theta_.fill(seed);
    begin();
    // compiled, loaded and allocated before it is timed
    x_.update(theta_, true);
    theta_.update(x_, true);
    begin();
    problem.device().synchronize();
  }

  IterationTimes iterate(int) override {
    const int32_t rank = problem_.rank();
    for (int32_t feature = 0; feature < rank; ++feature) {
      for (int update = 0; update < updates_; ++update) {
        clock_.device("x", stages::ccd_update.name, [&] { x_.update(theta_, update == 0); });
        clock_.device("theta", stages::ccd_update.name, [&] { theta_.update(x_, update == 0); });
      }
      const int32_t next = (feature + 1) % rank;
      clock_.device("x", stages::ccd_next.name, [&] { x_.advance(feature, next); });
      clock_.device("theta", stages::ccd_next.name, [&] { theta_.advance(feature, next); });
    }
    return clock_.finish();
  }

  MetricValues evaluate(int iteration, EvaluatedRatings judged) override {
    const MetricValues rmse = rmse_.of(x_.factors(), theta_.factors(), judged);
    check_finite(rmse, iteration, "are all ratings finite?");
    return rmse;
  }

  std::vector<ModelMatrix> model() override {
    std::vector<ModelMatrix> matrices;
    for (const CcdSide* side : {&x_, &theta_})
      matrices.push_back({std::string(name_of(side->side())), side->factors().download(),
                          side->factors().view().rows, problem_.rank()});
    return matrices;
  }

  std::vector<ModelMatrix> last_model() override {
    std::vector<ModelMatrix> matrices;
    for (CcdSide* side : {&x_, &theta_})
      matrices.push_back({std::string(name_of(side->side())), side->take_factors(),
                          side->factors().view().rows, problem_.rank()});
    return matrices;
  }

  // Residuals are recomputed: they are rounded otherwise than those that an iteration left.
  void restore(const std::vector<ModelMatrix>& model, int64_t) override {
    for (const ModelMatrix& matrix : model)
      (side_named(matrix.name) == Side::x ? x_ : theta_).upload(matrix.values);
    begin();
  }

 private:
  void begin() {
    x_.begin(theta_);
    theta_.begin(x_);
  }

  const DeviceProblem& problem_;
  const int updates_;  // of a feature, on either side
  CcdSide x_, theta_;
  RmseEvaluator rmse_;
  StageClock clock_;
};

}  // namespace

Algorithm ccd() {
  return {.name = "ccd",
          .parts = kSideNames,
          .metric = "rmse",
          .hyper = {{.name = "inner",
                     .values = {"1", "2", "3", "5"},
                     .description = "updates of a feature on either side before the next feature",
                     .effect = Effect::accuracy,
                     .open = true,
                     .whole = true}},
          .pipelines = [](const std::string&) -> const PipelineGrammar& { return ccd_pipelines(); },
          .shape = part_shape,
          .shape_of_set = part_shape_of_set,
          .part_seconds = part_seconds,
          .start = [](const DeviceProblem& problem, const Recipe& recipe,
                      uint64_t seed) -> std::unique_ptr<Training> {
            if (!problem.member().alone())
              throw ObjectionError("ccd trains on one device; choose one of the team");
            return std::make_unique<CcdTraining>(problem, recipe, seed);
          }};
}

}  // namespace alsbench
