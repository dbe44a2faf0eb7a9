// SPDX-License-Identifier: Apache-2.0
#include "harness/record/kernel_report.h"

#include <map>

namespace alsbench {
namespace {

// Declares the fields of some parts.
class Parts {
 public:
  Parts(Fields<KernelReport>& fields, KernelParts parts) : fields_(fields), parts_(parts) {}
  template <class M>
  void operator()(KernelParts part, const char* name, M KernelReport::*member,
                  const char* doc = "") {
    if ((parts_ & part) == 0) return;
    FieldOptions options = fields_(name, member, doc);
    if constexpr (std::is_same_v<M, double>) options.nullable();
  }

 private:
  Fields<KernelReport>& fields_;
  KernelParts parts_;
};

void describe_parts(Fields<KernelReport>& fields, KernelParts parts) {
  Parts field(fields, parts);
  field(kKernelLaunch, "instance", &KernelReport::instance);
  field(kKernelResources, "registers", &KernelReport::registers, "a thread");
  field(kKernelResources, "spill_store_bytes", &KernelReport::spill_store_bytes, "a thread");
  field(kKernelResources, "spill_load_bytes", &KernelReport::spill_load_bytes, "a thread");
  field(kKernelResources, "stack_bytes", &KernelReport::stack_bytes, "a thread");
  field(kKernelResources, "static_shared_bytes", &KernelReport::static_shared_bytes, "a block");
  field(kKernelResources, "dynamic_shared_bytes", &KernelReport::dynamic_shared_bytes, "a block");
  field(kKernelResources, "block", &KernelReport::block, "threads");
  field(kKernelLaunch, "grid", &KernelReport::grid, "blocks");
  field(kKernelResources, "blocks_per_multiprocessor", &KernelReport::blocks_per_multiprocessor);
  field(kKernelResources, "occupancy", &KernelReport::occupancy,
        "resident threads over the multiprocessor's maximum");
  field(kKernelResources, "code_hash", &KernelReport::code_hash, "of the machine code");
  field(kKernelBuild, "compile_seconds", &KernelReport::compile_seconds, "0 from the cache");
  field(kKernelBuild, "from_cache", &KernelReport::from_cache);
}

const RecordType& type_of_parts(KernelParts parts) {
  static const auto types = [] {
    std::map<KernelParts, RecordType> all;
    for (KernelParts each = 1; each <= kWholeKernel; ++each) {
      Fields<KernelReport> fields(all[each]);
      describe_parts(fields, each);
    }
    return all;
  }();
  return types.at(parts);
}

}  // namespace

void describe(Fields<KernelReport>& fields) { describe_parts(fields, kWholeKernel); }

Json to_json(const KernelReport& report, KernelParts parts) {
  return type_of_parts(parts).write(&report);
}

KernelReport kernel_report_from_json(const JsonField& json, KernelParts parts) {
  KernelReport report;
  type_of_parts(parts).read(json, &report);
  return report;
}

}  // namespace alsbench
