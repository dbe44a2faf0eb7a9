// SPDX-License-Identifier: Apache-2.0
// The static baseline: what the compiler makes of every CUDA variant's default configuration, and
// of the default pipelines, on one architecture. It is kept in results/static/<arch>.json and
// compared without a GPU.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/device.h"
#include "harness/record/journal.h"

namespace alsbench {

// One kernel launch at one rank, or why there is none: of a variant's default configuration, or
// where the variant's name begins with "default/" of the default pipeline.
struct StaticKernel {
  std::string variant, config;
  int32_t rank = 0;
  int launch = 0;              // its number in the kernel plan
  std::string outcome = "ok";  // "ok", "skipped" or "compile_error"
  std::string detail = {};     // the objection, or the compiler's complaint
  KernelReport report = {};    // where the outcome is ok
  // What it was compiled from (source_hashes); empty where it was not, or before schema 1.1.
  std::string source_hash = {};

  std::string name() const;  // "hermitian/naive/cuda rank:100 #0"; the identity
};

struct StaticBaseline {
  std::string arch;      // "sm_90"
  std::string compiler;  // NVRTC's release: "13.0.88"
  std::vector<int32_t> ranks;
  std::vector<StaticKernel> kernels;
};

// What a kernel's comparison came to, in the order in which findings are listed.
enum class StaticVerdict { failed, missing, added, regressed, improved, code_changed, same };
std::string_view name_of(StaticVerdict verdict);  // "code-changed"

struct StaticFinding {
  StaticVerdict verdict = StaticVerdict::same;
  std::string kernel;  // StaticKernel::name
  std::string detail;  // what changed: "registers 40 -> 72, occupancy 75% -> 44%"
};

// One finding a kernel, the gravest first. A kernel is `regressed` when one of its resources is
// worse by the rule of kernel_resources.h, `improved` when one got better and none worse, and
// `code_changed` when anything else about it differs.
std::vector<StaticFinding> compare_static(const StaticBaseline& base, const StaticBaseline& test);

Json to_json(const StaticBaseline& baseline);  // the same bytes on every machine
// Throw BaselineError naming `source` when it is no static baseline, damaged or of a newer schema.
StaticBaseline static_baseline_from_json(const Json& json, const std::string& source);
StaticBaseline read_static_baseline(const std::filesystem::path& path);

}  // namespace alsbench
