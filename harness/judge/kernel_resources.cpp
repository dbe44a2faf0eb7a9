// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/kernel_resources.h"

#include <cmath>

namespace alsbench {

KernelResources resources_of(const KernelReport& report) {
  const auto local = report.stack_bytes + report.spill_store_bytes + report.spill_load_bytes;
  const auto shared = report.static_shared_bytes + report.dynamic_shared_bytes;
  return {static_cast<double>(report.registers), static_cast<double>(local),
          static_cast<double>(shared), std::isfinite(report.occupancy) ? report.occupancy : -1};
}

std::vector<FigureChange> resource_changes(const KernelResources& base,
                                           const KernelResources& test) {
  std::vector<FigureChange> changes;
  // `cost` is +1 where more is worse, -1 where less is worse and 0 where it is only told.
  const auto look_at = [&](const char* name, double KernelResources::*field, int cost) {
    const double from = base.*field, to = test.*field;
    if (from < 0 || to < 0 || from == to) return;
    changes.push_back({name, from, to, cost * (to - from) > 0, cost * (to - from) < 0, true});
  };
  look_at("registers", &KernelResources::registers, 0);
  look_at("occupancy", &KernelResources::occupancy, -1);
  look_at("local_bytes", &KernelResources::local_bytes, 1);
  look_at("shared_bytes", &KernelResources::shared_bytes, 0);
  return changes;
}

}  // namespace alsbench
