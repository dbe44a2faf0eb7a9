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
#include "harness/record/journal.h"
#include "harness/record/peer_record.h"
#include "harness/train/algorithm.h"

namespace alsbench {

class SuiteReader;

struct PeerSpec {
  std::string source;                // of its description: a shipped name, or a file
  std::shared_ptr<const Peer> peer;  // never null
  std::string name;                  // in the case's name
  int iterations = 10;
  std::optional<double> lambda;                // in place of the problem's
  std::map<std::string, std::string> options;  // of the peer, all of them
  std::optional<int64_t> memory_bytes;         // that it may take; else most of what is free

  const Algorithm& algorithm() const;  // that judges it
  // Those of the peer's options that are hyper-parameters of that algorithm, too.
  Config hyper() const;
  // What it is asked where the problem's lambda is that. `threads` and `version` are not known yet.
  PeerRequest request(double problem_lambda) const;
};

// An element of a suite's "peers"; what is wrong with it becomes errors of the reader.
PeerSpec read_peer_spec(SuiteReader& reader, const Json& json, const std::string& pointer);
// Of two peers of one name only the first would be run: an error.
void check_peer_names(SuiteReader& reader, const std::vector<PeerSpec>& peers);

Json to_json(const PeerSpec& spec);
// Throws UsageError for what to_json did not write.
PeerSpec peer_spec_from_json(const JsonField& json);

}  // namespace alsbench
