// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/suite_ratings.h"

#include "harness/cli/ratings_options.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

// As a suite's file has them.
Json problem_on(const DataRequest& data) {
  if (data.has_sizes()) {
    Json sizes = Json::object();
    for (const auto& [name, size] : data.sizes.entries()) sizes[name] = std::stoll(size);
    return {{"sizes", sizes}};
  }
  if (!data.dataset.empty()) return {{"dataset", data.dataset}};
  Json problem{{"path", data.path.string()}};
  if (!data.format.empty()) problem["format"] = data.format;
  if (!data.columns.empty()) problem["columns"] = data.columns;
  if (!data.test_path.empty())
    problem["test"] = data.test_path.string();
  else if (takes_share(data.split_by))
    problem["test_fraction"] = data.test_fraction;
  if (data.split_by != SplitBy::random) problem["split_by"] = name_of(data.split_by);
  problem["duplicates"] = name_of(data.duplicates);
  return problem;
}

}  // namespace

Suite suite_on_ratings(const std::string& source, const RunOptions& options) {
  const std::string text = suite_text(source);
  Suite suite = parse_suite(text, source);
  if (!options.names_ratings() && !options.rank && !options.lambda) return suite;
  Json json = parse_json(text, source);
  if (options.names_ratings()) {
    check_for_workers(options.data);
    DataRequest data = options.data;
    if (data.has_sizes()) data.sizes = with_sizes(suite.problems.front().data.sizes, data.sizes);
    Json problem = problem_on(data);
    if (!data.has_sizes()) {
      problem["rank"] = suite.problems.front().rank;
      problem["lambda"] = suite.problems.front().lambda;
    }
    json["problems"] = Json::array({problem});
  }
  for (Json& problem : json["problems"]) {
    if (options.rank) problem["rank"] = *options.rank;
    if (options.lambda) problem["lambda"] = *options.lambda;
  }
  return parse_suite(json.dump(), source);
}

}  // namespace alsbench
