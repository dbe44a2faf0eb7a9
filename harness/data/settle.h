// Brings the largest item degrees of drawn rows to their specification. Where many items share the
// largest expected degree (a distribution that is cut), the largest of their counts lies standard
// deviations above it. Used by the generator, after whoever drew the rows.
#pragma once

#include <cstdint>

namespace alsbench {

struct GeneratorPlan;

// The most ratings of an item: 2 % above the largest expected degree, or that degree rounded up.
int64_t largest_degree(const GeneratorPlan& plan);

// Items beyond the limit give ratings up to those that fall the furthest short of their
// expectation, row by row, so that row lengths stay and no cell comes twice. Changes nothing where
// no item is beyond it. The arrays are those of DrawRows. Deterministic by seed.
void settle_largest(const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
