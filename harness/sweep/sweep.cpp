// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/clock.h"
#include "harness/sweep/peer_case.h"
#include "harness/sweep/rates.h"
#include "harness/sweep/suite/expansion.h"

namespace alsbench {
namespace {

// Loading may generate, or read, hundreds of millions of ratings.
constexpr double kLoadSeconds = 3600;
// How often a training that other work disturbed is done again; the least disturbed one is kept.
constexpr int kTrainingRetries = 2;

void set_outcome(CaseRecord& record, Outcome outcome, const std::string& detail) {
  record.outcome = outcome;
  record.detail = detail;
}

// Cases of one group's name each, in order of their first case, those of one device together.
std::vector<std::vector<Case>> by_group(const std::vector<Case>& cases) {
  std::vector<Case> sorted = cases;
  std::ranges::stable_sort(sorted, [](const Case& a, const Case& b) {
    return std::pair(a.device != "cpu", a.device) < std::pair(b.device != "cpu", b.device);
  });
  std::vector<std::vector<Case>> groups;
  std::map<std::string, size_t> index;
  for (Case& c : sorted) {
    const auto [entry, added] = index.try_emplace(c.group(), groups.size());
    if (added) groups.emplace_back();
    groups[entry->second].push_back(std::move(c));
  }
  return groups;
}

// Cases measured together, and the ceilings among them. A run that is resumed has the same ones.
struct Group {
  std::string name;
  std::vector<Case> cases;
  std::vector<Case> ceilings;
};

std::vector<Group> groups_of(const Suite& suite, const std::vector<Case>& cases) {
  std::vector<Group> list;
  for (const std::vector<Case>& alike : by_group(cases))
    list.push_back({alike.front().group(), alike, ceilings_for(suite, alike.front())});
  return list;
}

// Work of a launch for a group: the missing cases, and all ceilings but those that are known to
// fail.
std::vector<Case> missing_of(const Group& group, const Sweep::Known& known) {
  const auto is_known = [&](const Case& c) { return known(c).has_value(); };
  std::vector<Case> cases, ceilings;
  std::remove_copy_if(group.cases.begin(), group.cases.end(), std::back_inserter(cases), is_known);
  if (cases.empty() && std::ranges::all_of(group.ceilings, is_known)) return {};
  std::remove_copy_if(
      group.ceilings.begin(), group.ceilings.end(), std::back_inserter(ceilings),
      [&](const Case& ceiling) { return failed(known(ceiling).value_or(Outcome::ok)); });
  ceilings.insert(ceilings.end(), cases.begin(), cases.end());
  return ceilings;
}

}  // namespace

Sweep::Sweep(const Suite& suite, SweepOptions options)
    : suite_(suite),
      options_(std::move(options)),
      worker_(options_.worker_command, options_.interrupted) {}

void Sweep::run(const std::vector<Case>& cases, const Known& known, int64_t launch) {
  order_seed_ = options_.seed + static_cast<uint64_t>(launch);
  counting_ = options_.counters && launch == 0;
  for (const Group& group : groups_of(suite_, cases)) {
    const std::vector<Case> missing = missing_of(group, known);
    if (missing.empty()) continue;
    if (skips(group.cases.front()))
      skip_all(missing);
    else
      run_group(missing, group.name);
  }
  worker_.stop();
}

std::vector<Case> Sweep::planned(const std::vector<Case>& cases, const Known& known) const {
  std::vector<Case> list;
  for (const Group& group : groups_of(suite_, cases)) {
    if (skips(group.cases.front())) continue;
    for (const Case& c : missing_of(group, known))
      if (!options_.profile || !c.is_ceiling()) list.push_back(c);
  }
  return list;
}

void Sweep::skip_all(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    if (c.is_ceiling()) continue;
    CaseRecord record = blank_record(c);
    set_outcome(record, Outcome::skipped, options_.cuda_unavailable);
    options_.on_record(record);
  }
}

void Sweep::run_group(const std::vector<Case>& cases, const std::string& group) {
  std::vector<Row> rows;
  for (const Case& c : cases) {
    if (options_.profile && c.is_ceiling()) continue;
    rows.push_back({c, blank_record(c)});
    rows.back().record.group = group;
  }
  for (Row& row : rows) {
    const SweepStep first = row.c.trains() ? SweepStep::train : SweepStep::prepare;
    step(row, first, [&] {
      if (row.c.train)
        run_training(row);
      else if (row.c.peer)
        run_peer(row);
      else if (guarded(row, [&] { prepare(row); }) && row.record.ok() && options_.profile)
        profile(row);
    });
    if (row.c.trains() || options_.profile || !row.record.ok()) options_.on_record(row.record);
  }
  if (!options_.profile) measure(rows);
  if (counting_) count(rows);
  release();
}

void Sweep::step(const Row& row, SweepStep step, const std::function<void()>& action) {
  notify({row.c, step, SweepEvent::Kind::begins});
  reported_seconds_ = 0;
  const double begin = steady_seconds();
  action();
  notify({row.c, step, SweepEvent::Kind::ends, steady_seconds() - begin - reported_seconds_});
}

bool Sweep::guarded(Row& row, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const WorkerFailure& failure) {
    set_outcome(row.record, failure.outcome, failure.what());
    row.record.rule = failure.rule;
    row.record.log_tail.clear();
    if (failure.outcome != Outcome::skipped) row.record.log_tail = failure.log_tail;
    if (options_.on_note)
      options_.on_note(
          fmt::format("  {}: {}: {}", name_of(failure.outcome), row.c.name(), failure.what()));
    return false;
  }
}

void Sweep::open(const Row& row) {
  if (open_generation_ != worker_.generation() || !worker_.running() ||
      open_device_ != row.c.device) {
    worker_.stop();
    devices_[row.c.device] = worker_.ask(worker::Open{row.c.device}, kLoadSeconds);
    open_device_ = row.c.device;
    open_generation_ = worker_.generation();
  }
}

void Sweep::load(Row& row) {
  row.record.problem.data = worker_.ask(worker::Load{row.c.problem}, kLoadSeconds);
}

void Sweep::prepare(Row& row) {
  open(row);
  load(row);
  const worker::Prepared report = worker_.ask(worker::Prepare{row.c}, options_.timeout_seconds);
  row.generation = worker_.generation();
  CaseRecord& record = row.record;
  record.verification = report.verification;
  record.kernels.clear();
  for (const KernelReport& kernel : report.kernels) record.kernels.push_back({kernel, {}});
  static_cast<CaseFindings&>(record) = report;
  const Verification& verification = report.verification;
  const bool right = verification.outcome == Outcome::ok;
  set_outcome(record, verification.outcome, right ? "" : verification.detail);
  record.rule = verification.rule;
  if (!right) record.log_tail = worker_.log_tail();
}

std::optional<Sample> Sweep::sample(Row& row, CacheMode mode) {
  std::optional<Sample> taken;
  guarded(row, [&] {
    if (row.generation != worker_.generation() || !worker_.running()) prepare(row);
    if (!row.record.ok()) return;
    taken = worker_.ask(worker::TakeSample{row.c.name(), mode}, options_.timeout_seconds);
  });
  return taken;
}

void Sweep::measure(std::vector<Row>& rows) {
  std::vector<Measurement> measurements;
  std::vector<std::pair<Row*, CacheMode>> targets;
  for (Row& row : rows) {
    if (!row.record.ok() || row.c.trains()) continue;
    for (const CacheMode mode : row.c.modes) {
      Measurement measurement;
      measurement.name = row.c.measurement_name(mode);
      measurements.push_back(std::move(measurement));
      targets.emplace_back(&row, mode);
      ++row.open_modes;
    }
  }
  const auto take = [&](size_t index) -> std::optional<Sample> {
    const auto [row, mode] = targets[index];
    if (!row->record.ok()) return std::nullopt;  // its other mode failed
    if (!std::exchange(row->sampled, true))
      notify({row->c, SweepStep::measure, SweepEvent::Kind::begins});
    const double begin = steady_seconds();
    std::optional<Sample> taken = sample(*row, mode);
    notify({row->c, SweepStep::measure, SweepEvent::Kind::progresses, steady_seconds() - begin});
    return taken;
  };
  const auto decided = [&](size_t index) {
    const auto [row, mode] = targets[index];
    row->record.of(mode) = measurement_record(measurements[index], row->record.work);
    if (--row->open_modes == 0) finish(*row);
  };
  measure_interleaved(measurements, options_.sampling, order_seed_, take, decided);
}

void Sweep::finish(Row& row) {
  const double begin = steady_seconds();
  if (row.record.ok()) recheck(row);
  if (row.record.rule) {  // its times are those of something else
    row.record.cold.reset();
    row.record.hot.reset();
  }
  notify({row.c, SweepStep::measure, SweepEvent::Kind::ends, steady_seconds() - begin});
  options_.on_record(row.record);
}

void Sweep::recheck(Row& row) {
  guarded(row, [&] {
    if (row.generation != worker_.generation() || !worker_.running()) return prepare(row);
    const worker::Rechecked answer =
        worker_.ask(worker::Recheck{row.c.name()}, options_.timeout_seconds);
    const Verification& recheck = answer.verification;
    row.record.recheck = recheck;
    const std::vector<double>& seconds = answer.kernel_seconds;
    for (size_t i = 0; i < seconds.size(); ++i) row.record.kernels.at(i).seconds = seconds[i];
    row.record.rule = recheck.rule;
    if (recheck.outcome == Outcome::ok) return;
    const bool named = recheck.rule && recheck.detail.starts_with(name_of(*recheck.rule));
    set_outcome(row.record, recheck.outcome,
                named ? recheck.detail
                      : fmt::format("right before timing, not after it: {}", recheck.detail));
    row.record.log_tail = worker_.log_tail();
  });
}

void Sweep::count(std::vector<Row>& rows) {
  for (Row& row : rows) {
    if (!row.record.ok() || !row.record.measured() || row.c.is_ceiling()) continue;
    step(row, SweepStep::count, [&] {
      for (const CacheMode mode : row.c.modes)
        if (auto& measured = row.record.of(mode)) measured->counters = counters_of(row, mode);
    });
    options_.on_record(row.record);
  }
  worker_.stop();  // the next group's samples are of a process that never counted
}

// A worker that is lost here costs the counters, not the case.
CountersRecord Sweep::counters_of(Row& row, CacheMode mode) {
  try {
    if (row.generation != worker_.generation() || !worker_.running()) {
      Row again{row.c, row.record};
      prepare(again);
      row.generation = again.generation;
    }
    return worker_.ask(worker::Count{row.c.name(), mode}, options_.timeout_seconds);
  } catch (const WorkerFailure& failure) {
    return no_counters(failure);
  }
}

void Sweep::profile(Row& row) {
  guarded(row, [&] {
    if (row.generation != worker_.generation() || !worker_.running()) prepare(row);
    worker_.ask(worker::Profile{row.c.name()}, options_.timeout_seconds);
    row.record.detail = "run once under the profiler, not measured";
  });
}

void Sweep::run_training(Row& row) {
  guarded(row, [&] {
    open(row);
    load(row);
    TrainingLaunch& training = row.record.training->launches.front();
    train_once(row, training);
    for (int again = 0; again < kTrainingRetries && disturbed(training.iterations); ++again) {
      TrainingLaunch next;
      train_once(row, next);
      if (taken_share(next.iterations) < taken_share(training.iterations))
        training = std::move(next);
    }
    set_outcome(row.record, Outcome::ok, "");
  });
}

void Sweep::run_peer(Row& row) {
  guarded(row, [&] {
    if (options_.profile)
      throw WorkerFailure(Outcome::skipped, "another program is not profiled", {}, false);
    PeerCase peer(row.c, options_.interrupted);
    open(row);
    load(row);
    peer.run(worker_, options_.timeout_seconds, row.record);
    set_outcome(row.record, Outcome::ok, "");
  });
}

void Sweep::train_once(Row& row, TrainingLaunch& training) {
  double last = steady_seconds();
  const worker::Trained answer =
      worker_.ask(worker::Train{row.c, options_.energy}, options_.timeout_seconds,
                  [&](const IterationRecord& iteration) {
                    training.iterations.push_back(iteration);
                    const double seconds = steady_seconds() - std::exchange(last, steady_seconds());
                    reported_seconds_ += seconds;
                    notify({row.c, SweepStep::train, SweepEvent::Kind::progresses, seconds,
                            1.0 / row.c.train->iterations});
                  });
  training.result = answer.training;
  static_cast<CaseFindings&>(row.record) = answer;
}

void Sweep::release() {
  if (!worker_.running()) return;
  try {
    worker_.ask(worker::Release{}, options_.timeout_seconds);
  } catch (const WorkerFailure&) {
    // Its death after the last sample costs nothing: the next group gets a fresh worker.
  }
}

int64_t count_ceilings(const Suite& suite, const std::vector<Case>& cases,
                       const SweepOptions& options) {
  if (options.profile) return 0;
  std::set<std::string> names;
  for (const Group& group : groups_of(suite, cases))
    if (group.cases.front().backend == Backend::cpu || options.cuda_unavailable.empty())
      for (const Case& ceiling : group.ceilings) names.insert(ceiling.name());
  return static_cast<int64_t>(names.size());
}

}  // namespace alsbench
