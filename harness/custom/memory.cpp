// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "harness/custom/custom_stage.h"
#include "harness/files/host_memory.h"

namespace alsbench::custom {
namespace {

// Bytes that a problem may take, and the words of a message behind that number.
struct Room {
  int64_t bytes = 0;
  const char* text = "";
  std::string option;  // that gives smaller sizes
};

// Of an inout there are two: its content before the kernel is kept.
int64_t bytes_of(const Argument& argument, const Config& sizes) {
  int64_t bytes = size_of(argument.type) * (argument.use == Use::inout ? 2 : 1);
  for (const int64_t extent : extents_of(argument, sizes)) bytes *= extent;
  return bytes;
}

std::optional<Misfit> misfit_in(const KernelFile& file, const Config& sizes, const Room& room) {
  int64_t total = 0;
  for (size_t i = 0; i < file.arguments.size(); ++i) {
    const Argument& argument = file.arguments[i];
    if (!argument.is_buffer()) continue;
    try {
      const int64_t bytes = bytes_of(argument, sizes);
      total += bytes;
      if (total > room.bytes)
        return Misfit{i, fmt::format("'{}' takes {} bytes with {}, {} with the arguments before "
                                     "it, and {} {}; give smaller sizes by {}, or in "
                                     "'problems'",
                                     argument.name, bytes, sizes.text(), total, room.bytes,
                                     room.text, room.option)};
    } catch (const UsageError& error) {
      return Misfit{i, error.what()};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Misfit> misfit(const KernelFile& file, const Config& sizes,
                             const DeviceTraits& traits, const std::string& option) {
  if (traits.memory_bytes <= 0) return std::nullopt;
  return misfit_in(file, sizes, {traits.memory_bytes, "are the device's", option});
}

std::optional<std::string> memory_objection(Stage stage, const Config& sizes,
                                            const DeviceTraits& traits, const std::string& option) {
  if (stage->contract != kContract) return std::nullopt;
  const KernelFile& file = file_of(stage);
  const auto& first = file.problems.front().entries();
  if (!std::ranges::all_of(first, [&](const auto& entry) { return sizes.has(entry.first); }))
    return std::nullopt;  // of another stage
  auto found = misfit(file, sizes, traits, option);
  if (!found && traits.backend == Backend::cpu)
    found = misfit_in(file, sizes, {free_host_bytes(), "are free", option});
  if (!found) return std::nullopt;
  return fmt::format("{}: /arguments/{}/shape: {}", (file.folder / "kernel.json").string(),
                     found->argument, found->why);
}

}  // namespace alsbench::custom
