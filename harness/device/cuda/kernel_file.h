// SPDX-License-Identifier: Apache-2.0
// A compiled kernel as the content of a file: in the disk cache, and in a pack.
#pragma once

#include <optional>
#include <string>

#include "harness/device/cuda_backend.h"

namespace alsbench {

std::string kernel_file(const std::string& key, const CompiledKernel& kernel);
// Nothing where the content is damaged or belongs to another key.
std::optional<CompiledKernel> read_kernel_file(const std::string& key, const std::string& content);

}  // namespace alsbench
