// SPDX-License-Identifier: Apache-2.0
// The fields of a data set's specification.
#include <algorithm>
#include <array>
#include <variant>

#include "harness/data/generator_spec.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

// The members of each distribution.
struct Lognormal {
  double mu = 0, sigma = 1, minimum = 1, maximum = 0;
};
struct Quantiles {
  std::vector<std::array<double, 2>> points;
};
struct Uniform {};
using Distribution = std::variant<Lognormal, Quantiles, Uniform>;

void describe(Fields<Lognormal>& fields) {
  fields.record("lognormal", "Lognormal over ranks, clamped to [minimum, maximum].");
  fields("mu", &Lognormal::mu, "mean of the natural logarithm");
  fields("sigma", &Lognormal::sigma).range(Range::Kind::above_0);
  fields("minimum", &Lognormal::minimum).omitted().range(Range::Kind::from_1);
  fields("maximum", &Lognormal::maximum, "as many as there are on the other side when left out")
      .omitted()
      .range(Range::Kind::from_1);
}

void describe(Fields<Quantiles>& fields) {
  fields.record("quantiles", "Log-linear between points.");
  fields("points", &Quantiles::points,
         "[rank fraction from the most rated, ratings], ascending from 0 to 1")
      .range(Range::Kind::not_empty);
  fields.check([](const JsonField& json, Quantiles& quantiles) {
    const auto& points = quantiles.points;
    const auto before = [](const auto& a, const auto& b) { return a[0] >= b[0]; };
    if (points.size() < 2 || points.front()[0] != 0 || points.back()[0] != 1 ||
        std::adjacent_find(points.begin(), points.end(), before) != points.end())
      json.at("points").fail("must ascend from rank fraction 0 to 1");
  });
}

void describe(Fields<Uniform>& fields) { fields.record("uniform", "Equal for all."); }

const types::OneOfType<Distribution>& distribution() {
  static const types::OneOfType<Distribution> type("distribution");
  return type;
}

DegreeSpec spec_of(const Lognormal& form) {
  DegreeSpec spec;
  spec.kind = DegreeSpec::Kind::lognormal;
  spec.mu = form.mu;
  spec.sigma = form.sigma;
  spec.minimum = form.minimum;
  spec.maximum = form.maximum;
  return spec;
}
DegreeSpec spec_of(const Quantiles& form) {
  DegreeSpec spec;
  spec.kind = DegreeSpec::Kind::quantiles;
  for (const auto& [fraction, count] : form.points) spec.points.emplace_back(fraction, count);
  return spec;
}
DegreeSpec spec_of(const Uniform&) { return {}; }

DegreeSpec degrees_from_json(const JsonField& json) {
  Distribution form;
  distribution().read(json, &form);
  return std::visit([](const auto& one) { return spec_of(one); }, form);
}

Distribution form_of(const DegreeSpec& spec) {
  if (spec.kind == DegreeSpec::Kind::lognormal)
    return Lognormal{spec.mu, spec.sigma, spec.minimum, spec.maximum};
  if (spec.kind == DegreeSpec::Kind::uniform) return Uniform{};
  Quantiles quantiles;
  for (const auto& [fraction, count] : spec.points) quantiles.points.push_back({fraction, count});
  return quantiles;
}

Json degrees_json(const DegreeSpec& spec) {
  const Distribution form = form_of(spec);
  return distribution().write(&form);
}

}  // namespace

const Type& type_for(const DegreeSpec*) {
  static const types::FormedType<DegreeSpec> type(
      degrees_json, degrees_from_json,
      [](Definitions& definitions) { return distribution().schema(definitions); });
  return type;
}

void describe(Fields<ValueSpec>& fields) {
  using V = ValueSpec;
  fields.record("values",
                "Mean + user bias + item bias + planted x . theta + noise, clipped to [minimum, "
                "maximum] and rounded to step.");
  fields("minimum", &V::minimum);
  fields("maximum", &V::maximum);
  fields("step", &V::step).range(Range::Kind::above_0);
  fields("mean", &V::mean);
  fields("user_bias_stddev", &V::user_bias).range(Range::Kind::from_0);
  fields("item_bias_stddev", &V::item_bias).range(Range::Kind::from_0);
  fields("planted_stddev", &V::planted).range(Range::Kind::from_0);
  fields("noise_stddev", &V::noise).range(Range::Kind::from_0);
  fields.check([](const JsonField& json, V& values) {
    if (!(values.maximum > values.minimum)) json.at("maximum").fail("must be above minimum");
  });
}

void describe(Fields<PublishedModel>& fields) {
  fields.record("reference", "Published figures of the real data set.");
  fields("metric", &PublishedModel::metric);
  fields("test_metric", &PublishedModel::test_metric, "of the test ratings");
  fields("lambda", &PublishedModel::lambda, "what is trained with where nothing is said")
      .range(Range::Kind::from_0);
  fields("rank", &PublishedModel::rank).range(Range::Kind::from_1);
  fields.replaced([](const std::string& key) {
    return std::string(key == "test_rmse" ? "'metric': 'rmse' and 'test_metric'" : "");
  });
}

void describe(Fields<DatasetSpec>& fields) {
  using D = DatasetSpec;
  constexpr double kLargestSide = (int64_t{1} << 31) - 1;
  fields.record("", "The shape of a synthetic data set; docs/reference/data.md explains it.");
  describe_hand_written(fields);
  fields("name", &D::name).pattern("[a-z0-9][a-z0-9-]{0,99}", "may have a-z, 0-9 and '-' alone");
  fields("description", &D::description);
  fields("rows", &D::rows, "users").range(1, kLargestSide);
  fields("cols", &D::cols, "items").range(1, kLargestSide);
  fields("train_ratings", &D::train_ratings).range(Range::Kind::from_1);
  fields("test_ratings", &D::test_ratings).range(Range::Kind::from_0);
  fields("user_degrees", &D::user_degrees, "ratings a user, train and test together");
  fields("item_degrees", &D::item_degrees, "ratings an item, train and test together");
  fields("values", &D::values);
  fields("empty_rows", &D::empty_rows, "share of users without any rating")
      .omitted()
      .range(Range::Kind::share);
  fields("empty_cols", &D::empty_cols, "share of items without any rating")
      .omitted()
      .range(Range::Kind::share);
  fields("reference", &D::reference).omitted();
}

}  // namespace alsbench
