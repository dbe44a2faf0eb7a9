// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/prepared_report.h"

#include "harness/record/core_codecs.h"

namespace alsbench {

Json to_json(const PreparedReport& report) {
  return {{"verification", to_json(report.verification)},
          {"verify_seconds", report.verify_seconds},
          {"kernels", json_list(report.kernels)},
          {"work", json_or_null(report.work)},
          {"shape", to_json(report.shape)},
          {"measured_rows", report.measured_rows},
          {"peak_device_bytes", report.peak_device_bytes}};
}

PreparedReport prepared_report_from_json(const JsonField& json) {
  PreparedReport report;
  report.verification = verification_from_json(json.at("verification"));
  report.verify_seconds = json.at("verify_seconds").number();
  report.kernels = list_of(json.at("kernels"),
                           [](const JsonField& kernel) { return kernel_report_from_json(kernel); });
  report.work = optional_of(json.find("work"), work_from_json);
  report.shape = shape_from_json(json.at("shape"));
  report.measured_rows = json.at("measured_rows").integer();
  report.peak_device_bytes = json.at("peak_device_bytes").integer();
  return report;
}

}  // namespace alsbench
