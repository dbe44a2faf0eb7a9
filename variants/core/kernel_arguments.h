// SPDX-License-Identifier: Apache-2.0
// KernelArguments: the arguments of a kernel whose signature only its description knows: pointers
// and scalars, each in a slot of its own. All other stages have a struct of kernels/shared.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "variants/core/stage_params.h"

namespace alsbench {

struct KernelArguments {
  static constexpr int kMaxCount = 32;

  int count = 0;
  std::array<uint64_t, kMaxCount> slots{};  // a pointer, or a scalar in the first bytes

  template <class T>
  void add(const T& value) {
    static_assert(sizeof(T) <= sizeof(uint64_t));
    std::memcpy(&slots[static_cast<size_t>(count++)], &value, sizeof(T));
  }
};

// Where each argument lies in `params`: of a struct, that itself.
inline std::vector<void*> argument_pointers(const StageParams& params) {
  if (!params.holds<KernelArguments>()) return {const_cast<void*>(params.data())};
  const auto& arguments = params.as<KernelArguments>();
  std::vector<void*> pointers;
  for (int i = 0; i < arguments.count; ++i)
    pointers.push_back(const_cast<uint64_t*>(&arguments.slots[static_cast<size_t>(i)]));
  return pointers;
}

}  // namespace alsbench
