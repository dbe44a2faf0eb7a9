// SPDX-License-Identifier: Apache-2.0
#include "harness/record/kernel_report.h"

namespace alsbench {

Json to_json(const KernelReport& report) {
  return {{"instance", report.instance},
          {"registers", report.registers},
          {"spill_store_bytes", report.spill_store_bytes},
          {"spill_load_bytes", report.spill_load_bytes},
          {"stack_bytes", report.stack_bytes},
          {"static_shared_bytes", report.static_shared_bytes},
          {"dynamic_shared_bytes", report.dynamic_shared_bytes},
          {"block", report.block},
          {"grid", report.grid},
          {"blocks_per_multiprocessor", report.blocks_per_multiprocessor},
          {"occupancy", json_of(report.occupancy)},
          {"code_hash", report.code_hash},
          {"compile_seconds", json_of(report.compile_seconds)},
          {"from_cache", report.from_cache}};
}

KernelReport kernel_report_from_json(const JsonField& json) {
  KernelReport report;
  report.instance = json.at("instance").text();
  report.registers = json.at("registers").integer32();
  report.spill_store_bytes = json.at("spill_store_bytes").integer();
  report.spill_load_bytes = json.at("spill_load_bytes").integer();
  report.stack_bytes = json.at("stack_bytes").integer();
  report.static_shared_bytes = json.at("static_shared_bytes").integer();
  report.dynamic_shared_bytes = json.at("dynamic_shared_bytes").integer();
  report.block = json.at("block").integer32();
  report.grid = json.at("grid").integer();
  report.blocks_per_multiprocessor = json.at("blocks_per_multiprocessor").integer32();
  report.occupancy = json.at("occupancy").number_or_nan();
  report.code_hash = json.at("code_hash").text();
  report.compile_seconds = json.at("compile_seconds").number_or_nan();
  report.from_cache = json.at("from_cache").boolean();
  return report;
}

}  // namespace alsbench
