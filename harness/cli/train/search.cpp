// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/search.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/message.h"
#include "base/split.h"
#include "harness/cli/interrupts.h"
#include "harness/cli/text_table.h"
#include "harness/cli/validators.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr size_t kMostCandidates = 1024;

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
  if (!(count >= 2 && count <= static_cast<double>(kMostCandidates) && count == std::floor(count)))
    fail(axis, fmt::format("give a whole COUNT from 2 to {}", kMostCandidates));
  std::vector<std::string> values;
  for (int i = 0; i < static_cast<int>(count); ++i)
    values.push_back(fmt::format("{:.4g}", first * std::pow(last / first, i / (count - 1))));
  return values;
}

// The options with a candidate's values in place of theirs. Throws UsageError.
TrainRequest with_values(TrainRequest options, const Candidate& candidate) {
  for (const auto& [name, value] : candidate) {
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

// The test metric of the iteration that train() keeps; NaN where it left the finite numbers.
double metric_of(Team& team, const RatingSet& set, const TrainOptions& options) {
  try {
    const TrainResult result = train(team, set, options);
    const bool best = options.keep == Keep::best && result.best_iteration > 0;
    return (best ? iteration_record(result, result.best_iteration) : result.iterations.back())
        .test_metric;
  } catch (const NonFiniteError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string shown(double metric) {
  return std::isnan(metric) ? "failed" : fmt::format("{:.5f}", metric);
}

}  // namespace

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

std::vector<Candidate> candidates_of(const std::vector<SearchAxis>& axes) {
  std::vector<Candidate> candidates{{}};
  for (const SearchAxis& axis : axes) {
    std::vector<Candidate> longer;
    for (const Candidate& candidate : candidates)
      for (const std::string& value : axis.values) {
        longer.push_back(candidate);
        longer.back().emplace_back(axis.name, value);
      }
    const bool twice = std::any_of(candidates[0].begin(), candidates[0].end(),
                                   [&](const auto& chosen) { return chosen.first == axis.name; });
    if (twice) fail(axis.name, "comes twice; give all of its values at once");
    if (longer.size() > kMostCandidates)
      fail(axis.name, fmt::format("more than {} combinations; give fewer values", kMostCandidates));
    candidates = std::move(longer);
  }
  return candidates;
}

std::string text_of(const Candidate& candidate) {
  std::string text;
  for (const auto& [name, value] : candidate)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Halving run_search(Team& team, const RatingSet& set, const std::vector<Candidate>& candidates,
                   const SearchRounds& rounds, const OptionsOf& options_of,
                   const ProgressOptions& progress) {
  if (set.test.nnz() == 0)
    throw UsageError(fmt::format(
        "--search: {} has no test ratings to judge by; give --test or a --test-fraction above 0",
        set.id));
  ProgressReport report("train", progress.chosen());
  size_t planned = 0, left = candidates.size();
  for (const int round : halving_rounds(candidates.size(), rounds.iterations)) {
    for (size_t i = 0; i < left; ++i)
      planned = 1 + report.add({fmt::format("trial {}", planned + 1), "trial", 1.0 * round});
    left = survivors_of(left);
  }
  size_t next = 0;
  return halve(candidates.size(), rounds.iterations, [&](size_t candidate, int round) {
    const std::string name =
        fmt::format("{}, {} iterations", text_of(candidates[candidate]), round);
    TrainOptions options = options_of(candidates[candidate], round);  // catches interrupts
    report.rename(next, name);
    report.start(next++);
    if (options.keep != Keep::best) options.judging.each.reset();
    options.keep_model = false;
    options.target.reset();
    std::vector<double> metrics;
    for (int seed = 0; seed < rounds.seeds; ++seed, ++options.seed) {
      metrics.push_back(metric_of(team, set, options));
      if (options.interrupted != nullptr && *options.interrupted)
        return std::optional<std::vector<double>>();
      report.note(fmt::format("{}{}: test {} {:.5f}", name,
                              rounds.seeds > 1 ? fmt::format(", seed {}", options.seed) : "",
                              upper_case(options.recipe.algorithm->metric), metrics.back()));
    }
    report.finish_started();
    return std::optional(std::move(metrics));
  });
}

std::string table_of(const std::vector<Candidate>& candidates, const Halving& search,
                     const std::string& metric) {
  std::vector<std::string> header;
  for (const auto& [name, value] : candidates.at(0)) header.push_back(name);
  header.insert(header.end(), {"iterations", "test " + metric});
  const bool seeds = !search.trials.empty() && search.trials[0].metrics.size() > 1;
  if (seeds) header.insert(header.end(), {"least", "greatest"});
  TextTable table(header);
  for (const HalvingTrial& trial : search.trials) {
    std::vector<std::string> row;
    for (const auto& [name, value] : candidates[trial.candidate]) row.push_back(value);
    row.push_back(std::to_string(trial.iterations));
    row.push_back(shown(trial.metric()));
    if (seeds && !std::isnan(trial.metric())) {
      const auto [least, greatest] =
          std::minmax_element(trial.metrics.begin(), trial.metrics.end());
      row.insert(row.end(), {shown(*least), shown(*greatest)});
    } else if (seeds) {
      row.insert(row.end(), {"", ""});
    }
    table.add(row);
  }
  return table.text();
}

Json to_json(const std::vector<Candidate>& candidates, const Halving& search,
             const std::string& metric) {
  const auto values_of = [&](size_t candidate) {
    Json values = Json::object();
    for (const auto& [name, value] : candidates[candidate]) values[name] = value;
    return values;
  };
  Json trials = Json::array();
  for (const HalvingTrial& trial : search.trials) {
    trials.push_back({{"values", values_of(trial.candidate)},
                      {"iterations", trial.iterations},
                      {"test_" + metric, json_of(trial.metric())}});
    for (const double of_seed : trial.metrics)
      if (trial.metrics.size() > 1) trials.back()["of_seeds"].push_back(json_of(of_seed));
  }
  return Json{{"best", search.best ? values_of(*search.best) : Json(nullptr)},
              {"trials", std::move(trials)}};
}

std::vector<Candidate> search_candidates(const TrainRequest& options) {
  std::vector<SearchAxis> axes;
  for (const std::string& text : options.search) {
    axes.push_back(search_axis(text));
    if (axes.back().name == "lambda" && options.lambda)
      fail(text, "--lambda is given, too; give one of them");
  }
  const std::vector<Candidate> candidates = candidates_of(axes);
  for (const Candidate& candidate : candidates) with_values(options, candidate);
  return candidates;
}

std::optional<TrainRequest> searched(const TrainRequest& options,
                                     const std::vector<Candidate>& candidates, Team& team,
                                     const RatingSet& set, Json& record) {
  const auto options_of = [&](const Candidate& candidate, int iterations) {
    TrainRequest tried = with_values(options, candidate);
    tried.iterations = iterations;
    tried.progress.quiet = true;
    TrainOptions train = train_options(tried, team.device().traits().backend);
    choose_pipelines(tried, set, team, train);
    train.interrupted = &catch_interrupts();
    return train;
  };
  const Halving search =
      run_search(team, set, candidates, {options.iterations, options.search_seeds}, options_of,
                 options.progress);
  const std::string& metric = algorithm_of(options.algorithm).metric;
  if (!options.progress.quiet)
    print_message("{}", table_of(candidates, search, upper_case(metric)));
  record = to_json(candidates, search, metric);
  if (search.interrupted) return std::nullopt;
  if (!search.best) throw NonFiniteError("--search: no training stayed finite; use larger lambdas");
  for (const auto& [name, value] : candidates[*search.best]) fmt::print("{} {}\n", name, value);
  return with_values(options, candidates[*search.best]);
}

}  // namespace alsbench
