// SPDX-License-Identifier: Apache-2.0
// Implicit ALS against plain loops in double over all cells, which are dense here.
#include "variants/implicit/implicit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "kernels/cpu/reference/reference.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/rating_sets.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using reference::Vector;

constexpr int32_t kRank = 8;
constexpr int kCgSteps = 3;

// The planted set with its ratings as counts from 0 on.
RatingSet counts_set(int64_t users, int64_t items, double density, int64_t empty_users = 0) {
  RatingSet set = planted_set(users, items, density, empty_users);
  const auto counted = [](const Csr& ratings) {
    std::vector<float> values(ratings.values.begin(), ratings.values.end());
    for (float& value : values) value = std::max(0.0f, std::floor(4 * (value - 2.5f)));
    Csr counts = ratings;
    counts.values = Array<float>(values);
    return counts;
  };
  set.by_user = counted(set.by_user);
  set.by_item = transpose(set.by_user);
  set.test = counted(set.test);
  return set;
}

TrainOptions options_with(const std::string& pipeline, const std::string& hyper) {
  TrainOptions options;
  options.recipe = recipe_of(algorithm_named("implicit-als"), pipeline, hyper);
  options.rank = kRank;
  options.lambda = 0.5f;
  options.iterations = 10;
  return options;
}

struct Setting {
  const char* pipeline;
  int cg_steps;
  const char* hyper;
  double alpha;
  bool weighted = false;
  bool direct = false;  // confidences are ratings times alpha, some of them below 1
};

// Implicit ALS as Hu, Koren and Volinsky write it down, cell after cell.
class DenseAls {
 public:
  DenseAls(const RatingSet& set, const Setting& setting, double lambda, uint64_t seed)
      : rows_(set.by_user.rows),
        cols_(set.by_user.cols),
        lambda_(lambda),
        weighted_(setting.weighted),
        direct_(setting.direct),
        p_(rows_ * cols_, 0.0),
        c_(rows_ * cols_, 1.0),
        known_(rows_ * cols_, 0.0),
        x_(rows_ * kRank, 0.0) {
    for (const float value : initial_factors(cols_, kRank, seed)) theta_.push_back(value);
    fill(set.by_user, setting.alpha, 1, p_, c_);
  }

  // cg_steps 0: exact.
  void iterate(int cg_steps) {
    for (int64_t u = 0; u < rows_; ++u)
      update(x_, u, theta_, cols_, cg_steps, [&](int64_t v) { return u * cols_ + v; });
    for (int64_t v = 0; v < cols_; ++v)
      update(theta_, v, x_, rows_, cg_steps, [&](int64_t u) { return u * cols_ + v; });
  }

  double train_loss() const {
    double sum = 0, confidence = 0;
    for (int64_t cell = 0; cell < rows_ * cols_; ++cell) {
      sum += c_[cell] * std::pow(p_[cell] - predicted(cell), 2);
      confidence += c_[cell];
    }
    for (int64_t u = 0; u < rows_; ++u)
      for (int i = 0; i < kRank; ++i)
        sum += regularisation(row_count(u)) * square(x_[u * kRank + i]);
    for (int64_t v = 0; v < cols_; ++v)
      for (int i = 0; i < kRank; ++i)
        sum += regularisation(column_count(v)) * square(theta_[v * kRank + i]);
    return sum / confidence;
  }

  double test_loss(const RatingSet& set, double alpha) const {
    Vector p(p_.size(), 0.0), c(c_.size(), 1.0);
    DenseAls(*this).fill(set.test, alpha, 0, p, c);
    double sum = 0, confidence = 0;
    for (int64_t cell = 0; cell < rows_ * cols_; ++cell) {
      if (known_[cell] != 0) continue;
      sum += c[cell] * square(p[cell] - predicted(cell));
      confidence += c[cell];
    }
    return sum / confidence;
  }

 private:
  static double square(double value) { return value * value; }
  double regularisation(double count) const { return lambda_ * (weighted_ ? count : 1); }

  void fill(const Csr& ratings, double alpha, double known, Vector& p, Vector& c) {
    for (int64_t u = 0; u < rows_; ++u)
      for (int64_t k = ratings.offsets[u]; k < ratings.offsets[u + 1]; ++k) {
        const int64_t cell = u * cols_ + ratings.indices[k];
        p[cell] = ratings.values[k] > 0 ? 1 : 0;
        c[cell] = (direct_ ? 0 : 1) + alpha * ratings.values[k];
        known_[cell] = known;
      }
  }
  double row_count(int64_t u) const {
    return std::count(known_.begin() + u * cols_, known_.begin() + (u + 1) * cols_, 1.0);
  }
  double column_count(int64_t v) const {
    double count = 0;
    for (int64_t u = 0; u < rows_; ++u) count += known_[u * cols_ + v];
    return count;
  }
  double predicted(int64_t cell) const {
    double sum = 0;
    for (int i = 0; i < kRank; ++i)
      sum += x_[cell / cols_ * kRank + i] * theta_[cell % cols_ * kRank + i];
    return sum;
  }

  // Row `row` of `moving` from `count` rows of `fixed`; cell(j) is that of both.
  template <class Cell>
  void update(Vector& moving, int64_t row, const Vector& fixed, int64_t count, int cg_steps,
              const Cell& cell) {
    Vector a(kRank * kRank, 0.0), b(kRank, 0.0);
    double ratings = 0;
    for (int64_t j = 0; j < count; ++j) {
      ratings += known_[cell(j)];
      for (int i = 0; i < kRank; ++i) {
        b[i] += c_[cell(j)] * p_[cell(j)] * fixed[j * kRank + i];
        for (int k = 0; k < kRank; ++k)
          a[i * kRank + k] += c_[cell(j)] * fixed[j * kRank + i] * fixed[j * kRank + k];
      }
    }
    for (int i = 0; i < kRank; ++i) a[i * (kRank + 1)] += regularisation(ratings);
    Vector start(moving.begin() + row * kRank, moving.begin() + (row + 1) * kRank);
    if (ratings == 0) start.assign(kRank, 0.0);
    const Vector solution = ratings == 0 ? start
                            : cg_steps == 0
                                ? reference::solve(a, b)
                                : reference::conjugate_gradient(a, b, start, {.steps = cg_steps}).x;
    std::copy(solution.begin(), solution.end(), moving.begin() + row * kRank);
  }

  int64_t rows_, cols_;
  double lambda_;
  bool weighted_, direct_;
  Vector p_, c_;  // of every cell
  Vector known_;  // 1 where a cell has a training rating
  Vector x_, theta_;
};

TEST(ImplicitAls, FollowsPlainLoopsInDoubleOverAllCells) {
  const auto device = open_cpu_device(2);
  const RatingSet set = counts_set(120, 80, 0.2, 5);
  for (const Setting& setting :
       {Setting{"exact", 0, "alpha=40", 40, false},
        Setting{"exact", 0, "alpha=0.5,regularisation=weighted", 0.5, true},
        Setting{"exact", 0, "alpha=0", 0, false},
        Setting{"implicit_equations:naive/solve:cg:steps=3", kCgSteps, "alpha=2", 2, false},
        Setting{"cg", kCgSteps, "alpha=2,regularisation=weighted", 2, true},
        Setting{"matrix-free", kCgSteps, "alpha=2", 2, false},
        Setting{"matrix-free", kCgSteps, "alpha=40,regularisation=weighted", 40, true},
        Setting{"exact", 0, "alpha=0.5,confidence=direct", 0.5, false, true},
        Setting{"implicit_equations:naive/solve:cg:steps=3", kCgSteps,
                "alpha=0.5,confidence=direct", 0.5, false, true},
        Setting{"matrix-free", kCgSteps, "alpha=0.5,confidence=direct", 0.5, false, true},
        Setting{"matrix-free", kCgSteps, "alpha=1,regularisation=weighted,confidence=direct", 1,
                true, true}}) {
    SCOPED_TRACE(std::string(setting.pipeline) + " " + setting.hyper);
    const TrainOptions options = options_with(setting.pipeline, setting.hyper);
    const TrainResult result = train(*device, set, options);
    ASSERT_EQ(result.iterations.size(), 10u);
    EXPECT_EQ(result.failed_rows, 0);
    DenseAls dense(set, setting, options.lambda, options.seed);
    for (const IterationRecord& record : result.iterations) {
      dense.iterate(setting.cg_steps);
      const double expected = dense.train_loss();
      EXPECT_NEAR(record.train_metric, expected, 1e-4 * expected) << record.iteration;
      const double test = dense.test_loss(set, setting.alpha);
      EXPECT_NEAR(record.test_metric, test, 1e-4 * test) << record.iteration;
    }
  }
}

TEST(ImplicitAls, ExactUpdatesNeverRaiseTheLoss) {
  const auto device = open_cpu_device(2);
  const TrainResult result =
      train(*device, counts_set(200, 120, 0.3), options_with("exact", "alpha=10"));
  for (size_t i = 1; i < result.iterations.size(); ++i)
    EXPECT_LE(result.iterations[i].train_metric, result.iterations[i - 1].train_metric) << i;
}

TEST(ImplicitAls, EmptyRowsStayZeroAndTheirTestRatingsAreCounted) {
  const auto device = open_cpu_device(2);
  const RatingSet set = counts_set(100, 60, 0.3, 10);
  for (const char* pipeline : {"exact", "cg", "matrix-free"}) {
    const TrainResult result = train(*device, set, options_with(pipeline, "alpha=40"));
    EXPECT_EQ(result.empty_users, 10);
    ASSERT_EQ(result.model[0].name, "x");
    for (size_t i = 90 * kRank; i < 100 * kRank; ++i) ASSERT_EQ(result.model[0].values[i], 0.0f);
    const int64_t cold = set.test.offsets[100] - set.test.offsets[90];
    ASSERT_GT(cold, 0);
    EXPECT_EQ(result.iterations.back().cold_test_ratings, cold);
  }
}

// The set with more users behind its own, who have no ratings.
RatingSet with_users(RatingSet set, int64_t more) {
  for (Csr* matrix : {&set.by_user, &set.test}) {
    std::vector<int64_t> offsets(matrix->offsets.begin(), matrix->offsets.end());
    offsets.resize(offsets.size() + static_cast<size_t>(more), offsets.back());
    matrix->rows += more;
    matrix->offsets = Array<int64_t>(offsets);
  }
  set.by_item = transpose(set.by_user);
  return set;
}

// The Gram matrix is summed over other ranges of rows, so digits at the end differ.
TEST(ImplicitAls, RowsWithoutRatingsAreZeroAndChangeNoOthers) {
  const auto device = open_cpu_device(2);
  const RatingSet set = counts_set(90, 60, 0.3), sparse = with_users(set, 200);
  for (const char* pipeline : {"exact", "exact-library"}) {
    const TrainOptions options = options_with(pipeline, "alpha=40");
    const auto dense = train(*device, set, options).model;
    const auto spread = train(*device, sparse, options).model;
    for (size_t part : {0, 1})
      for (size_t i = 0; i < dense[part].values.size(); ++i)
        ASSERT_NEAR(spread[part].values[i], dense[part].values[i], 1e-3f) << pipeline << " " << i;
    for (size_t i = dense[0].values.size(); i < spread[0].values.size(); ++i)
      ASSERT_EQ(spread[0].values[i], 0.0f) << pipeline << " " << i;
  }
}

TEST(ImplicitAls, RepeatsBitByBitOnAnyNumberOfThreads) {
  const RatingSet set = counts_set(200, 120, 0.3);
  for (const char* pipeline : {"cg", "matrix-free"}) {
    const TrainOptions options = options_with(pipeline, "alpha=40");
    const TrainResult a = train(*open_cpu_device(1), set, options);
    const TrainResult b = train(*open_cpu_device(2), set, options);
    for (size_t i = 0; i < a.model.size(); ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
    EXPECT_EQ(a.iterations.back().train_metric, b.iterations.back().train_metric);
  }
}

TEST(ImplicitAls, TimesTheGramMatrixAsPartOfTheIteration) {
  const auto device = open_cpu_device(2);
  const TrainResult result =
      train(*device, counts_set(100, 60, 0.3), options_with("cg", "alpha=40"));
  const IterationRecord& record = result.iterations.front();
  double all = 0;
  for (const char* part : {"x", "theta"}) {
    for (const char* stage : {"/gram", "/implicit_equations", "/solve"})
      EXPECT_TRUE(record.stage_seconds.contains(std::string(part) + stage)) << part << stage;
    all += algorithm_named("implicit-als").part_seconds(record, part);
  }
  EXPECT_NEAR(record.seconds, all, 1e-9);
  EXPECT_GT(record.mean_solver_steps, 0);
  EXPECT_LE(record.mean_solver_steps, kCgSteps);
}

TEST(ImplicitAls, ARatingBelowZeroIsRefusedByName) {
  RatingSet set = counts_set(50, 30, 0.4);
  std::vector<float> values(set.by_user.values.begin(), set.by_user.values.end());
  values[0] = -1;
  set.by_user.values = Array<float>(values);
  set.by_item = transpose(set.by_user);
  for (int i = 0; i < 50; ++i) set.users.push_back("user" + std::to_string(i));
  for (int i = 0; i < 30; ++i) set.items.push_back("item" + std::to_string(i));
  const std::string item = set.items[set.by_user.indices[0]];
  EXPECT_TRUE(
      contains(thrown_by([&] { train(*open_cpu_device(2), set, options_with("cg", "alpha=40")); }),
               "user user0 and item " + item + " have the rating -1"));
}

TEST(ImplicitAls, WithoutTestRatingsThereIsNoTestLoss) {
  RatingSet set = counts_set(50, 30, 0.4);
  set.test = build_csr({}, 50, 30);
  const TrainResult result = train(*open_cpu_device(2), set, options_with("cg", "alpha=40"));
  EXPECT_TRUE(std::isnan(result.iterations.back().test_metric));
  EXPECT_TRUE(std::isfinite(result.iterations.back().train_metric));
}

TEST(ImplicitAls, AMatrixInHalfIsNoPipeline) {
  EXPECT_THROW(parse_pipeline(implicit_pipelines(),
                              "implicit_equations:blocked/solve:cg:matrix=fp16", Backend::cpu),
               UsageError);
}

}  // namespace
}  // namespace alsbench
