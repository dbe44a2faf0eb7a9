// SPDX-License-Identifier: Apache-2.0
// Whether the arguments of a custom kernel fit into the memory of a device.
#pragma once

#include <optional>
#include <string>

#include "harness/custom/kernel_file.h"
#include "variants/core/device_traits.h"
#include "variants/core/stage.h"

namespace alsbench::custom {

// Sizes that a device cannot hold.
struct Misfit {
  size_t argument = 0;  // the first one that is too much
  std::string why;
};

// With the whole memory of the device. Nothing where it is not known, or where all fits.
std::optional<Misfit> misfit(const KernelFile& file, const Config& sizes,
                             const DeviceTraits& traits, const std::string& option = "--size");

// Why a stage's problem does not fit into what is free, with the place in kernel.json and the
// option that gives other sizes. Nothing where it does, or where the stage is no custom one.
std::optional<std::string> memory_objection(Stage stage, const Config& sizes,
                                            const DeviceTraits& traits,
                                            const std::string& option = "--size");

}  // namespace alsbench::custom
