// SPDX-License-Identifier: Apache-2.0
// PreparedReport: what a worker says of a case that it has prepared and verified.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/record/kernel_report.h"
#include "harness/record/verification.h"
#include "variants/core/shape.h"
#include "variants/core/work.h"

namespace alsbench {

struct PreparedReport {
  Verification verification;
  double verify_seconds = 0;
  std::vector<KernelReport> kernels;
  std::optional<Work> work;  // nothing of a diagnostic configuration: it has a time, but no rate
  Shape shape;
  int64_t measured_rows = 0;
  int64_t peak_device_bytes = 0;
};

Json to_json(const PreparedReport& report);
PreparedReport prepared_report_from_json(const JsonField& json);

}  // namespace alsbench
