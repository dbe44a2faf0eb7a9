// SPDX-License-Identifier: Apache-2.0
// Tests of every variant of the catalog. Each is registered by name when the program starts: a
// suite for a variant, such as solve_cg_cuda, with the tests rank1, rank10 and so on.
#pragma once

#include <functional>
#include <string>

#include "variants/core/variant.h"

namespace alsbench::testing {

void register_test(const Variant& variant, const std::string& name, std::function<void()> body);

void register_contract();     // the results at every rank
void register_determinism();  // equal bits in equal executions

}  // namespace alsbench::testing
