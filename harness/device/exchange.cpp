// SPDX-License-Identifier: Apache-2.0
#include "harness/device/exchange.h"

#include <algorithm>

namespace alsbench {

void Exchange::all_reduce_max(int member, uint32_t* words, int64_t count) {
  combine(*this, member, words, count, [](uint32_t a, uint32_t b) { return std::max(a, b); });
}

}  // namespace alsbench
