// SPDX-License-Identifier: Apache-2.0
// A pick as a C++ header, for programs that embed the kernels: the configuration as constants, the
// template instances and launches as data.
#pragma once

#include <string>
#include <vector>

#include "variants/pipeline.h"

namespace alsbench {

// The pick to write for one part.
struct HeaderPick {
  std::string part;
  std::vector<PipelineStep> steps;
  Shape shape;         // launches are for all of its rows at once
  std::string remark;  // where the pick comes from; one line
};

// A self-contained C++17 header with namespaces x and theta in `name_space`, each with one
// namespace per stage. A stage has its parameters as constants (kTile, kGather), and its kernels as
// an array kLaunches. The array is empty for variants without own kernels. Steps must be able to
// run on their shapes and the device.
std::string kernel_header(const std::vector<HeaderPick>& picks, const DeviceTraits& traits,
                          const std::string& name_space);

}  // namespace alsbench
