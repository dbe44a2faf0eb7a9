// SPDX-License-Identifier: Apache-2.0
// Options that are shares: "1%" or "0.01", in every command alike.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alsbench {

enum class Ends { both, lower, upper, neither };  // which of 0 and 1 a share may be

// Adds an option that sets `share`. A text that is no such share is an error that says how one is
// written.
CLI::Option* add_share(CLI::App& command, const std::string& flag, double& share, Ends ends,
                       const std::string& help);

}  // namespace alsbench
