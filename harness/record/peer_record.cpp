// SPDX-License-Identifier: Apache-2.0
#include "harness/record/peer_record.h"

#include "harness/record/contention.h"
#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

// Lines that come nearer to each other than this share of what the peer says an iteration takes
// were held back, and their times tell nothing.
constexpr double kHeldBack = 0.5;

}  // namespace

std::optional<double> PeerRecord::own_iteration_seconds() const {
  double seconds = 0;
  int64_t count = 0;
  for (size_t i = 1; i < progress.size(); ++i) {
    if (!progress[i].own_seconds) return std::nullopt;
    seconds += *progress[i].own_seconds;
    ++count;
  }
  return count > 0 ? std::optional(seconds / static_cast<double>(count)) : std::nullopt;
}

std::optional<double> PeerRecord::iteration_seconds() const {
  if (progress.size() < 2) return std::nullopt;
  const double seconds = (progress.back().at_seconds - progress.front().at_seconds) /
                         static_cast<double>(progress.size() - 1);
  const auto own = own_iteration_seconds();
  return own && seconds < kHeldBack * *own ? std::nullopt : std::optional(seconds);
}

bool PeerRecord::disturbed() const {
  return use && use->other_share.value_or(0) > kDisturbingShare;
}

void describe(Fields<PeerProgress>& fields) {
  fields.record("peer_progress", "A line in which a peer reports its progress.");
  fields("iteration", &PeerProgress::iteration);
  fields("at_seconds", &PeerProgress::at_seconds, "since the program was started")
      .range(Range::Kind::duration);
  fields("own_seconds", &PeerProgress::own_seconds, "of this iteration, as the peer reports");
  fields("own_test_metric", &PeerProgress::own_test_metric, "likewise");
}

void describe(Fields<PeerScore>& fields) {
  fields.record("peer_score", "The metric of a peer's factors, evaluated by this program.");
  fields("train_metric", &PeerScore::train_metric).nullable();
  fields("test_metric", &PeerScore::test_metric).nullable();
  fields("cold_test_ratings", &PeerScore::cold_test_ratings);
}

void describe(Fields<PeerUse>& fields) {
  fields.record("peer_use", "Time and memory of a peer's processes.");
  fields("wall_seconds", &PeerUse::wall_seconds).range(Range::Kind::duration);
  fields("cpu_seconds", &PeerUse::cpu_seconds, "of all its processes").range(Range::Kind::duration);
  fields("peak_bytes", &PeerUse::peak_bytes, "resident, of all its processes together");
  fields("left_processes", &PeerUse::left_processes, "that it left running when it ended");
  fields("other_share", &PeerUse::other_share,
         "of the machine's processors, that other work had meanwhile");
}

void describe(Fields<PeerRequest>& fields) {
  fields("name", &PeerRequest::peer, "of its description");
  fields("version", &PeerRequest::version, "null where it does not say").nullable();
  fields("algorithm", &PeerRequest::algorithm, "that has its model and judges its factors");
  fields("metric", &PeerRequest::metric, "of that algorithm");
  fields("hyper", &PeerRequest::hyper);
  fields("regularisation", &PeerRequest::regularisation, "what its lambda multiplies");
  fields("lambda", &PeerRequest::lambda, "as the program got it");
  fields("iterations", &PeerRequest::iterations);
  fields("threads", &PeerRequest::threads);
  fields("command", &PeerRequest::command);
}

void describe(Fields<PeerRecord>& fields) {
  using R = PeerRecord;
  fields.record("peer", "A training by another program.");
  fields.inlined(&R::request);
  fields("progress", &R::progress);
  fields("own_seconds", &R::own_seconds, "of the training, as the peer reports");
  fields("own_test_metric", &R::own_test_metric, "the last that the peer reports");
  fields.computed("own_iteration_seconds", &R::own_iteration_seconds,
                  "mean of an iteration after the first, as the peer reports");
  fields.computed("iteration_seconds", &R::iteration_seconds, "likewise, by this program's clock");
  fields("use", &R::use, "null of a peer that was not started");
  fields("score", &R::score, "null without factors to evaluate");
  fields.computed("disturbed", &R::disturbed,
                  "whether other work took a notable share of the processors");
  fields("warnings", &R::warnings, "where the peer's report contradicts the observations");
}

}  // namespace alsbench
