// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/stage_shapes.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/suggestion.h"
#include "harness/cli/ratings_options.h"
#include "harness/cli/text_table.h"

namespace alsbench {
namespace {

void change_ratings(TuneProblemOptions& problem, const std::string& name,
                    const std::string& value) {
  if (name == "dataset") {
    problem.data.dataset = value;
    problem.data.path.clear();
    return;
  }
  double number = 0;
  if (!CLI::detail::lexical_cast(value, number) || !(number > 0))
    throw UsageError(fmt::format("--also: '{}={}': write a number above 0", name, value));
  if (name == "rank")
    problem.rank = static_cast<int32_t>(number);
  else if (name == "scale")
    problem.data.scale = number;
  else if (name == "lambda")
    problem.lambda = static_cast<float>(number);
  else
    throw UsageError("--also: " + unknown_name("property of a problem", name,
                                               {"dataset", "scale", "rank", "lambda"}));
}

// "tiled/TILE=64 objects there" of no point at all.
[[noreturn]] void refuse_shapes(const std::vector<std::string>& names) {
  throw UsageError(
      fmt::format("no point can run on every one of the {} problems; leave one out", names.size()));
}

}  // namespace

TuneProblemOptions changed_problem(TuneProblemOptions problem, const std::string& text) {
  if (problem.data.has_sizes()) {
    problem.data.sizes = with_sizes(problem.data.sizes, sizes_in(text, kAlso), kAlso);
    return problem;
  }
  for (const std::string& item : CLI::detail::split(text, ',')) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == item.size())
      throw UsageError(fmt::format(
          "--also '{}': write NAME=VALUE,..., such as rank=64 or dataset=ml-20m", text));
    change_ratings(problem, item.substr(0, equals), item.substr(equals + 1));
  }
  return problem;
}

StageShapes::StageShapes(TuningWorker& first, const std::vector<TuneProblemOptions>& further,
                         std::string part)
    : first_(first), part_(std::move(part)) {
  for (const TuneProblemOptions& problem : further)
    further_.push_back(
        std::make_unique<TuningWorker>(tuning_worker_options(problem, /* on_team */ false)));
  std::vector<std::string> all = names();
  std::sort(all.begin(), all.end());
  if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end())
    throw UsageError(fmt::format("--also: the problem {} is there twice", *twice));
}

std::vector<std::string> StageShapes::names() const {
  std::vector<std::string> list{first_.options().problem.name()};
  for (const auto& worker : further_) list.push_back(worker->options().problem.name());
  return list;
}

std::vector<ProblemSpec> StageShapes::further() const {
  std::vector<ProblemSpec> list;
  for (const auto& worker : further_) list.push_back(worker->options().problem);
  return list;
}

SearchSpace StageShapes::common_space(const SpaceRequest& request) const {
  SearchSpace space(request, first_.shape(part_), first_.traits());
  if (!joint()) return space;
  std::vector<SearchPoint> points = space.points();
  for (const auto& worker : further_) {
    const Shape shape = worker->shape(part_);
    std::erase_if(points, [&](const SearchPoint& point) {
      return objection_of(*point.variant, point.config, shape, worker->traits()).has_value();
    });
  }
  if (points.empty()) refuse_shapes(names());
  const std::string fallback = space[space.default_point()].text();
  SearchSpace common(std::move(points), fallback);
  common.expect(first_.shape(part_));
  return common;
}

Objective& StageShapes::objective(const SearchSpace& space) {
  std::vector<TuningWorker*> workers{&first_};
  for (const auto& worker : further_) workers.push_back(worker.get());
  std::vector<Objective*> list;
  for (TuningWorker* worker : workers) {
    compilers_.push_back(std::make_unique<CompileAhead>(worker->options().command));
    each_.push_back(std::make_unique<LiveObjective>(space, *worker, *compilers_.back(), part_));
    list.push_back(each_.back().get());
  }
  if (!joint()) return *each_.front();
  all_ = std::make_unique<JointObjective>(std::move(list), names());
  return *all_;
}

void StageShapes::measure_ceilings() {
  if (!joint()) each_.front()->measure_ceilings();
}

std::string portability_table(const PortabilityRecord& record) {
  TextTable table({"shape", "pick ms", "best ms", "loss", "best point there"});
  for (const PlatformEfficiency& one : record.pick.platforms)
    table.add({one.platform, fmt::format("{:.4g}", one.seconds * 1e3),
               fmt::format("{:.4g}", one.best_seconds * 1e3),
               fmt::format("{:.1f}%", 100 * one.loss()), one.best});
  const std::string fallback =
      record.default_point.point.empty()
          ? ""
          : fmt::format("; of the default {:.3f}", record.default_point.performance_portability);
  return fmt::format(
      "{}\none pick for all: {}\nperformance portability {:.3f}, the harmonic mean "
      "of its efficiencies{}\n",
      table.text(), record.pick.point, record.pick.performance_portability, fallback);
}

}  // namespace alsbench
