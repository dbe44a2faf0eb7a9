// SPDX-License-Identifier: Apache-2.0
// `alsbench tune portability`: one pick for the shapes and devices of several tunings, or of a
// database.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/tune/stage_shapes.h"
#include "harness/files/file_plan.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/process/exit_code.h"
#include "harness/record/document.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/search/tuning_document.h"

namespace alsbench {
namespace {

struct PortabilityOptions {
  std::vector<std::string> files;
  std::string stage;  // of a database
};

// Contents of the files, of one stage.
struct Measured {
  std::vector<Platform> platforms;
  std::map<std::string, std::string> files;  // by the name of a platform, which one has it
  std::set<std::string> stages;
  std::set<std::string> others;  // that the databases have, too
  std::string default_point;     // of the first
};

// Throws UsageError where an earlier file has one of the platforms: it would count twice. Entries
// of one database are of different questions.
void add_platforms(const std::vector<Platform>& platforms, const std::string& file,
                   Measured& measured) {
  for (const Platform& platform : platforms)
    if (const auto earlier = measured.files.find(platform.name); earlier != measured.files.end())
      throw UsageError(fmt::format("{} and {}: both are of {}; give one of them", earlier->second,
                                   file, platform.name));
  for (const Platform& platform : platforms) measured.files.emplace(platform.name, file);
  measured.platforms.insert(measured.platforms.end(), platforms.begin(), platforms.end());
}

std::vector<std::string> names_of(const TuningSearch& search) {
  const std::string where = search.part + ", " + search.device;
  std::vector<std::string> names;
  if (search.problem) names.push_back(search.problem->name() + ", " + where);
  for (const ProblemSpec& also : search.also) names.push_back(also.name() + ", " + where);
  if (names.empty()) names.push_back(where);
  return names;
}

void add_tuning(const TuningDocument& document, const std::string& file, Measured& measured) {
  const std::vector<std::string> names = names_of(document.search);
  const TuningResultRecord& result = document.result.result;
  std::vector<SearchPoint> points;
  for (const EvaluationRecord& record : result.points)
    points.push_back({nullptr, record.point.variant, record.point.config, {}});
  if (points.empty()) return;
  const SearchSpace space(std::move(points), result.fallback.text());
  add_platforms(platforms_of(result_of(result, space), space, names), file, measured);
  measured.stages.insert(document.search.stage);
  if (measured.default_point.empty()) measured.default_point = result.fallback.text();
}

std::string text_of_pick(const std::vector<StepRecord>& steps) {
  return PointRecord{steps.front().variant, steps.front().config}.text();
}

// Of an entry the pick with its ties, and the default.
Platform platform_of(const TunedEntry& entry) {
  Platform platform{fmt::format("{}, {}, {}", entry.data, entry.part, entry.device.name), {}};
  platform.seconds[text_of_pick(entry.default_pick)] = entry.default_seconds;
  for (const std::vector<StepRecord>& tie : entry.ties)
    platform.seconds[text_of_pick(tie)] = entry.median_seconds;
  platform.seconds[text_of_pick(entry.pick)] = entry.median_seconds;
  return platform;
}

void add_database(const std::vector<TunedEntry>& entries, const std::string& stage,
                  const std::string& file, Measured& measured) {
  std::vector<Platform> platforms;
  for (const TunedEntry& entry : entries) {
    if (entry.pick.empty() || entry.default_pick.empty()) continue;
    if (entry.what != stage) {
      measured.others.insert(entry.what);
      continue;
    }
    platforms.push_back(platform_of(entry));
    measured.stages.insert(stage);
    if (measured.default_point.empty()) measured.default_point = text_of_pick(entry.default_pick);
  }
  add_platforms(platforms, file, measured);
}

void add_file(const std::string& file, const PortabilityOptions& options, Measured& measured) {
  const std::string text = document_text(file);
  const Json json = parse_json(text, file);
  if (text_at(json, "kind") == "tuning")
    return add_tuning(read_as_document<TuningDocument>(json, "tuning", file), file, measured);
  if (options.stage.empty())
    throw UsageError(
        fmt::format("{}: is no result of tune stage; of a tuning database say whose "
                    "entries, such as --stage hermitian",
                    file));
  add_database(parse_tuned(text, file), options.stage, file, measured);
}

int tune_portability(const PortabilityOptions& options) {
  Measured measured;
  for (const std::string& file : options.files) add_file(file, options, measured);
  if (measured.stages.empty() && !measured.others.empty())
    throw UsageError(
        fmt::format("no database has an entry of --stage '{}'{}", options.stage,
                    suggestion(options.stage, {measured.others.begin(), measured.others.end()})));
  if (measured.stages.size() > 1)
    throw UsageError("the files are of several stages; give those of one");
  if (measured.platforms.size() < 2)
    throw UsageError("there is one shape on one device, or none; give files of several");
  fmt::print("{}", portability_table(portability_of(measured.platforms, measured.default_point)));
  return kExitOk;
}

}  // namespace

void add_tune_portability_command(CLI::App& tune, CommandResult& result) {
  auto options = std::make_shared<PortabilityOptions>();
  CLI::App* command = tune.add_subcommand(
      "portability", "Finds one pick for the shapes and devices of several tunings");
  command
      ->add_option("file", options->files,
                   "Results of tune stage, of several shapes or devices, or tuning databases")
      ->required()
      ->type_name("FILE");
  command->add_option("--stage", options->stage, "Of databases: the entries of this stage");
  result.runs(*command, [options] { return tune_portability(*options); });
}

}  // namespace alsbench
