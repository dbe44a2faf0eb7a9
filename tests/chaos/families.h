// SPDX-License-Identifier: Apache-2.0
// Variants that fail or are slow on purpose. No program that is shipped has them: who links the
// library alsbench_chaos_variants does.
#pragma once

#include "variants/catalog.h"

namespace alsbench {

void add_chaos_cpu(Catalog& catalog);
void add_chaos_cuda(Catalog& catalog);
void add_planted_cpu(Catalog& catalog);
void add_planted_cuda(Catalog& catalog);

}  // namespace alsbench
