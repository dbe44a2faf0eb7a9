// SPDX-License-Identifier: Apache-2.0
// Unfinished runs and tunings: the command that resumes one, and the guard that keeps its journal
// from being replaced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alsbench {

// The command that resumes the run which the command line `words` began, as a line for a shell.
std::string resume_command(std::vector<std::string> words);

// Throws UsageError, which names both remedies, where a new journal would replace records of an
// unfinished run, or where another process writes it.
void protect_unfinished_journal(const std::filesystem::path& journal);

}  // namespace alsbench
