// SPDX-License-Identifier: Apache-2.0
#include "harness/data/generator.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/data/repair_item_degrees.h"
#include "harness/data/split.h"
#include "harness/files/hash.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

std::vector<double> drawn_item_degrees(const Csr& all) {
  std::vector<double> degrees(static_cast<size_t>(all.cols));
  for (const int32_t item : all.indices) ++degrees[static_cast<size_t>(item)];
  return degrees;
}

std::vector<double> drawn_user_degrees(const Csr& all) {
  std::vector<double> degrees;
  for (int64_t row = 0; row < all.rows; ++row)
    degrees.push_back(static_cast<double>(all.offsets[row + 1] - all.offsets[row]));
  return degrees;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// Within 5 % of the wanted degree, or within what rounding to whole ratings makes of it.
void expect_quantiles(const std::vector<double>& drawn, const std::vector<double>& wanted) {
  for (const double share : {0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0}) {
    const double expected = quantile(wanted, share);
    EXPECT_NEAR(quantile(drawn, share), expected, std::max(0.05 * expected, 1.5))
        << "quantile " << share;
  }
}

GeneratorPlan plan_of(const std::string& name, double scale, uint64_t seed = 1) {
  return plan_generator(scaled(dataset_spec(name), scale), seed);
}

struct ScaledSet {
  std::string name;
  double scale = 1;
};

std::string text_of(const ScaledSet& set) {
  std::string text = fmt::format("{}_at_{}", set.name, set.scale);
  for (char& c : text)
    if (c == '-' || c == '.') c = '_';
  return text;
}

void PrintTo(const ScaledSet& set, std::ostream* stream) { *stream << text_of(set); }

class ShapesTest : public testing::TestWithParam<ScaledSet> {};

TEST_P(ShapesTest, MeetCountsAndDegreesWithNoCellTwice) {
  const GeneratorPlan plan = plan_of(GetParam().name, GetParam().scale);
  const DatasetSpec& spec = plan.spec;
  const Csr all = draw_ratings(plan);
  EXPECT_EQ(all.nnz(), spec.train_ratings + spec.test_ratings);
  for (int64_t row = 0; row < all.rows; ++row) {
    for (int64_t i = all.offsets[row] + 1; i < all.offsets[row + 1]; ++i)
      ASSERT_LT(all.indices[i - 1], all.indices[i]) << "row " << row;
  }
  const std::vector<double> items = drawn_item_degrees(all);
  expect_quantiles(items, plan.target_degrees);
  for (size_t rank = 0; rank < plan.target_degrees.size(); ++rank) {
    const double wanted = plan.target_degrees[rank];
    EXPECT_NEAR(items[static_cast<size_t>(plan.item_of_rank[rank])], wanted,
                std::max(1.5, 0.02 * wanted))
        << "item of rank " << rank;
  }
  expect_quantiles(drawn_user_degrees(all),
                   expected_degrees(spec.user_degrees, spec.rows, all.nnz(), spec.cols));
  const auto [low, high] = std::minmax_element(all.values.begin(), all.values.end());
  EXPECT_EQ(*low, static_cast<float>(spec.values.minimum));
  EXPECT_EQ(*high, static_cast<float>(spec.values.maximum));
  for (int64_t i = 0; i < all.nnz(); i += 101) {
    const double steps =
        (static_cast<double>(all.values[i]) - spec.values.minimum) / spec.values.step;
    ASSERT_NEAR(steps, std::round(steps), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShapesTest,
                         testing::Values(ScaledSet{"ml-100k", 1}, ScaledSet{"ml-100k", 0.1},
                                         ScaledSet{"ml-1m", 1}, ScaledSet{"ml-1m", 0.05},
                                         ScaledSet{"netflix", 0.02},
                                         ScaledSet{"netflix-transposed", 0.01},
                                         ScaledSet{"ragged", 0.05}, ScaledSet{"ml-10m", 0.05},
                                         ScaledSet{"ml-20m", 0.02}, ScaledSet{"ml-25m", 0.02},
                                         ScaledSet{"yahoomusic", 0.003}),
                         [](const auto& test) { return text_of(test.param); });

TEST(Generator, SettlingMovesFewRatingsAndLeavesTheOthers) {
  const GeneratorPlan plan = plan_of("ml-100k", 1);
  const auto count = static_cast<size_t>(plan.row_offsets.back());
  std::vector<int32_t> indices(count);
  std::vector<float> values(count);
  draw_rows_on_cpu(plan, indices.data(), values.data());
  const auto cells = [&] {
    std::map<std::pair<int64_t, int32_t>, float> map;
    for (int64_t row = 0; row < plan.spec.rows; ++row)
      for (int64_t i = plan.row_offsets[row]; i < plan.row_offsets[row + 1]; ++i)
        map[{row, indices[i]}] = values[i];
    return map;
  };
  const auto drawn = cells();
  repair_item_degrees(plan, indices.data(), values.data());
  const auto settled = cells();
  EXPECT_EQ(settled.size(), count);  // no cell twice
  const std::vector<Latent> items = latent_items(plan);
  int64_t moved = 0;
  for (const auto& [cell, value] : settled) {
    const auto before = drawn.find(cell);
    moved += before == drawn.end();
    const auto user = static_cast<uint64_t>(cell.first), item = static_cast<uint64_t>(cell.second);
    const float expected =
        before != drawn.end()
            ? before->second
            : rating_value(plan.values,
                           signal_of(plan.values, latent_user(plan.values, user), items[item]),
                           user, item);
    EXPECT_EQ(value, expected);
  }
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, 6000);
}

TEST(Generator, RowsOfOneRatingOnAverageAllHaveOne) {
  const GeneratorPlan plan = plan_of("ragged", 0.25);
  EXPECT_EQ(plan.spec.rows, 1'000'000);
  EXPECT_EQ(plan.row_offsets.back(), 1'000'000);
  for (size_t row = 0; row + 1 < plan.row_offsets.size(); ++row)
    ASSERT_EQ(plan.row_offsets[row + 1] - plan.row_offsets[row], 1) << "row " << row;
}

TEST(Generator, SettledDegreesStay) {
  const GeneratorPlan plan = plan_of("netflix", 0.01);
  const Csr all = draw_ratings(plan);
  std::vector<int32_t> indices(all.indices.begin(), all.indices.end());
  std::vector<float> values(all.values.begin(), all.values.end());
  repair_item_degrees(plan, indices.data(), values.data());
  EXPECT_TRUE(std::equal(indices.begin(), indices.end(), all.indices.begin()));
  EXPECT_TRUE(std::equal(values.begin(), values.end(), all.values.begin()));
}

// als.md's tables, as numbers of the specification that a user would check against.
TEST(Generator, NetflixAtFullScaleMeetsItsTableInExpectation) {
  const GeneratorPlan plan = plan_of("netflix", 1);
  EXPECT_EQ(plan.spec.train_ratings, 99'072'112);
  EXPECT_EQ(plan.spec.test_ratings, 1'408'395);
  EXPECT_EQ(plan.row_offsets.back(), 99'072'112 + 1'408'395);
  const std::vector<double> items = planned_item_degrees(plan);
  ASSERT_EQ(items.size(), 17'770u);
  const std::vector<std::pair<double, double>> table{
      {0, 227715}, {.0056, 113058}, {.01, 95016}, {.05, 28874}, {.1, 12152}, {.2, 3985},
      {.3, 1908},  {.5, 546},       {.7, 222},    {.9, 114},    {.99, 66},   {1, 3}};
  for (const auto& [fraction, count] : table) {
    EXPECT_NEAR(items[static_cast<size_t>(fraction * 17769 + 0.5)], count, 0.05 * count)
        << fraction;
  }
  std::vector<double> users;
  for (size_t row = 0; row + 1 < plan.row_offsets.size(); ++row)
    users.push_back(static_cast<double>(plan.row_offsets[row + 1] - plan.row_offsets[row]));
  EXPECT_NEAR(quantile(users, 0.5), 96, 0.05 * 96);
  EXPECT_NEAR(quantile(users, 0.9), 96 * std::exp(1.248 * 1.2816), 0.05 * 475);
  const auto below_ten = std::count_if(users.begin(), users.end(), [](double d) { return d < 10; });
  EXPECT_NEAR(static_cast<double>(below_ten) / 480'189, 0.03, 0.01);
}

TEST(Generator, EveryShippedSpecificationCanBePlanned) {
  ASSERT_FALSE(dataset_names().empty());
  for (const std::string& name : dataset_names()) {
    const GeneratorPlan plan = plan_of(name, 0.01);
    const std::vector<double> planned = planned_item_degrees(plan);
    double worst = 0;
    for (size_t j = 0; j < planned.size(); ++j)
      worst = std::max(worst, std::abs(planned[j] / plan.target_degrees[j] - 1));
    EXPECT_LT(worst, 0.05) << name;
  }
}

TEST(Generator, InclusionFollowsThePlan) {
  // Item degrees over several seeds against the analytic expectation, tighter than one draw allows.
  const GeneratorPlan first = plan_of("ml-100k", 1);
  std::vector<double> sums(first.target_degrees.size());
  constexpr int kSeeds = 20;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const GeneratorPlan plan = plan_of("ml-100k", 1, seed);
    const std::vector<double> degrees = drawn_item_degrees(draw_ratings(plan));
    for (size_t rank = 0; rank < sums.size(); ++rank)
      sums[rank] += degrees[static_cast<size_t>(plan.item_of_rank[rank])] / kSeeds;
  }
  for (size_t begin = 0; begin + 40 <= sums.size(); begin += 40) {
    double drawn = 0;
    double planned = 0;
    for (size_t rank = begin; rank < begin + 40; ++rank) {
      drawn += sums[rank];
      planned += first.target_degrees[rank];
    }
    EXPECT_NEAR(drawn / planned, 1, 0.02 + 3 / std::sqrt(planned * kSeeds)) << "ranks " << begin;
  }
}

TEST(Generator, DependsOnTheSeedAndNotOnTheThreads) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string single = generate_set(plan_of("ml-100k", 0.3)).content_hash;
  omp_set_num_threads(7);
  const std::string seven = generate_set(plan_of("ml-100k", 0.3)).content_hash;
  omp_set_num_threads(before);
  EXPECT_EQ(single, seven);
  EXPECT_NE(single, generate_set(plan_of("ml-100k", 0.3, 2)).content_hash);
}

TEST(Generator, OffsetsBeyond32Bits) {
  DatasetSpec spec = dataset_spec("ml-100k");
  spec.rows = 3000;
  spec.cols = 2'000'000;
  spec.train_ratings = 3'000'000'000;
  spec.test_ratings = 5;
  spec.user_degrees = {};
  spec.item_degrees.maximum = 0;
  const GeneratorPlan plan = plan_generator(spec, 1);
  EXPECT_EQ(plan.row_offsets.back(), 3'000'000'005);
  double sum = 0;
  for (const double degree : planned_item_degrees(plan)) sum += degree;
  EXPECT_NEAR(sum, 3'000'000'005.0, 1e3);
  // The strata of a row of 2^20 picks tile the weights without gap or overflow.
  const ItemWeights weights = plan.weights();
  const int64_t strata = 1'000'000 - weights.prefix[1'000'000];
  int64_t end = weights.cumulative[weights.prefix[1'000'000]];
  for (int64_t i = 0; i < strata; ++i) {
    const Stratum stratum = stratum_of(weights, weights.prefix[1'000'000], strata, i);
    ASSERT_EQ(stratum.begin, end);
    ASSERT_GT(stratum.end, stratum.begin);
    end = stratum.end;
  }
  EXPECT_EQ(end, weights.cumulative[weights.items]);
}

TEST(Generator, RowsThatHoldEveryItem) {
  DatasetSpec spec = dataset_spec("ml-100k");
  spec.rows = 20;
  spec.cols = 30;
  spec.train_ratings = 600;
  spec.test_ratings = 0;
  const Csr all = draw_ratings(plan_generator(spec, 1));
  EXPECT_EQ(all.nnz(), 600);
  for (int64_t i = 0; i < 600; ++i) EXPECT_EQ(all.indices[i], i % 30);
  spec.train_ratings = 601;
  EXPECT_THROW(plan_generator(spec, 1), UsageError);
}

TEST(Generator, ValuesFollowThePlantedModel) {
  const GeneratorPlan plan = plan_of("ml-1m", 0.3);
  const RatingSet set = generate_set(plan);
  // The floor is below the spread of the values, and near the noise with its rounding.
  double variance = 0;
  for (const float value : set.test.values)
    variance += std::pow(static_cast<double>(value) - set.mean, 2);
  const double stddev = std::sqrt(variance / static_cast<double>(set.test.nnz()));
  EXPECT_GT(stddev, 1.15 * set.rmse_floor);
  const double rounded_noise = std::hypot(plan.spec.values.noise, 1 / std::sqrt(12.0));
  EXPECT_NEAR(set.rmse_floor, rounded_noise, 0.08);
  EXPECT_NEAR(set.mean, plan.spec.values.mean, 0.15);
}

TEST(Generator, NormalNumbersHaveMeanZeroAndVarianceOne) {
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 200'000;
  for (uint64_t i = 0; i < kCount; ++i) {
    const double z = static_cast<double>(normal_of(mix64(i)));
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.01);
}

TEST(Generator, ThisSeedGivesTheseBits) {
  // A change of the generator changes every committed result: raise the cache's version with it.
  const ValueModel model{.minimum = 1,
                         .step = 0.5f,
                         .inverse_step = 2,
                         .levels = 8,
                         .mean = 3.5f,
                         .user_bias = 0.4f,
                         .item_bias = 0.5f,
                         .factor = 0.3f,
                         .noise = 0.8f,
                         .seed = 9};
  std::vector<float> values;
  for (uint64_t i = 0; i < 1000; ++i) {
    values.push_back(rating_value(
        model, signal_of(model, latent_user(model, i), latent_item(model, 7 * i)), i, 7 * i));
  }
  EXPECT_EQ(hash_bytes(values.data(), 4000), "9366e68f60053ab130608273c606f5ab");
}

class GeneratorOptionsTest : public DataTest {};

TEST_F(GeneratorOptionsTest, UniformRowsAndEmptySides) {
  DataRequest request;
  request.dataset = "ml-100k";
  request.uniform_row_length = 64;
  const RatingSet uniform = load_rating_set(request);
  const Shape shape = shape_of(uniform.by_user, 8);
  EXPECT_EQ(shape.row_length_quantiles.front(), 64);
  EXPECT_EQ(shape.longest_row(), 64);
  EXPECT_EQ(uniform.test.nnz(), 0);

  request.uniform_row_length = 0;
  request.empty_rows = 0.2;
  request.empty_cols = 0.1;
  const RatingSet sparse = load_rating_set(request);
  EXPECT_EQ(sparse.by_user.nnz(), 90'000);
  EXPECT_NEAR(static_cast<double>(empty_rows(sparse.by_user)), 0.2 * 943, 3);
  EXPECT_GE(empty_rows(sparse.by_item), 168);
  EXPECT_NE(sparse.id, uniform.id);
}

TEST_F(GeneratorOptionsTest, BadRequestsSayWhatIsWrong) {
  DataRequest request;
  request.dataset = "netflx";
  EXPECT_TRUE(contains(error_of(request), "netflix"));
  request.dataset = "netflix";
  request.scale = 0;
  EXPECT_TRUE(contains(error_of(request), "scale 0"));
  request.scale = 1;
  request.uniform_row_length = 17'771;
  EXPECT_TRUE(contains(error_of(request), "do not fit"));
  request.dataset = write("own.json", "{\"name\": 5}");
  EXPECT_TRUE(contains(error_of(request), "own.json"));
}

}  // namespace
}  // namespace alsbench
