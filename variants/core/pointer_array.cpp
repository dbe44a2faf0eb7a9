// SPDX-License-Identifier: Apache-2.0
#include "variants/core/pointer_array.h"

#if ALSBENCH_WITH_CUDA

#include <map>
#include <tuple>

#include "kernels/vendor/memory.h"

namespace alsbench {
namespace {

// By slot: where the array is and what it holds.
using Uploaded = std::map<int, std::tuple<void*, const void*, int64_t, int64_t>>;

}  // namespace

void** pointer_array(const RunContext& context, int slot, const void* base, int64_t stride_bytes,
                     int64_t count) {
  if (!context.memo->has_value()) *context.memo = Uploaded();
  auto& uploaded = std::any_cast<Uploaded&>(*context.memo);
  void* target = context.scratch(slot, count * static_cast<int64_t>(sizeof(void*)));
  const auto wanted = std::make_tuple(target, base, stride_bytes, count);
  const auto known = uploaded.find(slot);
  if (known == uploaded.end() || known->second != wanted) {
    vendor::upload_pointers(context.stream, target, base, stride_bytes, count);
    uploaded[slot] = wanted;
  }
  return static_cast<void**>(target);
}

}  // namespace alsbench

#endif
