// SPDX-License-Identifier: Apache-2.0
// CustomStage: the row of the catalog that a kernel.json becomes.
#pragma once

#include "harness/custom/kernel_file.h"
#include "harness/stage/stage_support.h"
#include "variants/core/stage.h"

namespace alsbench::custom {

inline constexpr std::string_view kContract = "custom";  // of all of them

struct CustomStage : StageInfo {
  KernelFile file;
};

inline const KernelFile& file_of(Stage stage) {
  return static_cast<const CustomStage*>(stage)->file;
}

StageSupport custom_support();

}  // namespace alsbench::custom
