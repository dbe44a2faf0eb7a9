// SPDX-License-Identifier: Apache-2.0
// hermitian/planted/cuda: a correct kernel that does some of its work twice. Hidden: run only when
// named.
#include <fmt/format.h>

#include "tests/chaos/families.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

constexpr int kThreads = 256;

int64_t grid(const Config& config, const Shape& shape) {
  const int64_t entries = int64_t{shape.rank} * shape.rank;
  const int64_t needed = shape.launch_rows() * ((entries + kThreads - 1) / kThreads);
  return needed + static_cast<int64_t>(static_cast<double>(needed) * config.number("extra") / 100);
}

}  // namespace

void add_planted_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::hermitian,
               .name = "planted",
               .backend = Backend::cuda,
               .summary = "slower on purpose, to test comparisons",
               .space = {{.name = "extra",
                          .values = {0},
                          .description = "percent of the work that is done twice",
                          .open = true,
                          .unnamed = true},
                         {.name = "code",
                          .values = {1, 2},
                          .description = "2 is other code of the same speed",
                          .unnamed = true}},
               .objection = [](const Config& config, const Shape& shape,
                               const DeviceTraits&) -> std::optional<std::string> {
                 if (grid(config, shape) <= INT32_MAX) return std::nullopt;
                 return "needs more blocks than a grid holds; use smaller batches";
               },
               .plan =
                   [](const Config& config, const Shape& shape, const DeviceTraits&) {
                     KernelLaunch launch;
                     launch.source = "tests/chaos/kernels/planted.cuh";
                     launch.instance = fmt::format("alsbench::planted_hermitian<{}, {}, {}>",
                                                   shape.rank, kThreads, config.get("code"));
                     launch.grid = grid(config, shape);
                     launch.block = kThreads;
                     return KernelPlan{{launch}, 0};
                   },
               .hidden = true});
}

}  // namespace alsbench
