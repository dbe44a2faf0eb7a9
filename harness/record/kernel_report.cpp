// SPDX-License-Identifier: Apache-2.0
#include "harness/record/kernel_report.h"

namespace alsbench {
namespace {

// Calls visit(name, member) for each field of these parts, in the order they are written.
template <class Visit>
void each_field(KernelParts parts, const Visit& visit) {
  const auto field = [&](KernelParts part, const char* name, const auto member) {
    if ((parts & part) != 0) visit(name, member);
  };
  field(kKernelLaunch, "instance", &KernelReport::instance);
  field(kKernelResources, "registers", &KernelReport::registers);
  field(kKernelResources, "spill_store_bytes", &KernelReport::spill_store_bytes);
  field(kKernelResources, "spill_load_bytes", &KernelReport::spill_load_bytes);
  field(kKernelResources, "stack_bytes", &KernelReport::stack_bytes);
  field(kKernelResources, "static_shared_bytes", &KernelReport::static_shared_bytes);
  field(kKernelResources, "dynamic_shared_bytes", &KernelReport::dynamic_shared_bytes);
  field(kKernelResources, "block", &KernelReport::block);
  field(kKernelLaunch, "grid", &KernelReport::grid);
  field(kKernelResources, "blocks_per_multiprocessor", &KernelReport::blocks_per_multiprocessor);
  field(kKernelResources, "occupancy", &KernelReport::occupancy);
  field(kKernelResources, "code_hash", &KernelReport::code_hash);
  field(kKernelBuild, "compile_seconds", &KernelReport::compile_seconds);
  field(kKernelBuild, "from_cache", &KernelReport::from_cache);
}

Json value_of(double value) { return json_of(value); }
template <class T>
Json value_of(const T& value) {
  return value;
}

void read(const JsonField& json, std::string& value) { value = json.text(); }
void read(const JsonField& json, int& value) { value = json.integer32(); }
void read(const JsonField& json, int64_t& value) { value = json.integer(); }
void read(const JsonField& json, double& value) { value = json.number_or_nan(); }
void read(const JsonField& json, bool& value) { value = json.boolean(); }

}  // namespace

Json to_json(const KernelReport& report, KernelParts parts) {
  Json json = Json::object();
  each_field(parts,
             [&](const char* name, const auto member) { json[name] = value_of(report.*member); });
  return json;
}

KernelReport kernel_report_from_json(const JsonField& json, KernelParts parts) {
  KernelReport report;
  each_field(parts,
             [&](const char* name, const auto member) { read(json.at(name), report.*member); });
  return report;
}

}  // namespace alsbench
