// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/memory_report.h"

#include <fmt/format.h>

#include "harness/cli/text_table.h"

namespace alsbench {
namespace {

std::string mib(int64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

std::string conclusion(const MemoryPlan& plan) {
  const std::string sum = fmt::format("{} MiB of {} MiB that are free on {}",
                                      mib(plan.device_bytes), mib(plan.free_bytes), plan.device);
  const std::string most =
      plan.largest_rank > 0
          ? fmt::format("the largest rank that fits is {}", plan.largest_rank)
          : std::string("no rank fits; choose a smaller problem or a device with more memory");
  if (!plan.fits) return fmt::format("rank {} needs at least {}: {}\n", plan.rank, sum, most);
  return fmt::format(
      "rank {} takes {}{}; {}\n", plan.rank, sum,
      plan.streams ? ", and reads the ratings that it does not hold from the host" : "", most);
}

}  // namespace

std::string text_of(const MemoryPlan& plan) {
  TextTable table({"memory", "what", "MiB"});
  for (const MemoryPart& part : plan.on_device)
    table.add({plan.on_host ? "host" : "device", part.name, mib(part.bytes)});
  for (const MemoryPart& part : plan.host) table.add({"host", part.name, mib(part.bytes)});
  return table.text() + wrapped_to_terminal(conclusion(plan));
}

}  // namespace alsbench
