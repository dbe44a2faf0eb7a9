// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/search_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/split.h"
#include "harness/cli/validators.h"

namespace alsbench {
namespace {

constexpr size_t kMaxCandidates = 1024;

struct SearchAxis {
  std::string name;  // rank, lambda, or a hyper-parameter
  std::vector<std::string> values;
};

[[noreturn]] void fail(const std::string& text, const std::string& why) {
  throw UsageError(fmt::format("--search {}: {}", text, why));
}

double number_in(const std::string& axis, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(axis, fmt::format("'{}' is no number", text));
  return value;
}

// COUNT values from FIRST to LAST in equal ratios, with four digits.
std::vector<std::string> range(const std::string& axis, const std::vector<std::string>& parts) {
  const double first = number_in(axis, parts[0]), last = number_in(axis, parts[1]);
  const double count = number_in(axis, parts[2]);
  if (!(first > 0 && last > first)) fail(axis, "a range FIRST:LAST:COUNT needs 0 < FIRST < LAST");
  if (!(count >= 2 && count <= static_cast<double>(kMaxCandidates) && count == std::floor(count)))
    fail(axis, fmt::format("give a whole COUNT from 2 to {}", kMaxCandidates));
  std::vector<std::string> values;
  for (int i = 0; i < static_cast<int>(count); ++i)
    values.push_back(fmt::format("{:.4g}", first * std::pow(last / first, i / (count - 1))));
  return values;
}

// The options with these values in place of theirs. Throws UsageError.
TrainCommandOptions with_values(TrainCommandOptions options, const SearchedValues& values) {
  for (const auto& [name, value] : values) {
    if (name == "rank" || name == "lambda") {
      std::string text = value;
      const CLI::Validator wanted = name == "rank" ? above_zero() : zero_or_more();
      std::string fault = decimal_number()(text);
      if (fault.empty()) fault = wanted(text);
      if (!fault.empty()) throw UsageError(fmt::format("--search {}: {}", name, fault));
      if (name == "rank" && !CLI::detail::lexical_cast(text, options.rank))
        throw UsageError(fmt::format("--search rank: '{}': give a whole number", value));
      if (name == "lambda") options.lambda = std::stof(text);
    } else {
      std::string& hyper = options.algorithm.hyper;
      hyper += fmt::format("{}{}={}", hyper.empty() ? "" : ",", name, value);
    }
  }
  hyper_of(options.algorithm);
  return options;
}

// "lambda=0.01,0.05", or "lambda=0.01:0.2:5" for five values in equal ratios. Throws UsageError.
SearchAxis search_axis(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    fail(text, "give NAME=VALUE,VALUE,... or NAME=FIRST:LAST:COUNT");
  SearchAxis axis{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  const std::vector<std::string> parts = split_texts(values, ":");
  axis.values = parts.size() == 3 ? range(text, parts) : split_texts(values, ",");
  for (size_t i = 0; i < axis.values.size(); ++i) {
    const auto end = axis.values.begin() + static_cast<int64_t>(i);
    if (axis.values[i].empty()) fail(text, "a value is missing");
    if (std::find(axis.values.begin(), end, axis.values[i]) != end)
      fail(text, fmt::format("the value {} comes twice", axis.values[i]));
  }
  return axis;
}

// Throws UsageError where an axis comes twice or there are too many.
std::vector<SearchedValues> combinations_of(const std::vector<SearchAxis>& axes) {
  std::vector<SearchedValues> candidates{{}};
  for (const SearchAxis& axis : axes) {
    std::vector<SearchedValues> longer;
    for (const SearchedValues& candidate : candidates)
      for (const std::string& value : axis.values) {
        longer.push_back(candidate);
        longer.back().emplace_back(axis.name, value);
      }
    const bool twice = std::any_of(candidates[0].begin(), candidates[0].end(),
                                   [&](const auto& chosen) { return chosen.first == axis.name; });
    if (twice) fail(axis.name, "comes twice; give all of its values at once");
    if (longer.size() > kMaxCandidates)
      fail(axis.name, fmt::format("more than {} combinations; give fewer values", kMaxCandidates));
    candidates = std::move(longer);
  }
  return candidates;
}

std::vector<SearchedValues> searched_values(const TrainCommandOptions& options) {
  if (options.search.empty()) return {};
  std::vector<SearchAxis> axes;
  for (const std::string& text : options.search) {
    axes.push_back(search_axis(text));
    if (axes.back().name == "lambda" && options.lambda)
      fail(text, "--lambda is given, too; give one of them");
  }
  const std::vector<SearchedValues> combinations = combinations_of(axes);
  for (const SearchedValues& values : combinations) with_values(options, values);
  return combinations;
}

}  // namespace

SearchPlan search_plan(const TrainCommandOptions& options) {
  SearchPlan plan{searched_values(options), std::nullopt};
  if (!options.search_by.empty())
    plan.ranking = {ranking_metric("--search-by", options.search_by), options.relevant};
  return plan;
}

SearchRequest search_request(const TrainCommandOptions& options, const SearchPlan& plan,
                             const std::function<Backend()>& backend) {
  SearchRequest request;
  request.seeds = options.search_seeds;
  request.ranking = plan.ranking;
  for (const SearchedValues& one : plan.values) {
    Candidate& candidate = request.candidates.emplace_back();
    candidate.values = one;
    candidate.options = train_options(with_values(options, one), backend);
  }
  if (!plan.values.empty()) check_comparable(request);  // before the ratings are loaded
  return request;
}

}  // namespace alsbench
