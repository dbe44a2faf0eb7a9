// SPDX-License-Identifier: Apache-2.0
#include "harness/record/kernel_report.h"

namespace alsbench {
namespace {

// Of a double: null where it is not known.
template <class T, class M>
void add(Fields<T>& fields, const char* name, M KernelReport::*member, const char* doc = "") {
  FieldOptions options = fields(name, member, doc);
  if constexpr (std::is_same_v<M, double>) options.nullable();
}

// `T` is a KernelReport.
template <class T>
void describe_resources(Fields<T>& fields) {
  add(fields, "registers", &KernelReport::registers, "a thread");
  add(fields, "spill_store_bytes", &KernelReport::spill_store_bytes, "a thread");
  add(fields, "spill_load_bytes", &KernelReport::spill_load_bytes, "a thread");
  add(fields, "stack_bytes", &KernelReport::stack_bytes, "a thread");
  add(fields, "static_shared_bytes", &KernelReport::static_shared_bytes, "a block");
  add(fields, "dynamic_shared_bytes", &KernelReport::dynamic_shared_bytes, "a block");
  add(fields, "block", &KernelReport::block, "threads");
  add(fields, "blocks_per_multiprocessor", &KernelReport::blocks_per_multiprocessor);
  add(fields, "occupancy", &KernelReport::occupancy,
      "resident threads over the multiprocessor's maximum");
  add(fields, "code_hash", &KernelReport::code_hash, "of the machine code");
}

template <class T>
void describe_build(Fields<T>& fields) {
  add(fields, "compile_seconds", &KernelReport::compile_seconds, "0 from the cache");
  add(fields, "from_cache", &KernelReport::from_cache);
}

}  // namespace

void describe(Fields<KernelReport>& fields) {
  add(fields, "instance", &KernelReport::instance);
  describe_resources(fields);
  add(fields, "grid", &KernelReport::grid, "blocks");
  describe_build(fields);
}

void describe(Fields<KernelResourceReport>& fields) { describe_resources(fields); }

void describe(Fields<KernelBuildReport>& fields) {
  describe_resources(fields);
  describe_build(fields);
}

}  // namespace alsbench
