// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/inspect/compile_document.h"

#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<LaunchReport>& fields) {
  fields.record("compiled_kernel", "One launch of one point on one architecture.");
  fields("variant", &LaunchReport::variant);
  fields("config", &LaunchReport::config);
  fields("arch", &LaunchReport::arch);
  fields("source", &LaunchReport::source);
  fields("instance", &LaunchReport::instance);
  fields("outcome", &LaunchReport::outcome, "ok or compile_error");
  fields("detail", &LaunchReport::detail, "the compiler's complaint").nullable();
  fields("report", &LaunchReport::report, "null: it did not compile");
}

void describe(Fields<SkippedPoint>& fields) {
  fields("variant", &SkippedPoint::variant);
  fields("config", &SkippedPoint::config);
  fields("arch", &SkippedPoint::arch);
  fields("objection", &SkippedPoint::objection);
}

void describe(Fields<CompileDocument>& fields) {
  fields.record("", "Resources and code of every kernel: `alsbench compile`.");
  describe_document(fields, "compile");
  fields("nvrtc", &CompileDocument::nvrtc, "its release");
  fields("rank", &CompileDocument::rank).range(Range::Kind::from_1);
  fields("kernels", &CompileDocument::kernels);
  fields("skipped", &CompileDocument::skipped,
         "points that object to the architecture or the rank");
}

}  // namespace alsbench
