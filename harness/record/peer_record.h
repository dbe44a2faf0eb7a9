// SPDX-License-Identifier: Apache-2.0
// PeerRecord: a training by another program: what it was asked, what it says of itself, and what
// this program saw of it. Both are kept apart, and only the latter is compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/fields/fields.h"
#include "variants/core/config.h"

namespace alsbench {

// A line in which a peer tells how far it is.
struct PeerProgress {
  int64_t iteration = 0;
  double at_seconds = 0;                       // ours: since the program was started
  std::optional<double> own_seconds = {};      // of this iteration, as it says
  std::optional<double> own_test_metric = {};  // likewise
};

// Its identity and its request.
struct PeerRequest {
  std::string peer;            // the name of its description
  std::string version;         // "" where it does not say
  std::string algorithm;       // of this project, that has its model and judges its factors
  std::string metric;          // of that algorithm
  Config hyper;                // likewise
  std::string regularisation;  // what its lambda multiplies: "ratings" or "plain"
  double lambda = 0;           // as it got it
  int64_t iterations = 0;
  int64_t threads = 0;
  std::vector<std::string> command;  // run in a folder that holds the ratings
};

// By our clock and our counts.
struct PeerUse {
  double wall_seconds = 0;     // from its start to its end, with reading, writing and starting up
  double cpu_seconds = 0;      // of all its processes
  int64_t peak_bytes = 0;      // resident, of all its processes together
  int64_t left_processes = 0;  // that it left running when it ended
  std::optional<double> other_share;  // of the machine's processors, that other work had meanwhile
};

// The score of its factors.
struct PeerScore {
  double train_metric = 0;
  double test_metric = 0;  // NaN without test ratings
  int64_t cold_test_ratings = 0;
};

struct PeerRecord {
  PeerRequest request;
  std::vector<PeerProgress> progress;
  std::optional<double> own_seconds;      // of the training, as it says
  std::optional<double> own_test_metric;  // that it states last
  std::optional<PeerUse> use;             // nothing of one that was not started
  std::optional<PeerScore> score;         // nothing where there are no factors to judge
  std::vector<std::string> warnings;      // where what it says does not fit what was seen

  // Of an iteration after the first, on average; nothing where its lines do not tell.
  std::optional<double> own_iteration_seconds() const;
  std::optional<double> iteration_seconds() const;  // by our clock
  // Whether other work had more of the processors than a time bears.
  bool disturbed() const;
};

void describe(Fields<PeerProgress>& fields);
void describe(Fields<PeerScore>& fields);
void describe(Fields<PeerUse>& fields);
void describe(Fields<PeerRequest>& fields);
void describe(Fields<PeerRecord>& fields);

}  // namespace alsbench
