// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "harness/custom/memory.h"
#include "variants/core/expression.h"

namespace alsbench::custom {

Limits extents_in(const OneOrMore<TextOrNumber>& expressions, const Config& names,
                  const Limits& limits) {
  Limits extents{1, 1, 1};
  if (expressions.values.size() > extents.size())
    throw UsageError("has more than three extents: they are along x, y and z");
  for (size_t i = 0; i < expressions.values.size(); ++i) {
    const std::string& text = expressions.values[i].text;
    extents[i] = whole_number(text, names, 1);
    if (extents[i] > limits[i])
      throw UsageError(fmt::format("'{}' is {} with {}; CUDA takes at most {} along {}", text,
                                   extents[i], names.text(), limits[i], "xyz"[i]));
  }
  return extents;
}

Limits threads_in(const OneOrMore<TextOrNumber>& block, const Config& names) {
  const Limits threads = extents_in(block, names, kBlockLimits);
  if (const int64_t all = threads[0] * threads[1] * threads[2]; all > kBlockLimits[0])
    throw UsageError(fmt::format("is {} threads with {}, and CUDA takes at most {} a block", all,
                                 names.text(), kBlockLimits[0]));
  return threads;
}

std::string function_of(const Kernel& kernel, const Config& config) {
  if (kernel.parameters == ParametersAs::macros || config.entries().empty()) return kernel.function;
  std::vector<std::string> values;
  for (const auto& [name, value] : config.entries()) values.push_back(value);
  return fmt::format("{}<{}>", kernel.function, fmt::join(values, ", "));
}

std::vector<std::string> compiler_options(const Kernel& kernel, const Config& config) {
  std::vector<std::string> options;
  if (kernel.parameters == ParametersAs::macros)
    for (const auto& [name, value] : config.entries())
      options.push_back(fmt::format("-D{}={}", name, value));
  options.insert(options.end(), kernel.options.begin(), kernel.options.end());
  return options;
}

std::string instance_of(const Kernel& kernel, const Config& config) {
  std::string text = function_of(kernel, config);
  for (const std::string& option : compiler_options(kernel, config)) text += " " + option;
  return text;
}

namespace {

std::optional<std::string> launch_objection(const Kernel& kernel, const Config& names,
                                            const DeviceTraits& traits) {
  extents_in(kernel.grid, names, kGridLimits);
  try {
    threads_in(kernel.block, names);
  } catch (const UsageError& error) {
    return fmt::format("a block {}", error.what());
  }
  const std::string& text = kernel.shared_bytes.text;
  const int64_t shared = text.empty() ? 0 : whole_number(text, names, 0);
  if (shared > traits.shared_bytes_per_block)
    return fmt::format("{} bytes of shared memory, and a block has at most {}", shared,
                       traits.shared_bytes_per_block);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> objection(const KernelFile& file, const Kernel& kernel,
                                     const Config& names, const DeviceTraits& traits) {
  for (const auto& [name, size] : file.problems.front().entries())
    if (!names.has(name))
      return fmt::format("reads no ratings: its problems have sizes, such as {}",
                         file.problems.front().text());
  try {
    for (const TuningCondition& one : kernel.space.conditions)
      if (!Condition(one.expression).holds(names))
        return fmt::format("the condition {} does not hold", one.expression);
    for (const Argument& argument : file.arguments) extents_of(argument, names);
    Config sizes;
    for (const auto& [name, size] : file.problems.front().entries())
      sizes.set(name, names.get(name));
    if (const auto found = misfit(file, sizes, traits)) return found->why;
    return traits.backend == Backend::cuda ? launch_objection(kernel, names, traits) : std::nullopt;
  } catch (const UsageError& error) {
    return error.what();
  }
}

KernelPlan plan(const KernelFile& file, const Kernel& kernel, const Config& config,
                const Config& sizes) {
  const Config names = with_entries(sizes, config);
  const Limits grid = extents_in(kernel.grid, names, kGridLimits);
  const Limits block = extents_in(kernel.block, names, kBlockLimits);
  KernelLaunch launch;
  launch.source = file.name + "/" + kernel.file;
  launch.instance = instance_of(kernel, config);
  launch.grid = grid[0];
  launch.grid_yz = {static_cast<int>(grid[1]), static_cast<int>(grid[2])};
  launch.block = static_cast<int>(block[0]);
  launch.block_yz = {static_cast<int>(block[1]), static_cast<int>(block[2])};
  const std::string& shared = kernel.shared_bytes.text;
  launch.shared_bytes = shared.empty() ? 0 : whole_number(shared, names, 0);
  return {{launch}};
}

}  // namespace alsbench::custom
