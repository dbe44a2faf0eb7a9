// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/kernel_header.h"

#include <fmt/format.h>

#include <cctype>

#include "variants/als/plan_arguments.h"

namespace alsbench {
namespace {

constexpr std::string_view kIncludes = R"(#pragma once

#include <array>
#include <cstdint>

)";

constexpr std::string_view kTypes = R"(
// A kernel and how it is launched; the launches of a step run in order on one stream, each with the
// stage's params struct by value, of which `plan` is the step's kArguments.
struct Launch {
  const char* source;    // from the root of alsbench's repository
  const char* instance;  // template instance, an NVRTC name expression
  std::int64_t grid;     // blocks
  int block;             // threads
  std::int64_t shared_bytes;   // dynamic shared memory
  int clear_workspace_bytes;   // leading bytes of the workspace to set to zero before
};

// alsbench's PlanArguments (kernels/shared/params/als.h), field by field.
struct Arguments {
  std::int32_t cg_steps;
  float cg_tolerance;
  struct {
    std::int32_t chunk, ordered, listed_above, all_listed, short_ratings;
    std::int64_t items_at, split_rows_at, sums_at;
  } pieces;
  std::int64_t factors_at;
};
)";

// A text as a C++ string literal.
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// One line of a comment, whatever the text holds.
std::string comment(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\\') c = ' ';
  return "// " + text + "\n";
}

// cache_mode -> kCacheMode
std::string constant_name(const std::string& parameter) {
  std::string name = "k";
  bool upper = true;
  for (const char c : parameter) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) name += upper ? static_cast<char>(std::toupper(byte)) : c;
    upper = std::isalnum(byte) == 0;
  }
  return name;
}

// The declaration of a parameter, typed by what its value looks like.
std::string constant(const std::string& name, const std::string& value) {
  const bool number = !value.empty() &&
                      value.find_first_not_of("0123456789.e-+") == std::string::npos &&
                      std::isdigit(static_cast<unsigned char>(value.front())) != 0;
  const bool whole = number && value.find_first_not_of("0123456789") == std::string::npos;
  const char* type = whole ? "int" : number ? "double" : "const char*";
  return fmt::format("inline constexpr {} {} = {};\n", type, constant_name(name),
                     number ? value : literal(value));
}

std::string step_text(const PipelineStep& step, const Shape& shape, const DeviceTraits& traits) {
  const KernelPlan plan =
      step.variant->plan ? step.variant->plan(step.config, shape, traits) : KernelPlan{};
  std::string text = fmt::format("\nnamespace {} {{\n", name_of(step.variant->stage));
  text += fmt::format("inline constexpr const char* kVariant = {};\n", literal(step.variant->id()));
  text += fmt::format("inline constexpr const char* kConfiguration = {};\n",
                      literal(step.config.text()));
  for (const auto& [name, value] : step.config.entries()) text += constant(name, value);
  text +=
      fmt::format("inline constexpr std::int64_t kWorkspaceBytes = {};\n", plan.workspace_bytes);
  const PlanArguments arguments = arguments_of(plan);
  const PieceLayout& pieces = arguments.pieces;
  text += fmt::format(
      "inline constexpr Arguments kArguments{{{}, static_cast<float>({}), {{{}, {}, {}, {}, {}, "
      "{}, {}, {}}}, {}}};\n",
      arguments.cg_steps, arguments.cg_tolerance, pieces.chunk, pieces.ordered, pieces.listed_above,
      pieces.all_listed, pieces.short_ratings, pieces.items_at, pieces.split_rows_at,
      pieces.sums_at, arguments.factors_at);
  text += fmt::format("inline constexpr std::array<Launch, {}> kLaunches{{{}", plan.launches.size(),
                      plan.launches.empty() ? "" : "{\n");
  for (const KernelLaunch& launch : plan.launches)
    text += fmt::format("    {{{},\n     {},\n     {}, {}, {}, {}}},\n", literal(launch.source),
                        literal(launch.instance), launch.grid, launch.block, launch.shared_bytes,
                        launch.clear_workspace_bytes);
  text += fmt::format("{}}};\n}}  // namespace {}\n", plan.launches.empty() ? "" : "}",
                      name_of(step.variant->stage));
  return text;
}

}  // namespace

std::string kernel_header(const std::vector<HeaderPick>& picks, const DeviceTraits& traits,
                          const std::string& name_space) {
  std::string text = comment("Written by `alsbench best --header` " ALSBENCH_VERSION ", for " +
                             traits.name + "; not meant to be edited.");
  text += kIncludes;
  text += fmt::format("namespace {} {{\n", name_space);
  text += kTypes;
  for (const HeaderPick& pick : picks) {
    const std::string& part = pick.part;
    text += fmt::format("\n{}namespace {} {{\n", comment(pick.remark), part);
    text += fmt::format("inline constexpr int kRank = {};\n", pick.shape.rank);
    text += "// Grids below are for this many rows a launch.\n";
    text += fmt::format("inline constexpr std::int64_t kRows = {};\n", pick.shape.launch_rows());
    for (const PipelineStep& step : pick.steps) text += step_text(step, pick.shape, traits);
    text += fmt::format("\n}}  // namespace {}\n", part);
  }
  return text + fmt::format("\n}}  // namespace {}\n", name_space);
}

}  // namespace alsbench
