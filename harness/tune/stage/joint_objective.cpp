// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/stage/joint_objective.h"

#include <cmath>
#include <limits>
#include <utility>

#include "harness/measure/sampler.h"

namespace alsbench {

JointObjective::JointObjective(std::vector<Objective*> shapes, std::vector<std::string> names)
    : shapes_(std::move(shapes)), names_(std::move(names)) {}

void JointObjective::announce(const std::vector<size_t>& points,
                              const std::vector<size_t>& guesses) {
  for (Objective* shape : shapes_) shape->announce(points, guesses);
}

Evaluation JointObjective::measure(size_t point, int64_t samples, double give_up_seconds) {
  Evaluation whole;
  whole.point = point;
  whole.shape_seconds.resize(shapes_.size());
  for (int64_t i = 0; i < samples; ++i) {
    double logarithms = 0;
    for (size_t k = 0; k < shapes_.size(); ++k) {
      const Evaluation one = shapes_[k]->measure(point, 1, 0);
      whole.add_effort(one);
      whole.code_hashes.insert(whole.code_hashes.end(), one.code_hashes.begin(),
                               one.code_hashes.end());
      if (!one.ok()) {
        whole.outcome = one.outcome;
        whole.detail = names_[k] + ": " + one.detail;
        whole.log_tail = one.log_tail;
        return whole;
      }
      whole.shape_seconds[k].push_back(one.seconds.front());
      logarithms += std::log(one.seconds.front());
    }
    whole.seconds.push_back(std::exp(logarithms / static_cast<double>(shapes_.size())));
    if (give_up_seconds > 0 && whole.seconds.back() > give_up_seconds) break;
  }
  return whole;
}

double JointObjective::elapsed_seconds() const { return shapes_.front()->elapsed_seconds(); }

std::optional<double> JointObjective::share_of_ceiling(size_t, double) const {
  return std::nullopt;  // a mean of several shapes has none
}

std::vector<Platform> platforms_of(const TuningResult& result, const SearchSpace& space,
                                   const std::vector<std::string>& names) {
  std::vector<Platform> platforms;
  for (const std::string& name : names) platforms.push_back({name, {}});
  for (const Evaluation& evaluation : result.points)
    for (size_t k = 0; k < names.size(); ++k) {
      const auto& each = evaluation.shape_seconds;
      double seconds = std::numeric_limits<double>::infinity();
      if (evaluation.ok() && each.empty()) seconds = evaluation.median();
      if (evaluation.ok() && k < each.size() && !each[k].empty())
        seconds = statistics_of(each[k]).median;
      platforms[k].seconds[space[evaluation.point].text()] = seconds;
    }
  return platforms;
}

}  // namespace alsbench
