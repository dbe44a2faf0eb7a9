// SPDX-License-Identifier: Apache-2.0
// Which kernels a plan or a configuration needs compiled.
#pragma once

#include <string>
#include <vector>

#include "variants/core/variant.h"

namespace alsbench {

// One kernel to compile for one architecture (75, 90, ...).
struct CompileRequest {
  std::string source;    // path from the repository's root
  std::string instance;  // NVRTC name expression
  int architecture = 0;
  // Whether a kernel of the program's pack will do, which another release of NVRTC may have made.
  bool packed = true;
};

std::vector<CompileRequest> requests_of(const KernelPlan& plan, int architecture);

// Adds what `config` needs: nothing where the variant has no kernels or objects.
void add_requests(std::vector<CompileRequest>& requests, const Variant& variant,
                  const Config& config, const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench
