// SPDX-License-Identifier: Apache-2.0
// `alsbench explain`: why a model gives an item its score, by the items that a user has rated.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message.h"
#include "harness/algorithms/row_equations.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/cli/validators.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct ExplainOptions {
  ModelOptions model;
  std::string seen, user, item;
  TableOptions table;
  int k = 10;
};

FilePlan file_plan(const ExplainOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.seen, "--seen");
  plan.writes_or_prints(options.table.out, "-o",
                        options.table.is_npy() ? content::kTsv : options.table.content());
  return plan;
}

int64_t row_of(const std::string& id, const IdTable& table, const std::string& place) {
  const int64_t row = table.row_of(id);
  if (row < 0) throw UsageError(fmt::format("{} is not in {}", id, place));
  return row;
}

struct RatedItems {
  std::vector<int32_t> items;
  std::vector<float> ratings;
  int64_t left_out = 0;  // of items that the model has no factors of
};

RatedItems rated_by(int64_t user, const Csr& ratings, const ModelSide& items) {
  RatedItems rated;
  for (int64_t k = ratings.offsets[user]; k < ratings.offsets[user + 1]; ++k) {
    if (items.is_cold(ratings.indices[k])) {
      ++rated.left_out;
      continue;
    }
    rated.items.push_back(ratings.indices[k]);
    rated.ratings.push_back(ratings.values[k]);
  }
  return rated;
}

// The places of the k largest parts, the largest first.
std::vector<size_t> largest(const std::vector<double>& parts, int k) {
  std::vector<size_t> places(parts.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::ranges::stable_sort(places, [&](size_t a, size_t b) { return parts[a] > parts[b]; });
  places.resize(std::min(places.size(), static_cast<size_t>(k)));
  return places;
}

// The score is that of a row that these ratings make, which is not the trained one.
void print_score(const Explanation& found, const RatedItems& rated, const Model& model,
                 int64_t user, int64_t item) {
  print_message("score {:.6g} of the user folded in: {:.6g} by {} ratings, {:.6g} without them\n",
                found.score, found.score - found.base, rated.items.size(), found.base);
  if (!model.users.is_cold(user))
    print_message("predict has {:.6g}, by the user's row of the model\n",
                  model.predict(user, item));
}

int run_explain(const ExplainOptions& options) {
  file_plan(options).check();
  const Model model = read_model(options.model.folder);
  require_ratings(options.model, model, options.seen, "explain");
  ModelIds ids(model);
  RatingFile seen = rating_file(options.model, options.seen, RatingPart::train);
  seen.new_rows = Side::x;  // the user's row is solved again, whether the model has it or not
  const Csr ratings =
      read_showing_progress(options.model, options.seen, [&] { return ids.ratings(seen); });
  print_data_warnings(options.model, ids);
  const std::string& folder = options.model.folder;
  const int64_t user = row_of(
      options.user, ids.users,
      fmt::format("the model, nor among the users of {}; name a user who is there", options.seen));
  const int64_t item = row_of(options.item, ids.items,
                              fmt::format("the model; name an item of {}/items.txt", folder));
  if (ratings.offsets[user] == ratings.offsets[user + 1])
    throw UsageError(
        fmt::format("{}: holds no rating of user {}; give the user's ratings, such as those that "
                    "the model was trained on",
                    options.seen, options.user));
  if (model.items.is_cold(item))
    throw UsageError(
        fmt::format("the model has no factors of item {}: it has no score", options.item));
  const RatedItems rated = rated_by(user, ratings, model.items);
  const Explanation found = RowEquations(objective_of(model), Side::x, model.items.factors)
                                .explain({rated.items, rated.ratings}, item);
  write_lines(options.table.out, [&](const WriteText& write) {
    const TableLines lines(options.table);
    write(lines.header({"item", "rating", "part"}));
    TextBlock text;
    for (const size_t at : largest(found.parts, options.k))
      lines.add(text, model.items.ids[static_cast<size_t>(rated.items[at])], rated.ratings[at],
                found.parts[at]);
    write(text.text());
  });
  if (rated.left_out > 0)
    print_message(
        "alsbench: warning: {} ratings are left out: the model has no factors of their items\n",
        rated.left_out);
  if (!options.model.quiet) print_score(found, rated, model, user, item);
  return kExitOk;
}

}  // namespace

void add_explain_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a user's score of an item by the items that the user has rated");
  add_model_option(*command, options->model);
  command
      ->add_option("--seen", options->seen,
                   "Ratings of the user, such as the training ratings; other users' are not used")
      ->required();
  command->add_option("--user", options->user, "Id of the user")->required();
  command->add_option("--item", options->item, "Id of the item")->required();
  add_checked(*command, "-k", options->k, above_zero(), "Number of ratings to name")
      ->capture_default_str();
  add_rating_file_options(*command, options->model);
  add_table_options(*command, options->table, "with lines of item, rating, part");
  add_quiet_option(*command, options->model.quiet);
  result.runs(*command, [options] { return run_explain(*options); });
}

}  // namespace alsbench
