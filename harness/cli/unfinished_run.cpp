// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/unfinished_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "harness/files/command_line.h"
#include "harness/record/journal.h"

namespace alsbench {

std::string resume_command(std::vector<std::string> words) {
  std::erase(words, "--fresh");
  const auto resumes = [](const std::string& word) {
    return word == "--resume" || word.starts_with("--resume=");
  };
  if (std::none_of(words.begin(), words.end(), resumes)) words.emplace_back("--resume");
  return shell_command(words);
}

void protect_unfinished_journal(const std::filesystem::path& journal) {
  const UnfinishedRun run = unfinished_run(journal);
  if (run.records == 0) return;
  const std::string end =
      run.budget.empty() ? "did not end. To resume" : run.budget + " ended. To continue it";
  throw UsageError(
      fmt::format("{}: holds {} records of a run that {}:\n  {}\nTo discard them and start over, "
                  "add --fresh",
                  journal.string(), run.records, end, resume_command(process_command_line())));
}

}  // namespace alsbench
