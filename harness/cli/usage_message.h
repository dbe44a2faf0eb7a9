// SPDX-License-Identifier: Apache-2.0
// Messages about arguments that the command line does not know.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alsbench {

// CLI11's message, or that of the first word that is no command or no option of its command, with
// the nearest that is.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments);

}  // namespace alsbench
