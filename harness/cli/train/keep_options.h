// SPDX-License-Identifier: Apache-2.0
// Options of `alsbench train` that say which iteration's model is kept, and when no better one is
// waited for.
#pragma once

#include <string>

#include "harness/data/csr.h"
#include "harness/train/train.h"

namespace CLI {
class App;
}

namespace alsbench {

struct KeepOptions {
  std::string keep;    // best or last; empty: the best with early_stop, else the last
  int early_stop = 0;  // 0: never
};

void add_keep_options(CLI::App& command, KeepOptions& options);

Keep keep_of(const KeepOptions& options);
// Throws UsageError where there are no test ratings to judge iterations by.
void check_keep(const KeepOptions& options, const RatingSet& set);
// On stderr: why the training ended before its last iteration, and which iteration the model is of,
// where it is not the last one.
void print_kept_iteration(const TrainOptions& train, const TrainResult& result);

}  // namespace alsbench
