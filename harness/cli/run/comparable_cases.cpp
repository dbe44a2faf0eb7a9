// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/comparable_cases.h"

#include <fmt/format.h>

#include <map>

#include "harness/device/device.h"
#include "harness/device/device_selection.h"

namespace alsbench {

std::string early_objection(const Case& c, const std::string& cuda_unavailable) {
  if (c.backend == Backend::cuda && !cuda_unavailable.empty()) return cuda_unavailable;
  if (c.trains()) return "";
  Shape shape;
  shape.rank = c.problem.rank;
  static std::map<std::string, DeviceTraits> traits;
  if (!traits.contains(c.device)) traits[c.device] = local_device_traits(c.device);
  return objection_of(*c.variant, c.config, shape, traits.at(c.device)).value_or("");
}

int64_t comparable_cases(const std::vector<Case>& cases, const std::string& cuda_unavailable) {
  int64_t count = 0;
  for (const Case& c : cases)
    if (!c.peer && early_objection(c, cuda_unavailable).empty())
      count += c.train ? 1 : static_cast<int64_t>(c.modes.size());
  return count;
}

std::string launches_text(const std::string& suite, int64_t cases, int64_t needed) {
  return fmt::format("{} has {} case{}: {} launches per side are needed", suite, cases,
                     cases == 1 ? "" : "s", needed);
}

}  // namespace alsbench
