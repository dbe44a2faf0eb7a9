// Rates and shares: what a measurement's samples mean in FLOP/s, bytes/s and shares of the roofs
// that were measured among them.
#pragma once

#include <vector>

#include "harness/record/journal.h"
#include "harness/sweep/benchmark_engine.h"

namespace alsbench {

// The "cold" or "hot" block of a case record: samples, statistics, rates by `work` (json_of(Work)),
// all of one launch.
Json measurement_json(const Measurement& measurement, const Json& work);

// One record of two that the same case got in one launch after another: samples and launches of
// both, statistics and rates over all samples. A case that failed in either has failed.
Json merge_launches(const Json& record, const Json& next);

// Fills in share_of_roof and share_of_nominal of every record. A record's roofs are those of its
// batch: FLOPs are judged by the fastest gemm_batched of the same precision (as the paper counts,
// where it does), bytes by the fastest copy, in the same cache mode. Nominal rates are those of the
// record's device among `devices`.
void add_shares(std::vector<Json>& records, const std::vector<Json>& devices);

}  // namespace alsbench
