// SPDX-License-Identifier: Apache-2.0
#include "harness/device/compile_requests.h"

#include <utility>

namespace alsbench {

std::vector<CompileRequest> requests_of(const KernelPlan& plan, int architecture) {
  std::vector<CompileRequest> requests;
  for (const KernelLaunch& launch : plan.launches)
    requests.push_back({launch.source, launch.instance, architecture});
  return requests;
}

void add_requests(std::vector<CompileRequest>& requests, const Variant& variant,
                  const Config& config, const Shape& shape, const DeviceTraits& traits) {
  if (!variant.plan || objection_of(variant, config, shape, traits)) return;
  const KernelPlan plan = variant.plan(config, shape, traits);
  for (CompileRequest& request : requests_of(plan, traits.architecture))
    requests.push_back(std::move(request));
}

}  // namespace alsbench
