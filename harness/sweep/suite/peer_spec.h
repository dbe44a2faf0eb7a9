// SPDX-License-Identifier: Apache-2.0
// PeerSpec: a training by another program that a suite asks for, and its row of a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/peers/peer.h"
#include "harness/record/peer_record.h"
#include "harness/sweep/suite/suite_document.h"
#include "harness/train/algorithm.h"

namespace alsbench {

struct PeerSpec {
  std::string source;                // of its description: a shipped name, or a file
  std::shared_ptr<const Peer> peer;  // never null
  std::string name;                  // in the case's name
  int32_t iterations = 10;
  std::optional<double> lambda;                // in place of the problem's
  std::map<std::string, std::string> options;  // of the peer, all of them
  std::optional<int64_t> memory_bytes;         // that it may take; else most of what is free

  const Algorithm& algorithm() const;  // that judges it
  // Those of the peer's options that are hyper-parameters of that algorithm, too.
  Config hyper() const;
  // The request to the peer where the problem's lambda is that. `threads` and `version` are not
  // known yet.
  PeerRequest request(double problem_lambda) const;
};

// Of an entry that stands at `json`, where all errors go.
PeerSpec peer_of(const PeerEntry& entry, const JsonField& json);
// Of two peers of one name only the first would be run: an error.
void check_peer_names(const std::vector<PeerSpec>& peers, const std::vector<JsonField>& elements);

void describe(Fields<PeerSpec>& fields);

}  // namespace alsbench
