// SPDX-License-Identifier: Apache-2.0
// https://bencher.dev/docs/reference/bencher-metric-format: `latency` is its built-in measure, in
// nanoseconds; `test-<metric>` and `peak-device-memory` (bytes) are ours.
#include "harness/files/hash.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {

std::string bencher_name(const std::string& name) {
  constexpr size_t kLongest = 1024, kHash = 32;
  if (name.size() <= kLongest) return name;
  size_t end = kLongest - kHash - 1;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80) --end;
  return name.substr(0, end) + "#" + Fnv1a128().add(name).hex();
}

std::string to_bencher(const ResultDocument& result) {
  constexpr double kNanoseconds = 1e9;
  Json metrics = Json::object();
  for (const ResultRow& row : rows_of(result.cases)) {
    if (row.timed())
      metrics[bencher_name(row.name)]["latency"] = {
          {"value", row.measurement->statistics.median * kNanoseconds},
          {"lower_value", row.measurement->statistics.q1 * kNanoseconds},
          {"upper_value", row.measurement->statistics.q3 * kNanoseconds}};
    if (row.trained()) {
      const TrainedRow trained = trained_of(row);
      Json& measures = metrics[bencher_name(row.name)];
      measures["latency"] = {{"value", trained.seconds * kNanoseconds}};
      if (trained.test_metric)
        measures["test-" + trained.metric] = {{"value", *trained.test_metric}};
    }
    if ((row.timed() || row.trained()) && row.record->peak_device_bytes)
      metrics[bencher_name(row.name)]["peak-device-memory"] = {
          {"value", *row.record->peak_device_bytes}};
  }
  return metrics.dump(2) + "\n";
}

}  // namespace alsbench
