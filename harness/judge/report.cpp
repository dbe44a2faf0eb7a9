// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/report.h"

#include <utility>

#include "harness/judge/stories.h"

namespace alsbench {
ComparisonDocument document_of(Procedure procedure, Comparison comparison, Conclusion conclusion) {
  comparison.base = without_folder(comparison.base);
  comparison.test = without_folder(comparison.test);
  if (procedure != Procedure::aa) comparison.stories = stories_of(comparison);
  return {.procedure = procedure,
          .conclusion = conclusion,
          .comparison = std::move(comparison),
          .provenance = provenance()};
}

DesignRecord record_of(const TwoPhaseDesign& design) {
  return {.seed = design.seed,
          .screening_launches = design.screening_launches,
          .screening_alpha = kScreeningAlpha,
          .max_launches = design.max_launches,
          .looks = kMaxLooks,
          .budget_seconds = design.budget_seconds};
}

DesignRecord record_of(const TwoPhaseDesign& design, const Suite& suite) {
  DesignRecord record = record_of(design);
  record.suite = suite.name;
  record.suite_hash = suite.hash;
  return record;
}

}  // namespace alsbench
