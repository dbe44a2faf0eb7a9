// SPDX-License-Identifier: Apache-2.0
// The nearest index of [0, count).
#pragma once

__device__ inline int clamped(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }
