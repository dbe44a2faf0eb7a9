// SPDX-License-Identifier: Apache-2.0
// A run or a tuning that did not end: the command that goes on with it, and the guard that keeps
// its journal from being replaced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alsbench {

// What goes on with the run that the command line `words` began, as a line for a shell.
std::string resume_command(std::vector<std::string> words);

// Throws UsageError, with the two ways on, where a new journal at that path would replace the
// records of a run that did not end, or where another process writes it now.
void keep_unfinished(const std::filesystem::path& journal);

}  // namespace alsbench
