// SPDX-License-Identifier: Apache-2.0
// CsrFault: what is wrong with arrays that are said to be a Csr: those of a mapped file, or of
// another program's matrix.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/data/csr.h"

namespace alsbench {

enum class CsrFaultKind { falling_offsets, index_outside, unsorted, twice, not_finite };

struct CsrFault {
  CsrFaultKind kind = CsrFaultKind::falling_offsets;
  int64_t row = 0;
  int64_t entry = 0;  // of indices and values; that of `row` which is wrong
};

// The first of a kind, in the order of CsrFaultKind's groups: offsets, indices, values. `matrix`
// has rows + 1 offsets from 0 to nnz, and as many indices and values as that.
std::optional<CsrFault> find_fault(const Csr& matrix);

}  // namespace alsbench
