// SPDX-License-Identifier: Apache-2.0
// `alsbench best`: what the tuning database would choose, where the answer comes from, and by how
// much it beat the default.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/cli/algorithm_options.h"
#include "harness/cli/commands.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"
#include "harness/cli/tune/best_document.h"
#include "harness/cli/tune/tuned.h"
#include "harness/cli/validators.h"
#include "harness/data/data_shape.h"
#include "harness/device/device_selection.h"
#include "harness/files/file_plan.h"
#include "harness/files/regular_expression.h"
#include "harness/process/exit_code.h"
#include "harness/record/core_codecs.h"
#include "harness/record/document.h"
#include "harness/record/escape.h"
#include "harness/stage/stage_fixture.h"
#include "harness/tune/database/kernel_header.h"
#include "harness/tune/database/tuned_entry.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

struct BestOptions {
  DataRequest data;
  AlgorithmOptions algorithm;
  std::string device = kAutoDevice, stage, side, goal = "time", database, header,
              name_space = "alsbench_tuned";
  int32_t rank = 100;
  bool pipeline = false, no_tuned = false, leave_out = false;
  OutputOptions output;
};

FilePlan file_plan(const BestOptions& options) {
  FilePlan plan;
  reads_data(plan, options.data);
  reads_database(plan, options.database);
  writes_output(plan, options.output);
  plan.writes_or_prints(options.header, "--header");
  return plan;
}

// The answer for one side.
struct Pick {
  TunedQuery query;
  Served served;
};

// Netflix where no data is named.
DataRequest data_of(const BestOptions& options) {
  DataRequest request = options.data;
  if (request.path.empty() && request.dataset.empty()) request.dataset = "netflix";
  return request;
}

std::vector<std::string> parts_of(const BestOptions& options) {
  if (options.side.empty()) return algorithm_of(options.algorithm).parts;
  return {options.side};
}

std::vector<Pick> picks_of(const BestOptions& options, const DeviceTraits& traits,
                           const TuningDatabase& database) {
  const DataShapes shapes = data_shapes(data_of(options), options.rank);
  std::vector<Pick> picks;
  for (const std::string& part : parts_of(options)) {
    Pick pick;
    pick.query.device = traits;
    pick.query.members = static_cast<int>(team_members(options.device).size());
    pick.query.algorithm = &algorithm_of(options.algorithm);
    pick.query.minimised = minimised_text(*pick.query.algorithm, hyper_of(options.algorithm));
    pick.query.shape = shapes.of(side_of(part));
    if (!options.stage.empty()) pick.query.what = options.stage;
    pick.query.part = part;
    pick.query.goal = *named<Goal>(options.goal);
    if (options.leave_out) pick.query.hidden = {shapes.x, shapes.theta};
    pick.served = options.no_tuned ? default_of(pick.query) : database.look_up(pick.query);
    picks.push_back(std::move(pick));
  }
  return picks;
}

std::string pick_text(const Pick& pick, const std::string& better) {
  const Served& served = pick.served;
  std::string text = fmt::format("{}: {}\n", pick.query.part, Pipeline{served.steps}.text());
  text += fmt::format("  level     {}\n  reason    {}\n", name_of(served.level), served.reason);
  if (!better.empty()) text += fmt::format("  better    {}\n", better);
  if (!served.entry) return text;
  const TunedEntry& entry = *served.entry;
  text += fmt::format("  margin    {:.3f}x over the default: {:.3f} ms against {:.3f} ms of {}\n",
                      entry.speedup_over_default(), 1e3 * entry.median_seconds,
                      1e3 * entry.default_seconds, text_of(entry.default_pick));
  text += ties_text(entry.pick, entry.ties, "  ");
  if (entry.accuracy)
    text += fmt::format("  accuracy  {} {:.5f} after {} iterations, {:.5f} in exact FP32\n",
                        upper_case(entry.accuracy->metric), entry.accuracy->test,
                        entry.accuracy->iterations, entry.accuracy->exact);
  text += fmt::format("  search    {}, {} configurations measured, seed {}\n",
                      entry.search.strategy, entry.search.evaluations, entry.search.seed);
  return text;
}

BestDocument document_of(const std::vector<Pick>& picks) {
  const TunedQuery& query = picks.front().query;
  BestDocument document;
  document.training = {query.algorithm->name, query.minimised};
  document.device = query.device;
  document.what = query.what;
  document.goal = query.goal;
  for (const Pick& pick : picks)
    document.picks.push_back({pick.query.part, std::string(name_of(pick.served.level)),
                              pick.served.reason, pick.served.stale, pick.query.shape,
                              records_of(pick.served.steps), pick.served.entry});
  return document;
}

std::string header_of(const std::vector<Pick>& picks, const std::string& name_space) {
  std::vector<HeaderPick> list;
  for (const Pick& pick : picks) {
    const Served& served = pick.served;
    if (const auto objection = objection_of(served.steps, pick.query.shape, pick.query.device))
      throw EnvironmentError(
          fmt::format("nothing can run on side {}: {}", pick.query.part, *objection));
    list.push_back({pick.query.part, served.steps, pick.query.shape, served.line()});
  }
  return kernel_header(list, picks.front().query.device, name_space);
}

int best(const BestOptions& options) {
  file_plan(options).check();
  const TuningDatabase database = TuningDatabase::load(options.database);
  const std::vector<Pick> picks =
      picks_of(options, traits_of_device(options.device, database), database);
  if (!options.output.json.empty()) write_json(options.output.json, to_json(document_of(picks)));
  if (!options.header.empty()) write_text(options.header, header_of(picks, options.name_space));
  if (!options.output.json_on_stdout() && options.header != "stdout")
    for (const Pick& pick : picks)
      fmt::print("{}", wrapped_to_terminal(pick_text(
                           pick, tuning_hint(pick.query, origin_of(pick.served, pick.query.part),
                                             data_of(options)))));
  return kExitOk;
}

// Of C++20, with its alternative tokens, each between blanks.
constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
    " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
    " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
    " else enum explicit export extern false float for friend goto if inline int long mutable"
    " namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
    " register reinterpret_cast requires return short signed sizeof static static_assert"
    " static_cast struct switch template this thread_local throw true try typedef typeid"
    " typename union unsigned using virtual void volatile wchar_t while xor xor_eq ";

// Why one name of the namespace cannot be used; empty where it can.
std::string name_problem(const std::string& name) {
  if (kKeywords.find(" " + name + " ") != kKeywords.npos) return "is a keyword of C++";
  if (name == "std") return "belongs to the standard library";
  if (name.front() == '_' || name.find("__") != std::string::npos)
    return "is reserved: it begins with '_' or holds '__'";
  return "";
}

// Why `text` cannot be the namespace of a header, with an example of what can; empty where it can.
// A keyword, `std` and names that the C++ standard reserves ([lex.name]) cannot, in no part of it.
std::string namespace_problem(const std::string& text) {
  constexpr std::string_view kRemedy = "give a C++ namespace, such as tuned or mine::rank64";
  static const RegularExpression kNames("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*");
  if (!kNames.matches(text)) return fmt::format("'{}': {}", text, kRemedy);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("::", begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (const std::string problem = name_problem(name); !problem.empty())
      return fmt::format("'{}': '{}' {}; {}", text, name, problem, kRemedy);
    begin = end + 2;
  }
  return "";
}

}  // namespace

void describe(Fields<BestPick>& fields) {
  using P = BestPick;
  fields.record("pick", "The answer for one part.");
  fields("part", &P::part);
  fields("level", &P::level, "of the database that served, or default");
  fields("reason", &P::reason);
  fields("stale", &P::stale, "the code has changed since it was measured");
  fields("shape", &P::shape);
  fields("pick", &P::pick);
  fields("entry", &P::entry, "of the database; null at level default");
}

void describe(Fields<BestDocument>& fields) {
  using D = BestDocument;
  fields.record("", "Choices of the tuning database (`alsbench best`).");
  describe_document(fields, "best");
  fields("training", &D::training);
  fields("device", &D::device);
  fields("what", &D::what, "a stage, one of its variants (stage/variant), or pipeline");
  fields("objective", &D::goal);
  fields("picks", &D::picks, "one a part").range(Range::Kind::not_empty);
}

void add_best_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<BestOptions>();
  CLI::App* command = app.add_subcommand(
      "best", "Print the tuned choice for a device, ratings (default: netflix) and a rank");
  command->add_option(
      "-d,--device", options->device,
      "auto (the first GPU, else the CPU), cpu, a CUDA ordinal, sm_90, or the name of "
      "a tuned device");
  add_ratings_options(*command, options->data);
  // Netflix has a scale where nothing is named.
  command->get_option("--scale")->remove_needs(command->get_option("--dataset"));
  command->get_option("--scale")->excludes(command->get_option("--data"));
  add_checked(*command, "--rank", options->rank, above_zero(), "Rank")->capture_default_str();
  CLI::Option* stage = command->add_option("--stage", options->stage,
                                           "A stage, or one of its variants, such as solve/cg");
  command->add_flag("--pipeline", options->pipeline, "Whole pipelines (default)")->excludes(stage);
  add_feedback_options(*command, options->algorithm);
  for (const char* name : {"--feedback", "--hyper", "--alpha"})
    command->get_option(name)->excludes(stage);
  command->add_option("--part", options->side, "Only x or theta")
      ->check(CLI::IsMember({"x", "theta"}));
  command->add_option("--objective", options->goal, "time, or time-to-rmse")
      ->check(CLI::IsMember({"time", "time-to-rmse"}));
  add_database_option(*command, options->database);
  command
      ->add_flag("--no-tuned", options->no_tuned, "Print the default instead of the tuned choice")
      ->excludes(command->get_option("--db"));
  command->add_flag("--leave-out", options->leave_out,
                    "Answer as if this exact shape had not been tuned");
  CLI::Option* header =
      add_form_option(*command, "--header", options->header, "the choice as a C++ header");
  command
      ->add_option("--namespace", options->name_space,
                   "Namespace of the header; a program can include several")
      ->check(namespace_problem)
      ->needs(header)
      ->capture_default_str();
  add_output_options(*command, options->output);
  result.runs(*command, [options] { return best(*options); });
}

}  // namespace alsbench
