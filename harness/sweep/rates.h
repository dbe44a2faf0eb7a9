// SPDX-License-Identifier: Apache-2.0
// Rates and shares: what a measurement's samples mean in FLOP/s, bytes/s and shares of the roofs
// that were measured among them.
#pragma once

#include <optional>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/sweep/rounds.h"

namespace alsbench {

// What a measurement comes to, all of one launch: samples, statistics, rates by `work`. Nothing
// without a sample.
std::optional<MeasurementRecord> measurement_record(const Measurement& measurement,
                                                    const std::optional<Work>& work);

// One record of two that the same case got in one launch after another: samples and launches of
// both, statistics and rates over all samples. A case that failed in either has failed.
CaseRecord merge_launches(const CaseRecord& record, const CaseRecord& next);

// Fills in share_of_roof and share_of_nominal of every record. A record's roofs are those of its
// batch: FLOPs are judged by the fastest gemm_batched of the same precision (as the paper counts,
// where it does), bytes by the fastest copy, in the same cache mode. Nominal rates are those of the
// record's device among `devices`.
void add_shares(std::vector<CaseRecord>& records, const std::vector<DeviceRecord>& devices);

}  // namespace alsbench
