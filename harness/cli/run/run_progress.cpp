// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_progress.h"

#include <fmt/format.h>

namespace alsbench {
namespace {

// Measured with the suite quick, on an H100 and on two cores.
constexpr double kPrepareSeconds = 0.1;
// On a GPU the fewest samples suffice nearly always: the share of the most seconds that they take.
constexpr double kShareOnGpu = 0.05;

// Kind of a case: stage, variant, problem and part.
std::string kind_of(const Case& c) {
  return c.trains() ? c.problem.name()
                    : fmt::format("{}/{}/{}/{}", name_of(c.variant->stage), c.variant->name,
                                  c.problem.name(), c.part);
}

}  // namespace

RunProgress::RunProgress(ProgressMode mode, const StopRule& sampling, bool profile, bool counters)
    : sampling_(sampling),
      profile_(profile),
      counters_(counters),
      report_(profile ? "profile" : "run", mode) {}

void RunProgress::plan(const Case& c, int64_t launch) {
  const Key key(c.name(), launch);
  const auto add = [&](SweepStep step, const char* kind, double expected, bool weight = false) {
    if (items_.contains({step, key})) return;
    items_[{step, key}] = report_.add(
        {c.name(), fmt::format("{}/{}/{}", kind, c.device, kind_of(c)), expected, weight});
  };
  if (c.trains()) {
    const double rank = c.problem.rank;
    const int iterations = c.train ? c.train->iterations : c.peer->iterations;
    add(SweepStep::train, c.train ? "train" : "peer", iterations * rank * rank, true);
    return;
  }
  const bool first = begun_.insert({c.device, launch}).second;
  add(SweepStep::prepare, first ? "begin" : "prepare", kPrepareSeconds);
  if (!profile_ && !c.modes.empty()) {
    const double share = c.backend == Backend::cuda ? kShareOnGpu : 1;
    add(SweepStep::measure, "measure",
        share * sampling_.max_seconds * static_cast<double>(c.modes.size()));
  }
  if (counters_ && launch == 0) add(SweepStep::count, "count", 1);
}

size_t RunProgress::item_of(const Case& c, SweepStep step) {
  const std::pair<SweepStep, Key> key{step, {c.name(), launch_}};
  if (!items_.contains(key)) plan(c, launch_);
  return items_.at(key);
}

void RunProgress::on_event(const SweepEvent& event) {
  const size_t item = item_of(event.c, event.step);
  if (event.what == SweepEvent::Kind::begins) return report_.start(item);
  report_.spend(item, event.seconds, event.share);
  if (event.what == SweepEvent::Kind::ends) report_.finish(item);
}

void RunProgress::drop(const std::string& name) {
  for (const SweepStep step :
       {SweepStep::prepare, SweepStep::measure, SweepStep::count, SweepStep::train})
    if (const auto found = items_.find({step, {name, launch_}}); found != items_.end())
      report_.drop(found->second);
}

}  // namespace alsbench
