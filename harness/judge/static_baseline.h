// SPDX-License-Identifier: Apache-2.0
// The static baseline: what the compiler makes of every CUDA variant's default configuration, and
// of the default pipelines, on one architecture. It is kept in results/static/<arch>.json and
// compared without a GPU.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/core_codecs.h"
#include "harness/record/kernel_report.h"
#include "harness/record/outcome.h"

namespace alsbench {

// One kernel launch at one rank, or why there is none. It belongs to a variant's default
// configuration, or to the default pipeline where the variant's name begins with "default/".
struct StaticKernel {
  std::string variant;
  Config config;
  int32_t rank = 0;
  int32_t launch = 0;                               // its number in the kernel plan
  Outcome outcome = Outcome::ok;                    // ok, skipped or compile_error
  std::string detail = {};                          // the objection, or the compiler's complaint
  std::optional<KernelResourceReport> report = {};  // where the outcome is ok
  std::string source_hash = {};  // of what it was compiled from (source_hashes); empty: it was not

  std::string name() const;  // "hermitian/naive/cuda rank:100 #0"; the identity
};

struct StaticBaseline {
  std::string arch;      // "sm_90"
  std::string compiler;  // "nvrtc 13.0.88"
  std::vector<int32_t> ranks;
  std::vector<StaticKernel> kernels;
};

// Verdicts of a kernel's comparison, in the order in which findings are listed.
enum class StaticVerdict { failed, missing, added, regressed, improved, code_changed, same };
constexpr auto enum_names(StaticVerdict) {
  return std::to_array<EnumName<StaticVerdict>>(
      {{StaticVerdict::added, "new"}, {StaticVerdict::code_changed, "code-changed"}});
}

struct StaticFinding {
  StaticVerdict verdict = StaticVerdict::same;
  std::string kernel;              // StaticKernel::name
  std::string detail;              // what changed: "registers 40 -> 72, occupancy 75% -> 44%"
  bool cross_environment = false;  // the compilers differ
};

// One finding a kernel, the gravest first. A kernel is `regressed` when one of its resources is
// worse by the rule of kernel_resources.h. It is `improved` when one is better and none worse. It
// is `code_changed` when anything else differs.
std::vector<StaticFinding> compare_static(const StaticBaseline& base, const StaticBaseline& test);

struct StaticCount {
  StaticVerdict verdict = StaticVerdict::same;
  int64_t count = 0;  // findings
};

// A baseline compared with what this program compiles.
struct StaticComparison {
  std::string baseline;  // file
  std::string arch, base_compiler, test_compiler;
  int64_t compiled = 0, known = 0;  // launches; known: of the baseline's sources and compiler
  std::vector<StaticCount> counts;  // one a verdict
  std::vector<StaticFinding> findings;
};

// The document of `compile --against`.
struct StaticComparisonDocument {
  std::vector<StaticComparison> comparisons;
};

void describe(Fields<StaticKernel>& fields);
void describe(Fields<StaticBaseline>& fields);  // the same bytes on every machine
void describe(Fields<StaticFinding>& fields);
void describe(Fields<StaticCount>& fields);
void describe(Fields<StaticComparison>& fields);
void describe(Fields<StaticComparisonDocument>& fields);

// Throw BaselineError naming `source` when it is no static baseline, damaged or of another schema.
StaticBaseline static_baseline_from_json(const Json& json, const std::string& source);
StaticBaseline read_static_baseline(const std::filesystem::path& path);

}  // namespace alsbench
