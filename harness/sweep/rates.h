// SPDX-License-Identifier: Apache-2.0
// Rates and shares: what a measurement's samples mean in FLOP/s, bytes/s and shares of those of the
// references that were measured among them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/sweep/rounds.h"
#include "variants/core/variant.h"

namespace alsbench {

// The variant of a record. Null where the catalog does not have it, as a custom kernel whose folder
// no option names, or a variant of another version.
const Variant* variant_of(const CaseRecord& record);

// Record of a measurement, all of one launch: samples, statistics, rates by `work`. Nothing without
// a sample.
std::optional<MeasurementRecord> measurement_record(const Measurement& measurement,
                                                    const std::optional<Work>& work);

// One record of two that the same case got in one launch after another: samples and launches of
// both, statistics and rates over all samples. A case that failed in either has failed.
CaseRecord merge_launches(const CaseRecord& record, const CaseRecord& next);

// Fills in shares, unmeasured_ceilings, share_of_nominal, bound, dram and l2 of every record. Each
// share is a rate of the record over the same rate of a reference: the fastest that other work did
// not disturb, on the same device, in the same cache mode where that matters. A comparison is also
// of the same problem and part. Records of devices that are not among `devices` get none.
void add_shares(std::vector<CaseRecord>& records, const std::vector<DeviceRecord>& devices);

// A result document as it was read, with these shares in the place of its own. Throws UsageError
// naming `source` where it is no result.
Json with_shares(Json document, const std::string& source);

}  // namespace alsbench
