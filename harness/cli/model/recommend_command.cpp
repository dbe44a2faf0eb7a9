// SPDX-License-Identifier: Apache-2.0
// `alsbench recommend`: the items that a model scores highest for each user.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/model/model_options.h"
#include "harness/cli/output.h"
#include "harness/cli/validators.h"
#include "harness/device/device.h"
#include "harness/device/device_selection.h"
#include "harness/model/recommender.h"
#include "harness/process/exit_code.h"

namespace alsbench {
namespace {

struct RecommendOptions {
  ModelOptions model;
  std::string users, seen, out;
  std::string device = kAutoDevice;
  int k = 10;
};

FilePlan file_plan(const RecommendOptions& options) {
  FilePlan plan;
  reads_model(plan, options.model);
  plan.reads(options.users, "--users");
  plan.reads(options.seen, "--seen");
  plan.writes_or_prints(options.out, "-o");
  return plan;
}

// Whom to recommend to, and who gets nothing.
struct Audience {
  std::vector<int32_t> users;
  std::vector<std::string> unknown, cold;
};

Audience audience_of(const RecommendOptions& options, const Model& model, ModelIds& ids) {
  Audience audience;
  const bool all = options.users.empty();
  std::vector<int32_t> asked;
  if (!all) asked = ids.user_list(options.users);
  const int64_t count = all ? model.users.rows() : static_cast<int64_t>(asked.size());
  for (int64_t i = 0; i < count; ++i) {
    const auto user = all ? static_cast<int32_t>(i) : asked[static_cast<size_t>(i)];
    if (user >= model.users.rows())
      audience.unknown.push_back(ids.users.id(user));
    else if (model.users.is_cold(user))
      audience.cold.push_back(ids.users.id(user));
    else
      audience.users.push_back(user);
  }
  return audience;
}

void warn_of(const std::vector<std::string>& users, const char* why) {
  if (!users.empty())
    print_message("alsbench: warning: {} users get nothing, since {}: {}\n", users.size(), why,
                  abbreviated_list(users));
}

void write_recommendations(const RecommendOptions& options, const Model& model,
                           const std::vector<int32_t>& users, const Csr* seen,
                           const WriteText& write) {
  const auto device = open_device(one_device(options.device));
  Recommender recommender(*device, model, options.k);
  write("user\trank\titem\tscore\n");
  fmt::memory_buffer text;
  recommender.recommend(
      users, seen,
      [&](size_t place, std::span<const int32_t> items, std::span<const float> scores) {
        const auto user = static_cast<size_t>(users[place]);
        text.clear();
        for (size_t i = 0; i < items.size(); ++i)
          fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\n", model.users.ids[user], i + 1,
                         model.items.ids[static_cast<size_t>(items[i])], scores[i]);
        write({text.data(), text.size()});
      });
}

int run_recommend(const RecommendOptions& options) {
  file_plan(options).check();
  const Model model = read_model(options.model.folder);
  ModelIds ids(model);
  const Audience audience = audience_of(options, model, ids);
  std::optional<Csr> seen;
  if (!options.seen.empty())
    seen = ids.ratings(rating_file(options.model, options.seen, RatingPart::train));
  print_data_warnings(ids);
  write_lines(options.out, [&](const WriteText& write) {
    write_recommendations(options, model, audience.users, seen ? &*seen : nullptr, write);
  });
  warn_of(audience.unknown, "they are not in the model");
  warn_of(audience.cold, "they have no training rating");
  return kExitOk;
}

}  // namespace

void add_recommend_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RecommendOptions>();
  CLI::App* command = app.add_subcommand(
      "recommend", "Recommend the items that a model scores highest for each user");
  add_model_option(*command, options->model);
  command->add_option("--users", options->users,
                      "File with one user id per line (default: all users)");
  command->add_option("-k", options->k, "Number of items for a user")
      ->check(above_zero())
      ->capture_default_str();
  CLI::Option* seen = command->add_option(
      "--seen", options->seen, "Ratings whose items are excluded, such as the training ratings");
  command->add_option("-d,--device", options->device, kOneDevice);
  add_rating_file_options(*command, options->model);
  for (const char* of_seen : {"--format", "--columns", "--duplicates"})
    command->get_option(of_seen)->needs(seen);
  command
      ->add_option(kOutFlags, options->out,
                   "Output file with lines of user, rank, item, score; or stdout")
      ->default_str(kStdout)
      ->type_name("F");
  command->add_flag("-q,--quiet", options->model.quiet, "Print no notes on stderr");
  command->callback(
      [&result, options] { result.action = [options] { return run_recommend(*options); }; });
}

}  // namespace alsbench
