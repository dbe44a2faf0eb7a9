// SPDX-License-Identifier: Apache-2.0
// Runs a peer as a process of its own, within limits, and watches it. Nothing that it started
// outlives it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/peers/peer.h"
#include "harness/peers/placeholders.h"
#include "harness/record/outcome.h"
#include "harness/record/peer_record.h"

namespace alsbench {

struct PeerLimits {
  double seconds = 600;
  int64_t bytes = 0;                         // resident, of all its processes
  int64_t output_bytes = int64_t{16} << 20;  // of stdout and stderr
  const std::atomic<bool>* interrupted = nullptr;
};

// Whether a peer can be run here.
struct PeerPresence {
  std::string version;  // "" where it does not say
  std::string missing;  // why it cannot, and how to install it; "" where it can
};
// Throws Interrupted, and EnvironmentError where no process can be made.
PeerPresence find_peer(const Peer& peer, const std::filesystem::path& folder,
                       const std::atomic<bool>* interrupted);

struct PeerRun {
  Outcome outcome = Outcome::ok;
  std::string detail;  // why it is not ok
  std::vector<std::string> log_tail;
  std::vector<PeerProgress> progress;
  std::optional<double> own_seconds, own_test_metric;  // of the training, as it says
  PeerUse use;
};

// The command that runs with these values of the placeholders.
std::vector<std::string> peer_command(const Peer& peer, const PlaceholderValues& values);
// Writes the peer's files into the folder and runs it there. Throws as find_peer.
PeerRun run_peer(const Peer& peer, const PlaceholderValues& values,
                 const std::filesystem::path& folder, const PeerLimits& limits);

}  // namespace alsbench
