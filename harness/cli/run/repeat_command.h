// SPDX-License-Identifier: Apache-2.0
// Shell commands that follow a run, one line each: one resumes it, and one repeats a single case of
// it. Printed and recorded by `alsbench run`.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/run/run_options.h"
#include "harness/record/case_record.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {

// Runs or profiles the one case of that name again as the command of `options` did, into a folder
// of its own next to `results`, so it replaces nothing.
std::string repeat_command(const std::string& program, const std::string& suite,
                           const RunOptions& options, const std::string& case_name,
                           const std::filesystem::path& results);

// Has Nsight Compute record what `alsbench profile` with these options executes of that case, in
// the worker process.
std::string ncu_command(const std::string& suite, const RunOptions& options,
                        const std::string& case_name, const std::filesystem::path& results);

// Sets `repeat` of a record that failed, for a run whose result that file is. A ceiling is repeated
// with the first of `cases` that is of its group.
void add_repeat_command(CaseRecord& record, const std::vector<Case>& cases,
                        const std::string& suite, const RunOptions& options,
                        const std::filesystem::path& results);

// `alsbench run SUITE` with the options that decide what the cases are, as a shell reads it.
std::string run_command(const std::string& program, const std::string& suite,
                        const RunOptions& options);
std::string program_name();  // as it was started

}  // namespace alsbench
