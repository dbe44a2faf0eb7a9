// SPDX-License-Identifier: Apache-2.0
// Whether the arguments of a custom kernel can be what its expressions make of sizes, and fit into
// the memory of a device.
#pragma once

#include <optional>
#include <string>

#include "harness/custom/kernel_file.h"
#include "variants/core/device_traits.h"
#include "variants/core/stage.h"

namespace alsbench::custom {

// Sizes that a device cannot hold, or that an expression makes no number of.
struct Misfit {
  std::string place;  // of the first one in kernel.json, "/arguments/2/shape"
  std::string why;
};

// With the whole memory of the device, where it is known. Nothing where all fits.
std::optional<Misfit> misfit(const KernelFile& file, const Config& sizes,
                             const DeviceTraits& traits, const std::string& option = "--size");

// Why a stage's problem does not fit into what is free, with the place in kernel.json and the
// option that gives other sizes. Nothing where it does, or where the stage is no custom one.
std::optional<std::string> memory_objection(Stage stage, const Config& sizes,
                                            const DeviceTraits& traits,
                                            const std::string& option = "--size");

}  // namespace alsbench::custom
