// SPDX-License-Identifier: Apache-2.0
// Custom kernels: a folder with a kernel.json becomes a stage, its variants and a suite. Nothing
// else in the program knows that they were not compiled into it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/provenance.h"

namespace alsbench::custom {

// Reads `folder`, or each folder in it that has a kernel.json, and adds what it says to the
// catalog, the suites and the kernels' sources. Before any of these is asked for. Throws UsageError
// that lists every error, or names the option where there is no kernel.
void load_kernels(const std::filesystem::path& folder, const std::string& option = "--kernels");

// Names and hashes of the kernels of a folder, which is read and checked, and not added. Throws
// UsageError likewise.
std::vector<KernelsProvenance> kernels_in(const std::filesystem::path& folder,
                                          const std::string& option);

// Names of those that were loaded, in their order.
std::vector<std::string> kernel_names();

// "--kernels FOLDER ..." of what was loaded, for programs that this one starts.
const std::vector<std::string>& kernel_arguments();

}  // namespace alsbench::custom
