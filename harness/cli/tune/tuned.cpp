// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/tuned.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/ratings_options.h"
#include "harness/data/data_shape.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/files/command_line.h"
#include "harness/record/device_record.h"
#include "harness/stage/stage_fixture.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

// Answers for cases of suites; what is asked twice is looked up once.
class Chooser {
 public:
  explicit Chooser(const std::string& file) : database_(TuningDatabase::load(file)) {}

  TunedChoice choose(const TunedRequest& request) {
    const DataShapes& data = shapes(request.problem);
    Shape shape = data.of(side_of(request.part));
    shape.damping = damping_of(request.problem.lambda, data.mean);
    if (!is_of_cpu(request.device) && cuda_device_count() == 0)
      return without_device(request, shape);
    TunedQuery query;
    query.device = traits_of_device(request.device, database_);
    query.members = static_cast<int>(team_members(request.device).size());
    query.shape = shape;
    query.part = request.part;
    const Variant* variant = request.variant;
    if (variant == nullptr) {
      query.algorithm = request.algorithm;
      query.minimised = request.minimised;
      if (request.text == kNeighbourText) query.hidden = {data.x, data.theta};
      return answer(request.text == kDefaultText ? default_of(query) : database_.look_up(query));
    }
    const std::string stage(name_of(variant->stage));
    for (const std::string& what : {stage + "/" + variant->name, stage}) {
      query.what = what;
      const Served served = database_.look_up(query);
      if (served.entry && served.steps.front().variant == variant) return answer(served);
    }
    Served fallback;
    fallback.steps = {{variant, variant->space.default_config()}};
    fallback.reason = fmt::format("no entry of the tuning database fits {}", variant->id());
    return answer(fallback);
  }

 private:
  static TunedChoice answer(const Served& served) { return {served.steps, origin_of(served, "")}; }

  // The choice for an architecture that runs every variant; here it is only shown.
  static TunedChoice without_device(const TunedRequest& request, const Shape& shape) {
    constexpr int kArchitecture = 80;
    Served served;
    served.reason = "no CUDA device here";
    if (const Variant* variant = request.variant) {
      served.steps = {{variant, variant->space.default_config()}};
      return answer(served);
    }
    const DefaultChoice choice = default_pipeline(request.algorithm->pipelines(request.part), shape,
                                                  traits_of_architecture(kArchitecture));
    served.steps = choice.steps;
    served.reason += fmt::format("; on sm_{} {}", kArchitecture, choice.reason);
    return answer(served);
  }

  const DataShapes& shapes(const ProblemSpec& problem) {
    const auto [entry, added] = shapes_.try_emplace(problem.name());
    if (added) entry->second = data_shapes(problem.data, problem.rank);
    return entry->second;
  }

  TuningDatabase database_;
  std::map<std::string, DataShapes> shapes_;
};

}  // namespace

void add_database_option(CLI::App& command, std::string& file) {
  command
      .add_option("--db", file,
                  "Tuning database that takes precedence over the user's and the shipped ones")
      ->type_name("PATH");
}

DeviceTraits traits_of_device(const std::string& device, const TuningDatabase& database) {
  const std::string first = team_members(device).front();  // a team's members are alike
  if (names_one_device(first)) return local_device_traits(one_device(first));
  if (device.starts_with("sm_")) return traits_of_architecture(parse_architecture(device));
  if (const DeviceTraits* known = database.device_named(device)) return *known;
  std::set<std::string> names;
  for (const TunedEntry& entry : database.entries()) names.insert(device_slug(entry.device.name));
  throw UsageError(fmt::format(
      "--device '{}': nothing was tuned on a device of that name ({}); write auto, cpu, a CUDA "
      "ordinal, or an architecture such as sm_90",
      device,
      names.empty() ? "the database is empty" : fmt::format("known: {}", fmt::join(names, ", "))));
}

std::string tuning_hint(const TunedQuery& query, const TunedOrigin& origin, const DataRequest& data,
                        const std::vector<std::string>& more) {
  if (origin.level == name_of(ServedLevel::shape) && !origin.stale) return "";
  std::vector<std::string> words{"alsbench", "tune"};
  if (query.what == kWholePipeline)
    words.emplace_back("pipeline");
  else
    words.insert(words.end(),
                 {"stage", query.what.substr(0, query.what.find('/')), "--part", query.part});
  if (query.goal != Goal::time)
    words.insert(words.end(), {"--objective", std::string(name_of(query.goal))});
  if (query.algorithm != &default_algorithm())
    words.insert(words.end(), {"--feedback", query.algorithm->feedback});
  if (!query.minimised.empty()) words.insert(words.end(), {"--hyper", query.minimised});
  for (const std::string& word : ratings_arguments(data)) words.push_back(word);
  words.insert(words.end(), {"--rank", std::to_string(query.shape.rank)});
  words.insert(words.end(), more.begin(), more.end());
  return shell_command(words);
}

ChooseTuned choose_from_database(const std::string& file) {
  return [file, chooser = std::shared_ptr<Chooser>()](const TunedRequest& request) mutable {
    if (!chooser) chooser = std::make_shared<Chooser>(file);
    return chooser->choose(request);
  };
}

void print_tuned(const std::vector<Case>& cases) {
  for (const Case& c : cases)
    for (const TunedOrigin& origin : c.tuned)
      print_message("tuned{}: {}: {}: {}\n", c.train ? " " + origin.part : "", c.name(),
                    origin.level, origin.reason);
}

}  // namespace alsbench
