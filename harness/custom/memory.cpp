// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

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

// Adds the bytes of an argument to those of the ones before it. Throws UsageError where that is
// more than the room, or where its value is no number of its type.
void take(const Argument& argument, const Config& sizes, const Room& room, int64_t& total) {
  if (!argument.is_buffer()) return check_value(argument, sizes);
  const int64_t bytes = bytes_of(argument, sizes);
  total += bytes;
  if (total > room.bytes)
    throw UsageError(
        fmt::format("'{}' takes {} bytes with {}, {} with the arguments before it, and "
                    "{} {}; give smaller sizes by {}, or in 'problems'",
                    argument.name, bytes, sizes.text(), total, room.bytes, room.text, room.option));
}

std::optional<Misfit> misfit_in(const KernelFile& file, const Config& sizes, const Room& room) {
  std::string place;
  int64_t total = 0;
  try {
    for (size_t i = 0; i < file.arguments.size(); ++i) {
      const Argument& argument = file.arguments[i];
      place = fmt::format("/arguments/{}/{}", i, argument.is_buffer() ? "shape" : "value");
      take(argument, sizes, room, total);
    }
    for (const auto& [name, count] :
         {std::pair("flops", file.work.flops), std::pair("bytes", file.work.bytes)}) {
      place = fmt::format("/work/{}", name);
      if (count) check_count(*count, sizes);
    }
  } catch (const UsageError& error) {
    return Misfit{place, error.what()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Misfit> misfit(const KernelFile& file, const Config& sizes,
                             const DeviceTraits& traits, const std::string& option) {
  const int64_t known =
      traits.memory_bytes > 0 ? traits.memory_bytes : std::numeric_limits<int64_t>::max();
  return misfit_in(file, sizes, {known, "are the device's", option});
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
  return fmt::format("{}: {}: {}", (file.folder / "kernel.json").string(), found->place,
                     found->why);
}

}  // namespace alsbench::custom
