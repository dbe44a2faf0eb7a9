// SPDX-License-Identifier: Apache-2.0
// The strip of known bytes behind a buffer. Sanitizers find writes behind an allocation by
// themselves, if nothing of it lies there: with ALSBENCH_FENCES=off in the environment nothing
// does.
#pragma once

#include <cstdint>

namespace alsbench {

int64_t bytes_of_fence_behind(int64_t fence_bytes);  // these, or none

}  // namespace alsbench
