// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/strategies_document.h"

#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<StrategiesDocument::Row>& fields) {
  using R = StrategiesDocument::Row;
  using Kind = Range::Kind;
  fields.record("strategy", "A strategy on one space.");
  fields("tool", &R::tool, "alsbench or kernel_tuner");
  fields("strategy", &R::strategy);
  fields("seeds", &R::seeds).range(Kind::from_1);
  fields("within_tenth", &R::within_tenth,
         "seeds that found a near point within a tenth of the points")
      .range(Kind::from_0);
  fields("median_evaluations", &R::median_evaluations,
         "to the first near point; null: not in most seeds");
  fields("evaluations", &R::evaluations, "the same of each seed");
  fields("median_curve", &R::median_curve,
         "best so far over the best recorded, after each evaluation");
  fields(
      "median_regret", &R::median_regret,
      "time of the pick of a search of a tenth of the points over the best recorded, median over "
      "seeds; null: not asked for a pick");
  fields("worst_regret", &R::worst_regret, "the same of the worst seed");
}

void describe(Fields<StrategiesDocument::LeftOut>& fields) {
  fields("strategy", &StrategiesDocument::LeftOut::strategy);
  fields("reason", &StrategiesDocument::LeftOut::reason);
}

void describe(Fields<StrategiesDocument::Space>& fields) {
  using S = StrategiesDocument::Space;
  using Kind = Range::Kind;
  fields.record("recorded_space", "A recorded space.");
  fields("recording", &S::recording, "its file");
  fields("points", &S::points).range(Kind::from_1);
  fields("device", &S::device);
  fields("near_points", &S::near_points, "within that share of the best").range(Kind::from_1);
  fields("most_evaluations", &S::max_evaluations,
         "a strategy was stopped after as many distinct points")
      .range(Kind::from_1);
  fields("default_over_best", &S::default_over_best).range(Kind::from_1);
  fields("provenance", &S::provenance, "of the recording");
  fields("strategies", &S::strategies);
  fields("left_out", &S::left_out);
}

void describe(Fields<StrategiesDocument>& fields) {
  using D = StrategiesDocument;
  fields.record("", "Search strategies on recorded spaces (`scripts/compare_strategies.py`).");
  describe_document(fields, "strategies");
  fields("git_commit", &D::git_commit);
  fields("kernel_tuner", &D::kernel_tuner, "its version; null where it was not run").nullable();
  fields("within", &D::within, "a point counts as found within this share of the best recorded");
  fields("spaces", &D::spaces);
}

}  // namespace alsbench
