// SPDX-License-Identifier: Apache-2.0
// A choice between two types, as std::conditional: kernels include no standard headers. The type
// that is not chosen need not be complete.
#pragma once

namespace alsbench {

template <bool kFirst, typename First, typename Second>
struct Choice {
  using Type = First;
};
template <typename First, typename Second>
struct Choice<false, First, Second> {
  using Type = Second;
};

}  // namespace alsbench
