#include "harness/sweep/json_of.h"

#include <cmath>

namespace alsbench {

Json json_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const DeviceTraits& traits) {
  return {
      {"backend", name_of(traits.backend)},
      {"name", traits.name},
      {"architecture",
       traits.architecture > 0 ? Json("sm_" + std::to_string(traits.architecture)) : Json(nullptr)},
      {"multiprocessors", traits.multiprocessors},
      {"memory_bytes", traits.memory_bytes},
      {"l2_bytes", traits.l2_bytes},
      {"shared_bytes_per_block", traits.shared_bytes_per_block},
      {"shared_bytes_per_multiprocessor", traits.shared_bytes_per_multiprocessor},
      {"registers_per_multiprocessor", traits.registers_per_multiprocessor},
      {"threads_per_multiprocessor", traits.threads_per_multiprocessor},
      {"blocks_per_multiprocessor", traits.blocks_per_multiprocessor}};
}

Json json_of(const KernelReport& report) {
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

Json json_of(const Verification& verification) {
  return {{"outcome", name_of(verification.outcome)},
          {"max_error", json_of(verification.max_error)},
          {"mean_error", json_of(verification.mean_error)},
          {"tolerance", json_of(verification.tolerance)},
          {"storage_error", json_of(verification.storage_error)},
          {"max_residual", json_of(verification.max_residual)},
          {"mean_cg_steps", json_of(verification.mean_cg_steps)},
          {"rows_checked", verification.rows_checked},
          {"detail", verification.detail}};
}

Json json_of(const Work& work) {
  const double bytes = work.compulsory_bytes;
  return {{"useful_flops", json_of(work.useful_flops)},
          {"paper_flops", json_of(work.paper_flops)},
          {"logical_bytes", json_of(work.logical_bytes)},
          {"compulsory_bytes", json_of(bytes)},
          {"flops_per_compulsory_byte", json_of(work.useful_flops / bytes)}};
}

Json json_of(const Shape& shape) {
  return {{"rows", shape.rows},
          {"cols", shape.cols},
          {"nnz", shape.nnz},
          {"rank", shape.rank},
          {"row_length_quantiles", shape.row_length_quantiles},
          {"batch_rows", shape.batch_rows}};
}

Shape shape_of(const Json& json) {
  Shape shape;
  shape.rows = json.at("rows");
  shape.cols = json.at("cols");
  shape.nnz = json.at("nnz");
  shape.rank = json.at("rank");
  json.at("row_length_quantiles").get_to(shape.row_length_quantiles);
  shape.batch_rows = json.at("batch_rows");
  return shape;
}

Json json_of(const Sample& sample) {
  return {{"seconds", json_of(sample.seconds)},
          {"host_seconds", json_of(sample.host_seconds)},
          {"sm_clock_hz", sample.sm_clock_hz > 0 ? json_of(sample.sm_clock_hz) : Json(nullptr)},
          {"throttled", sample.throttled}};
}

Sample sample_of(const Json& json) {
  Sample sample;
  sample.seconds = json.at("seconds");
  sample.host_seconds = json.at("host_seconds");
  if (json.at("sm_clock_hz").is_number()) sample.sm_clock_hz = json["sm_clock_hz"];
  sample.throttled = json.at("throttled");
  return sample;
}

Json json_of(const Statistics& s) {
  return {{"count", s.count},
          {"min_seconds", json_of(s.min)},
          {"q1_seconds", json_of(s.q1)},
          {"median_seconds", json_of(s.median)},
          {"q3_seconds", json_of(s.q3)},
          {"max_seconds", json_of(s.max)},
          {"mean_seconds", json_of(s.mean)},
          {"relative_iqr", json_of(s.relative_iqr)},
          {"median_noise", json_of(s.median_noise)}};
}

}  // namespace alsbench
