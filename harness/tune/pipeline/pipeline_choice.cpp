// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_choice.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "base/error.h"
#include "harness/measure/sampler.h"

namespace alsbench {
namespace {

// Medians of the same pipeline differ by up to a percent from one tuning to another. Contenders
// that differ by less are chosen among by rules. Another run may pick any within twice as much.
constexpr double kPickMargin = 0.01, kTieMargin = 0.02;

const std::vector<double>& judged(const Contender& contender, const std::string& part, Goal goal) {
  static const std::vector<double> kNothing;
  if (goal == Goal::time_to_target) return contender.totals;
  const auto found = contender.seconds.find(part);
  return found == contender.seconds.end() ? kNothing : found->second;
}

// Of a median, in seconds. A single training says nothing of it.
double noise_of(const Statistics& s) { return s.count > 1 ? s.median * s.median_noise : 0; }

// Whether the other is not surely slower by more than the margin.
bool near(const std::vector<double>& fastest, const std::vector<double>& other, double margin) {
  const Statistics a = statistics_of(fastest), b = statistics_of(other);
  return b.median - a.median <= margin * a.median + noise_of(a) + noise_of(b);
}

std::tuple<int, int, bool, size_t, int, std::string> preference(const Contender& contender,
                                                                const std::string& part) {
  const Pipeline& pipeline = contender.pipelines.of(part);
  const Storage storage = precision_of(pipeline).storage;
  return {-significand_bits(storage.factors),
          -significand_bits(storage.matrices),
          !contender.is_default,
          rung_of(pipeline),
          parameters_changed(pipeline),
          pipeline.text()};
}

}  // namespace

double median_of(const std::vector<double>& values) {
  return values.empty() ? std::numeric_limits<double>::infinity() : statistics_of(values).median;
}

double median_seconds(const Contender& contender, const std::string& part, Goal goal) {
  return median_of(judged(contender, part, goal));
}

double median_noise(const Contender& contender, const std::string& part, Goal goal) {
  const std::vector<double>& seconds = judged(contender, part, goal);
  return seconds.size() < 2 ? std::numeric_limits<double>::infinity()
                            : statistics_of(seconds).median_noise;
}

PartChoice choose_part(const std::vector<Contender>& playoff, const std::string& part, Goal goal) {
  std::vector<const Contender*> list;
  for (const Contender& contender : playoff)
    if (contender.eligible && !judged(contender, part, goal).empty()) list.push_back(&contender);
  if (list.empty())
    throw EnvironmentError(
        "no pipeline trains to the accuracy that was asked; allow more with --tolerance");
  const Contender* fastest =
      *std::ranges::min_element(list, [&](const Contender* a, const Contender* b) {
        return median_seconds(*a, part, goal) < median_seconds(*b, part, goal);
      });
  const auto within = [&](const Contender* c, double margin) {
    return near(judged(*fastest, part, goal), judged(*c, part, goal), margin);
  };
  std::erase_if(list, [&](const Contender* c) { return !within(c, kTieMargin); });
  std::ranges::sort(list, [&](const Contender* a, const Contender* b) {
    return std::tuple(!within(a, kPickMargin), preference(*a, part)) <
           std::tuple(!within(b, kPickMargin), preference(*b, part));
  });
  PartChoice choice;
  choice.part = part;
  choice.pick = list.front()->pipelines.of(part);
  choice.median_seconds = median_seconds(*list.front(), part, goal);
  for (const Contender* contender : list) {
    const Pipeline& pipeline = contender->pipelines.of(part);
    const auto same = [&](const Pipeline& tie) { return tie.text() == pipeline.text(); };
    if (std::ranges::none_of(choice.ties, same)) choice.ties.push_back(pipeline);
  }
  return choice;
}

}  // namespace alsbench
