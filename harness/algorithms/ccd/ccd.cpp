// SPDX-License-Identifier: Apache-2.0
// CCD++ (docs/explanation/ccd.md): an iteration goes through the features one after another, and
// updates each on both sides in turn.
#include "variants/ccd/ccd.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/factors.h"
#include "harness/algorithms/rmse.h"
#include "harness/problem/row_bins.h"
#include "harness/train/stage_clock.h"
#include "kernels/shared/params/ccd.h"
#include "variants/catalog.h"
#include "variants/pipeline.h"

namespace alsbench {
namespace {

// One side of a training by CCD++. It has the factors, the values of the current feature,
// and the residuals of all ratings in the order of its rows.
class CcdSide {
 public:
  // Factors are zero. Throws ObjectionError, OutOfMemoryError.
  CcdSide(const DeviceProblem& problem, Side side, const PipelineStep& update);

  Side side() const { return side_; }
  const FactorMatrix& factors() const { return factors_; }
  std::vector<float> take_factors() { return factors_.take(); }
  // Random factors (initial_factors) for the rows that have ratings.
  void fill(uint64_t seed);
  void upload(const std::vector<float>& factors);  // rows x rank

  // Residuals of both sides' factors, and the values of feature 0.
  void begin(const CcdSide& other);
  // Updates the current feature. `first`: this side's first update of it. Enqueued.
  void update(const CcdSide& other, bool first);
  // Writes feature `last` to the factors, and makes `next` the current one. Enqueued.
  void advance(int32_t last, int32_t next);

 private:
  void compute_residuals(const CcdSide& other);

  const DeviceProblem* problem_;
  Side side_;
  bool is_zero_ = true;  // no factors came yet
  FactorMatrix factors_;
  RowBins bins_;
  Buffer values_, residuals_;
  std::unique_ptr<Executable> update_, next_;
};

CcdSide::CcdSide(const DeviceProblem& problem, Side side, const PipelineStep& update)
    : problem_(&problem),
      side_(side),
      factors_(problem.device(), problem.ratings(side).rows, problem.rank()),
      bins_(problem.device(), problem.host_ratings(side), update.storage().order),
      values_(problem.device().allocate(factors_.view().rows *
                                        static_cast<int64_t>(sizeof(CcdValues)))),
      residuals_(problem.device().allocate(int64_t{4} * problem.ratings(side).nnz)),
      update_(problem.device().prepare(*update.variant, update.config, problem.shape(side))) {
  const Variant& next = variant_named(&stages::ccd_next, "rows", problem.device().traits().backend);
  next_ = problem.device().prepare(next, next.space.default_config(), problem.shape(side));
}

void CcdSide::fill(uint64_t seed) {
  const Csr& ratings = problem_->host_ratings(side_);
  const int64_t rank = problem_->rank();
  std::vector<float> values = initial_factors(ratings.rows, problem_->rank(), seed);
  for (int64_t row = 0; row < ratings.rows; ++row)
    if (ratings.offsets[row] == ratings.offsets[row + 1])
      std::fill_n(values.begin() + row * rank, rank, 0.0f);
  upload(values);
}

void CcdSide::upload(const std::vector<float>& factors) {
  factors_.upload(factors);
  is_zero_ = false;
}

void CcdSide::begin(const CcdSide& other) {
  compute_residuals(other);
  problem_->device().fill(values_.data(), 0, values_.bytes());
  advance(-1, 0);
}

void CcdSide::update(const CcdSide& other, bool first) {
  update_->launch(CcdUpdateParams{problem_->ratings(side_), residuals_.as<float>(),
                                  values_.as<CcdValues>(), other.values_.as<CcdValues>(),
                                  bins_.view(), problem_->lambda(), first ? 1 : 0});
}

void CcdSide::advance(int32_t last, int32_t next) {
  next_->launch(CcdNextParams{factors_.view(), values_.as<CcdValues>(), last, next});
}

void CcdSide::compute_residuals(const CcdSide& other) {
  Device& device = problem_->device();
  if (is_zero_ || other.is_zero_)
    return device.copy(residuals_.data(), problem_->ratings(side_).values, residuals_.bytes());
  const Csr& ratings = problem_->host_ratings(side_);
  const int64_t rank = problem_->rank();
  const std::vector<float> own = factors_.download(), others = other.factors_.download();
  std::vector<float> residuals(static_cast<size_t>(ratings.nnz()));
#pragma omp parallel for schedule(dynamic, 64)  // cannot throw
  for (int64_t row = 0; row < ratings.rows; ++row)
    for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) {
      double residual = ratings.values[k];
      const float *a = own.data() + row * rank, *b = others.data() + ratings.indices[k] * rank;
      for (int64_t i = 0; i < rank; ++i) residual -= double{a[i]} * b[i];
      residuals[k] = static_cast<float>(residual);
    }
  device.upload(residuals_.data(), residuals.data(), residuals_.bytes());
}

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
  void restore(const std::vector<ModelMatrix>& model, const CopyState&) override {
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
