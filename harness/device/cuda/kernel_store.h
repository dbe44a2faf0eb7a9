// SPDX-License-Identifier: Apache-2.0
// KernelStore: kernels that stay loaded on a device, so what is prepared again finds them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "harness/device/cuda/handles.h"
#include "harness/device/cuda_backend.h"
#include "variants/core/kernel_plan.h"

namespace alsbench {

struct StoredKernel {
  CompiledKernel compiled;  // without its machine code
  std::shared_ptr<const LoadedKernel> loaded;
};

class KernelStore {
 public:
  // One for each launch of a plan, in their order; what is missing is compiled, all of it at once.
  // Throws CompileError.
  std::vector<StoredKernel> kernels_of(const KernelPlan& plan, int architecture);

 private:
  using Key = std::tuple<std::string, std::string, int64_t>;  // source, instance, shared bytes

  static Key key_of(const KernelLaunch& launch);
  void keep(const KernelLaunch& launch, StoredKernel kernel);

  std::map<Key, StoredKernel> kernels_;
};

}  // namespace alsbench
