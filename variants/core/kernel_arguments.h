// SPDX-License-Identifier: Apache-2.0
// KernelArguments: the arguments of a kernel whose signature only its description knows: pointers
// and scalars, each in a slot of its own. All other stages have a struct of kernels/shared.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

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

// Where each argument lies in `params`: of a struct, that itself. Takes no memory, since samples
// are timed around it.
inline std::array<void*, KernelArguments::kMaxCount> argument_pointers(const StageParams& params) {
  std::array<void*, KernelArguments::kMaxCount> pointers{};
  pointers[0] = const_cast<void*>(params.data());
  if (!params.holds<KernelArguments>()) return pointers;
  const auto& arguments = params.as<KernelArguments>();
  for (size_t i = 0; i < static_cast<size_t>(arguments.count); ++i)
    pointers[i] = const_cast<uint64_t*>(&arguments.slots[i]);
  return pointers;
}

}  // namespace alsbench
