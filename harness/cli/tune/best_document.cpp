// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/tune/best_document.h"

#include "harness/record/core_codecs.h"
#include "harness/record/document.h"
#include "harness/record/schema_version.h"

namespace alsbench {

void describe(Fields<BestPick>& fields) {
  using P = BestPick;
  fields.record("pick", "The answer for one part.");
  fields("part", &P::part);
  fields("level", &P::level, "of the database that served, or default");
  fields("reason", &P::reason);
  fields("stale", &P::stale, "the code has changed since it was measured");
  fields("shape", &P::shape);
  fields("pick", &P::pick);
  fields("entry", &P::entry, "of the database; null at level default");
}

void describe(Fields<BestDocument>& fields) {
  using D = BestDocument;
  fields.record("", "Choices of the tuning database (`alsbench best`).");
  describe_document(fields, "best");
  fields("training", &D::training);
  fields("device", &D::device);
  fields("what", &D::what, "a stage, one of its variants (stage/variant), or pipeline");
  fields("objective", &D::goal);
  fields("picks", &D::picks, "one a part").range(Range::Kind::not_empty);
}

}  // namespace alsbench
