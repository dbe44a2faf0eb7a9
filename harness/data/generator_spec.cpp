// SPDX-License-Identifier: Apache-2.0
#include "harness/data/generator_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/data/dataset.h"
#include "harness/files/embedded.h"
#include "harness/files/gzip.h"
#include "harness/files/hash.h"
#include "harness/files/strict_json.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

constexpr std::string_view kFolder = "configs/datasets/";

std::string name_of_path(std::string_view path) {
  return std::string(path.substr(kFolder.size(), path.size() - kFolder.size() - 5));
}

bool is_dataset(std::string_view path) {
  return path.starts_with(kFolder) && path.ends_with(".json");
}

const EmbeddedFile* shipped_spec(const std::string& name) {
  for (const EmbeddedFile& file : embedded_configs())
    if (is_dataset(file.path) && name_of_path(file.path) == name) return &file;
  return nullptr;
}

std::string spec_text(const std::string& name_or_path) {
  if (const EmbeddedFile* shipped = shipped_spec(name_or_path))
    return std::string(shipped->content);
  std::error_code none;
  if (name_or_path.ends_with(".json") && std::filesystem::exists(name_or_path, none))
    return document_text(name_or_path);
  throw UsageError(fmt::format(
      "data set '{}' is not known; known are {}, or give the path of a specification (.json)",
      name_or_path, fmt::join(dataset_names(), ", ")));
}

// The quantile function of the standard normal distribution, relative error 1.2e-9 (Acklam's
// rational approximation).
double normal_quantile(double p) {
  constexpr double kLow = 0.02425;
  const auto tail = [](double q) {
    return (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q -
              2.549732539343734) *
                 q +
             4.374664141464968) *
                q +
            2.938163982698783) /
           ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q +
             3.754408661907416) *
                q +
            1);
  };
  if (p < kLow) return tail(std::sqrt(-2 * std::log(p)));
  if (p > 1 - kLow) return -tail(std::sqrt(-2 * std::log1p(-p)));
  const double q = p - 0.5;
  const double r = q * q;
  return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
            1.383577518672690e+02) *
               r -
           3.066479806614716e+01) *
              r +
          2.506628277459239) *
         q /
         (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
            6.680131188771972e+01) *
               r -
           1.328068155288572e+01) *
              r +
          1);
}

double log_linear(const std::vector<std::pair<double, double>>& points, double fraction) {
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, fraction,
                                      [](double f, const auto& point) { return f < point.first; });
  const auto& [f1, c1] = *above;
  const auto& [f0, c0] = *(above - 1);
  const double share = (fraction - f0) / (f1 - f0);
  return std::exp(std::log(c0) * (1 - share) + std::log(c1) * share);
}

// Degree at rank `rank` of `count`, before limits.
double degree_at(const DegreeSpec& spec, int64_t rank, int64_t count) {
  const double n = static_cast<double>(count);
  switch (spec.kind) {
    case DegreeSpec::Kind::lognormal:
      return std::exp(spec.mu -
                      spec.sigma * normal_quantile((static_cast<double>(rank) + 0.5) / n));
    case DegreeSpec::Kind::quantiles:
      return log_linear(spec.points, static_cast<double>(rank) / std::max(1.0, n - 1));
    case DegreeSpec::Kind::uniform:
      break;
  }
  return 1;
}

}  // namespace

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_configs()) {
    if (is_dataset(file.path)) names.push_back(name_of_path(file.path));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path spec_file(const std::string& name_or_path) {
  return shipped_spec(name_or_path) == nullptr ? name_or_path : "";
}

DatasetSpec dataset_spec(const std::string& name_or_path) {
  const std::string text = spec_text(name_or_path),
                    source = "data set specification " + name_or_path;
  const Json json = parse_json(text, source);
  auto spec = read_hand_written<DatasetSpec>(json, source);
  spec.content_hash = hash_bytes(text.data(), static_cast<int64_t>(text.size()));
  return spec;
}

DatasetSpec scaled(DatasetSpec spec, double scale) {
  if (!(scale > 0) || scale > 100) {
    throw UsageError(fmt::format("scale {} is outside (0, 100]", scale));
  }
  const double side = std::sqrt(scale);
  const auto times = [](int64_t count, double factor) {
    return static_cast<int64_t>(std::llround(static_cast<double>(count) * factor));
  };
  spec.rows = std::max<int64_t>(1, times(spec.rows, side));
  spec.cols = std::max<int64_t>(1, times(spec.cols, side));
  spec.train_ratings = std::max<int64_t>(1, times(spec.train_ratings, scale));
  spec.test_ratings = times(spec.test_ratings, scale);
  for (DegreeSpec* degrees : {&spec.user_degrees, &spec.item_degrees}) {
    degrees->mu += std::log(side);
    degrees->minimum = std::max(1.0, degrees->minimum * side);
    degrees->maximum *= side;
    for (auto& point : degrees->points) point.second *= side;
  }
  return spec;
}

std::vector<double> expected_degrees(const DegreeSpec& spec, int64_t count, int64_t total,
                                     int64_t maximum) {
  const double highest =
      spec.maximum > 0 ? std::min(std::floor(spec.maximum + 0.5), static_cast<double>(maximum))
                       : static_cast<double>(maximum);
  // A table says its own least count; a mean below the minimum lowers it.
  const double mean = static_cast<double>(total) / static_cast<double>(count);
  const double lowest = spec.kind == DegreeSpec::Kind::quantiles
                            ? 0
                            : std::min({spec.minimum, highest, std::floor(mean)});
  if (mean > static_cast<double>(maximum)) {
    throw UsageError(
        fmt::format("{} ratings do not fit: {} rows or columns of at most {} cells; use fewer "
                    "ratings, another scale or fewer empty rows and columns",
                    total, count, maximum));
  }
  const double limit = std::max(highest, mean);
  std::vector<double> degrees(static_cast<size_t>(count));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t rank = 0; rank < count; ++rank) {
    degrees[static_cast<size_t>(rank)] = degree_at(spec, rank, count);
  }
  for (const size_t rank : {size_t{0}, degrees.size() - 1}) {
    if (!degrees.empty() && !(degrees[rank] > 0 && std::isfinite(degrees[rank])))
      throw UsageError(fmt::format(
          "the distribution of degrees gives {} at rank {} of {}; choose parameters whose numbers "
          "are positive and finite",
          degrees[rank], rank + 1, count));
  }
  // One factor on all degrees within the limits makes the sum exact.
  const auto wanted = static_cast<double>(total);
  const auto sum_with = [&](double factor) {
    double sum = 0;
    for (const double degree : degrees) sum += std::clamp(degree * factor, lowest, limit);
    return sum;
  };
  double factor = 1, ratio = 0;
  for (int round = 0; round < 100 && std::abs(ratio - 1) >= 1e-12; ++round) {
    ratio = wanted / sum_with(factor);
    factor *= ratio;
  }
  // Where nearly all are at a limit, that takes too many rounds.
  if (std::abs(ratio - 1) >= 1e-12) {
    double low = 0, high = factor;
    while (sum_with(high) < wanted && high < 1e300) high *= 2;
    for (int round = 0; round < 200; ++round) {
      const double middle = (low + high) / 2;
      (sum_with(middle) > wanted ? high : low) = middle;
    }
    factor = low;
  }
  for (double& degree : degrees) degree = std::clamp(degree * factor, lowest, limit);
  return degrees;
}

float usual_lambda(const std::string& dataset) {
  const auto reference = dataset.empty() ? std::nullopt : dataset_spec(dataset).reference;
  return reference.value_or(PublishedModel{}).lambda;
}

}  // namespace alsbench
