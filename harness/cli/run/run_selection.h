// SPDX-License-Identifier: Apache-2.0
// Selection by the flags of `alsbench run`: the suite, devices, shard and cases, and which of the
// cases this machine can compare (docs/explanation/comparing.md). Apart from run_command.cpp so
// that machines with other devices than this one can be tested.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/run/run_options.h"
#include "harness/sweep/suite/case.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

// The devices of a run on a machine with `cuda_devices` GPUs: those of --device, else the CPU and
// the first GPU. The latter is named even where there is none. Throws like several_devices.
std::vector<std::string> devices_of(const RunOptions& options, int cuda_devices);

// Throws like devices_of, and UsageError for a wrong axis or shard.
Selection selection_of(const RunOptions& options, int cuda_devices);

// The suite `source` on the ratings, rank and lambda of the options. Rank and lambda that are not
// given are those of its first problem; without ratings, each problem keeps its own. Throws
// UsageError like parse_suite.
Suite suite_on_ratings(const std::string& source, const RunOptions& options);

// Why a case cannot run here, as far as rank and device tell; the data may object to more.
std::string early_objection(const Case& c, const std::string& cuda_unavailable);

// Throws UsageError where a problem of sizes fits into the memory of none of its cases' devices.
void refuse_oversized(const std::vector<Case>& cases, const std::string& cuda_unavailable);

// Those that can run here: a training is one, a measurement one in each cache mode. Other programs
// are none, since no build of ours makes them faster.
int64_t comparable_cases(const std::vector<Case>& cases, const std::string& cuda_unavailable);

// "ci has 22 cases: 8 launches per side are needed".
std::string launches_text(const std::string& suite, int64_t cases, int64_t needed);

}  // namespace alsbench
