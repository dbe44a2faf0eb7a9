// SPDX-License-Identifier: Apache-2.0
// PeerCase: a training by another program, as a case of a run. A worker writes the ratings and
// judges the factors; this process starts the program and ends it.
#pragma once

#include <atomic>

#include "harness/files/private_folder.h"
#include "harness/peers/run_peer.h"
#include "harness/record/case_record.h"
#include "harness/sweep/suite/case.h"
#include "harness/sweep/worker/worker_client.h"

namespace alsbench {

// A score that a peer states may be off by this share of what its factors are worth.
inline constexpr double kStatedScoreTolerance = 0.01;

class PeerCase {
 public:
  // Looks whether the peer is there. Throws WorkerFailure(skipped) that says how to install it.
  PeerCase(const Case& c, const std::atomic<bool>* interrupted);

  // Where the case's problem is loaded by the worker. Fills the record's peer as far as it comes.
  // Throws WorkerFailure where that is not to the end, and Interrupted.
  void run(WorkerClient& client, double timeout_seconds, CaseRecord& record);

 private:
  PlaceholderValues values(const CaseRecord& record) const;
  void score(WorkerClient& client, double timeout_seconds, PeerRecord& record) const;

  const Case& c_;
  const Peer& peer_;
  const std::atomic<bool>* interrupted_;
  PrivateFolder folder_{"peer"};
  PeerPresence presence_;
};

// Doubts about a peer's own time and score, where they do not fit what was seen.
std::vector<std::string> data_warnings(const PeerRecord& record);
// Whether the test metric that it states is not that of its factors.
bool score_is_wrong(const PeerRecord& record);

}  // namespace alsbench
