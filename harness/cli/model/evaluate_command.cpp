// SPDX-License-Identifier: Apache-2.0
// `alsbench evaluate`: how far a model's predictions are off test ratings, and how well it ranks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/share_option.h"
#include "harness/cli/validators.h"
#include "harness/data/dataset.h"
#include "harness/device/device_selection.h"
#include "harness/device/opening_team.h"
#include "harness/model/evaluation.h"
#include "harness/model/ranking_metric.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct EvaluateOptions {
  ModelOptions model;
  std::string test, train;
  DataRequest data;  // in place of both: ratings that are split again
  std::string device = kAutoDevice;
  int k = RankingRequest().k;
  std::optional<double> relevant;
  OutputOptions output;

  bool ranks() const { return !train.empty() || !data.path.empty(); }
};

struct ModelScores {
  Accuracy accuracy;
  bool rated = true;  // whether there are ratings that predictions can be held against
  int64_t unknown_users = 0, unknown_items = 0;  // of the test ratings
  std::optional<RankingRequest> asked;
  Ranking ranking;
};

FilePlan file_plan(const EvaluateOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.test, "--test");
  plan.reads(options.train, "--train");
  plan.reads(options.data.path, "--data");
  writes_output(plan, options.output);
  return plan;
}

// The ratings of --data, split as `train` splits them.
std::shared_ptr<const RatingSet> split_again(const EvaluateOptions& options) {
  DataRequest request = options.data;
  request.format = options.model.format;
  request.columns = options.model.columns;
  request.values = options.model.values;
  request.duplicates = options.model.duplicates;
  auto set = read_showing_progress(options.model, request.path, [&] {
    return std::make_shared<const RatingSet>(cached_rating_set(request));
  });
  if (!options.model.quiet) print_left_out(request, *set);
  if (set->test.nnz() == 0)
    throw UsageError(fmt::format(
        "{}: the split by {} leaves no test rating; give the options that `train` was given",
        request.path.string(), name_of(request.split_by)));
  return set;
}

// Whether predictions can be held against the test ratings. Pairs without ratings are ranked alone.
bool test_is_rated(const EvaluateOptions& options, const Model& model) {
  if (model.is_implicit()) return false;
  const std::string file = options.data.path.empty() ? options.test : options.data.path.string();
  if (!options.ranks()) require_ratings(options.model, model, file, "evaluate without --train");
  const bool rated = !lacks_ratings(options.model, model, file);
  if (!rated && options.relevant)
    throw UsageError(fmt::format(
        "--relevant {}: {} has pairs of user and item without ratings; leave --relevant out",
        *options.relevant, file));
  if (!rated && !options.model.quiet)
    print_message(
        "{}: has pairs of user and item without ratings: they are ranked, and have no RMSE\n",
        file);
  return rated;
}

// A measure of rankings; "none" where no user is ranked.
std::string measure_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6f}", value) : "none";
}

// `opening`: where it ranks.
ModelScores evaluate(const EvaluateOptions& options, const Model& model,
                     std::optional<OpeningTeam>& opening) {
  ModelScores result;
  result.rated = test_is_rated(options, model);
  ModelIds ids(model);
  const auto set = options.data.path.empty() ? nullptr : split_again(options);
  const auto ratings = [&](const std::string& file, RatingPart part) {
    if (set) return ids.ratings(set, part);
    return read_showing_progress(
        options.model, file, [&] { return ids.ratings(rating_file(options.model, file, part)); });
  };
  const Csr test = ratings(options.test, RatingPart::test);
  result.accuracy = accuracy_of(model, test);
  result.unknown_users = ids.users.size() - ids.users.known();
  result.unknown_items = ids.items.size() - ids.items.known();
  const std::optional<Csr> seen =
      opening ? std::optional(ratings(options.train, RatingPart::train)) : std::nullopt;
  print_data_warnings(options.model, ids);
  if (!seen) return result;
  result.asked = ranking_request(model.prediction.feedback, options.k, options.relevant);
  result.ranking = ranking_of(opening->get().device(), model, test, *seen, *result.asked);
  if (result.ranking.users == 0)
    print_message("alsbench: warning: no user is ranked: {}\n",
                  reason_of_no_ranking(result.ranking, test, *result.asked));
  return result;
}

EvaluationDocument document_of(const ModelScores& evaluation, const Model& model,
                               const EvaluateOptions& options) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Accuracy& accuracy = evaluation.accuracy;
  EvaluationDocument document;
  document.model = {model.data_id, model.prediction.feedback, model.rank};
  document.test = {accuracy.ratings, accuracy.cold, evaluation.unknown_users,
                   evaluation.unknown_items};
  document.rmse = evaluation.rated ? accuracy.rmse : kNone;
  document.mae = evaluation.rated ? accuracy.mae : kNone;
  if (!evaluation.asked) return document;
  const Ranking& ranking = evaluation.ranking;
  document.ranking = {evaluation.asked->k, options.relevant, ranking.users,
                      ranking.cold_users,  ranking.seen,     ranking.precision,
                      ranking.recall,      ranking.ndcg,     ranking.map};
  return document;
}

std::string text_of(const ModelScores& evaluation) {
  const Accuracy& accuracy = evaluation.accuracy;
  std::string text;
  if (evaluation.rated)
    text += fmt::format("rmse {:.6f}\nmae {:.6f}\n", accuracy.rmse, accuracy.mae);
  text += fmt::format("test_ratings {}\ncold_test_ratings {}\nunknown_users {}\nunknown_items {}\n",
                      accuracy.ratings, accuracy.cold, evaluation.unknown_users,
                      evaluation.unknown_items);
  if (!evaluation.asked) return text;
  const Ranking& ranking = evaluation.ranking;
  for (const RankingMeasure& measure : kRankingMeasures) {
    const RankingMetric metric{measure, evaluation.asked->k};
    text += fmt::format("{} {}\n", metric.name(), measure_text(metric.of(ranking)));
  }
  return text + fmt::format("ranked_users {}\ncold_users {}\n", ranking.users, ranking.cold_users);
}

// --data, and how it was split.
void add_split_again(CLI::App& command, DataRequest& data) {
  CLI::Option* file = command.add_option(
      "--data", data.path, "Ratings that `train` split (instead of --test and --train)");
  CLI::Option* fraction = add_share(command, "--test-fraction", data.test_fraction, Ends::neither,
                                    "Share of held-out ratings: 10% or 0.1 (default 10%)")
                              ->needs(file);
  add_split_option(command, data.split_by, *fraction)->needs(file);
  add_checked(command, "--seed", data.seed, seed_number(), "Seed of the split")
      ->needs(file)
      ->capture_default_str();
}

int run_evaluate(const EvaluateOptions& options) {
  file_plan(options).check();
  std::optional<OpeningTeam> opening;
  if (options.ranks()) opening.emplace(options.device, open_chosen_device);
  const Model model = read_model(options.model.folder);
  const ModelScores evaluation = evaluate(options, model, opening);
  if (model.is_implicit() && !options.model.quiet && !options.ranks())
    print_message(
        "a model of implicit feedback predicts preferences, not ratings: it has no RMSE; "
        "give --train for ranking metrics\n");
  if (evaluation.ranking.seen > 0)
    print_message(
        "alsbench: warning: {} relevant test ratings are of cells in --train: they are left "
        "out of the ranking metrics\n",
        evaluation.ranking.seen);
  if (!options.output.json.empty())
    write_json(options.output.json, to_json(document_of(evaluation, model, options)));
  if (!options.output.json_on_stdout()) fmt::print("{}", text_of(evaluation));
  return kExitOk;
}

}  // namespace

void add_evaluate_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Evaluate a model's prediction errors and ranking");
  add_model_option(*command, options->model);
  CLI::Option* test =
      command->add_option("--test", options->test, "File or folder of test ratings");
  CLI::Option* train =
      command->add_option("--train", options->train,
                          "Training ratings; enables ranking metrics, which exclude seen items");
  add_split_again(*command, options->data);
  CLI::Option* data = command->get_option("--data")->excludes(test)->excludes(train);
  std::vector<CLI::Option*> of_rankings{
      add_checked(*command, "-k", options->k, above_zero(),
                  "Number of items to recommend to a user")
          ->capture_default_str(),
      command->add_option("--relevant", options->relevant,
                          "Minimum rating of a relevant item (default: any; implicit: above 0)"),
      command->add_option("-d,--device", options->device, kOneDevice)};
  add_rating_file_options(*command, options->model);
  add_output_options(*command, options->output);
  command->callback([&result, options, test, data, of_rankings] {
    if (test->count() == 0 && data->count() == 0)
      throw UsageError("give --test FILE, or --data FILE to split it as `train` does");
    for (const CLI::Option* option : of_rankings)
      if (option->count() > 0 && !options->ranks())
        throw UsageError(
            fmt::format("{} requires --train, or --data in place of --test", option->get_name()));
    result.action = [options] {
      options->model.quiet = options->output.quiet;
      return run_evaluate(*options);
    };
  });
}

}  // namespace alsbench
