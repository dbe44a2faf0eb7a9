// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/peer_case.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "harness/files/host_memory.h"

namespace alsbench {
namespace {

constexpr double kMemoryShare = 0.8;    // of what is free
constexpr double kClockShare = 0.01;    // by which two clocks may differ,
constexpr double kClockSeconds = 0.05;  // and these seconds
constexpr double kFastestShare = 0.5;   // of our time, that evaluating between iterations explains

// The seconds that its training took, as it says.
std::optional<double> stated_seconds(const PeerRun& run) {
  if (run.own_seconds) return run.own_seconds;
  double seconds = 0;
  for (const PeerProgress& progress : run.progress) {
    if (!progress.own_seconds) return std::nullopt;
    seconds += *progress.own_seconds;
  }
  return run.progress.empty() ? std::nullopt : std::optional(seconds);
}

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

void warn_of_clock(const PeerRecord& record, std::vector<std::string>& warnings) {
  for (const PeerProgress& progress : record.progress)
    if (progress.own_seconds && !is_time(*progress.own_seconds)) {
      warnings.push_back(fmt::format("its clock says that iteration {} took {} s",
                                     progress.iteration, *progress.own_seconds));
      break;
    }
  const double wall = record.use->wall_seconds;
  if (record.own_seconds && !is_time(*record.own_seconds))
    warnings.push_back(fmt::format("its clock says that training took {} s", *record.own_seconds));
  else if (record.own_seconds && *record.own_seconds > wall * (1 + kClockShare) + kClockSeconds)
    warnings.push_back(
        fmt::format("its clock says that training took {:.3g} s, and it ran for "
                    "{:.3g} s in all",
                    *record.own_seconds, wall));
  const auto own = record.own_iteration_seconds(), ours = record.iteration_seconds();
  if (own && ours && *own<kFastestShare* * ours&& * ours - *own> kClockSeconds)
    warnings.push_back(
        fmt::format("its clock says {:.3g} s an iteration, and its lines came every "
                    "{:.3g} s",
                    *own, *ours));
}

}  // namespace

bool score_is_wrong(const PeerRecord& record) {
  const auto stated = record.own_test_metric;
  if (!stated || !record.score || !std::isfinite(record.score->test_metric)) return false;
  const double ours = record.score->test_metric;
  return !(std::abs(*stated - ours) <= kStatedScoreTolerance * std::abs(ours));
}

std::vector<std::string> data_warnings(const PeerRecord& record) {
  std::vector<std::string> warnings;
  warn_of_clock(record, warnings);
  if (!record.progress.empty() && record.progress.back().iteration != record.request.iterations)
    warnings.push_back(fmt::format("its last line is of iteration {}, and it was asked for {}",
                                   record.progress.back().iteration, record.request.iterations));
  if (record.use->left_processes > 0)
    warnings.push_back(fmt::format("it left {} process{} running", record.use->left_processes,
                                   record.use->left_processes == 1 ? "" : "es"));
  if (score_is_wrong(record))
    warnings.push_back(fmt::format("it states a test {} of {:.4f}, and its factors give {:.4f}",
                                   record.request.metric, *record.own_test_metric,
                                   record.score->test_metric));
  return warnings;
}

PeerCase::PeerCase(const Case& c, const std::atomic<bool>* interrupted)
    : c_(c),
      peer_(*c.peer->peer),
      interrupted_(interrupted),
      presence_(find_peer(peer_, folder_.path(), interrupted)) {
  if (!presence_.missing.empty())
    throw WorkerFailure(Outcome::skipped, presence_.missing, {}, false);
}

PlaceholderValues PeerCase::values(const CaseRecord& record) const {
  const PeerRequest& request = record.peer->request;
  const DataRecord& data = record.problem.data.value();
  PlaceholderValues values = c_.peer->options;
  values["rank"] = fmt::to_string(c_.problem.rank);
  values["lambda"] = fmt::format("{:.9g}", request.lambda);
  values["iterations"] = fmt::to_string(request.iterations);
  values["threads"] = fmt::to_string(request.threads);
  values["seed"] = fmt::to_string(c_.problem.data.seed);
  values["device"] = c_.device == "cpu" ? "0" : c_.device;
  values["train"] = peer_.ratings.train;
  values["test"] = peer_.ratings.test;
  values["users"] = fmt::to_string(data.users);
  values["items"] = fmt::to_string(data.items);
  values["train_ratings"] = fmt::to_string(data.train_ratings);
  values["test_ratings"] = fmt::to_string(data.test_ratings);
  return values;
}

void PeerCase::run(WorkerClient& client, double timeout_seconds, CaseRecord& record) {
  PeerRecord& peer = record.peer.value();
  peer.request.version = presence_.version;
  peer.request.threads =
      client.ask(worker::ExportRatings{c_, folder_.path()}, timeout_seconds).threads;
  const PlaceholderValues filled_in = values(record);
  peer.request.command = peer_command(peer_, filled_in);
  PeerLimits limits;
  limits.seconds = timeout_seconds;
  limits.bytes = c_.peer->memory_bytes.value_or(
      static_cast<int64_t>(kMemoryShare * static_cast<double>(free_host_bytes())));
  limits.interrupted = interrupted_;
  PeerRun run = run_peer(peer_, filled_in, folder_.path(), limits);
  peer.own_seconds = stated_seconds(run);
  peer.own_test_metric = run.own_test_metric;
  peer.progress = std::move(run.progress);
  peer.use = run.use;
  if (run.outcome == Outcome::ok) score(client, timeout_seconds, peer);
  peer.warnings = data_warnings(peer);
  if (run.outcome != Outcome::ok) throw WorkerFailure(run.outcome, run.detail, run.log_tail, false);
  if (score_is_wrong(peer))
    throw WorkerFailure(Outcome::wrong, peer.warnings.back(), run.log_tail, false);
}

void PeerCase::score(WorkerClient& client, double timeout_seconds, PeerRecord& record) const {
  record.score = client.ask(worker::Score{c_, folder_.path()}, timeout_seconds);
}

}  // namespace alsbench
