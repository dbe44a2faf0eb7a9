// SPDX-License-Identifier: Apache-2.0
// CompileDocument: what the compiler made of each kernel, as `alsbench compile --json` writes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/core_codecs.h"
#include "harness/record/kernel_report.h"
#include "harness/record/outcome.h"

namespace alsbench {

// One launch of one point on one architecture.
struct LaunchReport {
  std::string variant;
  Config config;
  std::string arch, source, instance;
  Outcome outcome = Outcome::ok;                 // ok or compile_error
  std::string detail = {};                       // the compiler's complaint
  std::optional<KernelBuildReport> report = {};  // where the outcome is ok
};

// A point that objects to the architecture or the rank.
struct SkippedPoint {
  std::string variant;
  Config config;
  std::string arch, objection;
};

struct CompileDocument {
  std::string nvrtc;  // its release
  int32_t rank = 0;
  std::vector<LaunchReport> kernels = {};
  std::vector<SkippedPoint> skipped = {};
};

void describe(Fields<LaunchReport>& fields);
void describe(Fields<SkippedPoint>& fields);
void describe(Fields<CompileDocument>& fields);

}  // namespace alsbench
