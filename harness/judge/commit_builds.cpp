// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/commit_builds.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "harness/files/command_line.h"
#include "harness/judge/build_launcher.h"
#include "harness/process/run_program.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShortId = 12;

}  // namespace

std::string Commit::text() const { return id.substr(0, kShortId) + " " + subject; }

CommitBuilds::CommitBuilds(fs::path repository, const fs::path& folder, std::string command,
                           const std::atomic<bool>* interrupted)
    : repository_(std::move(repository)),
      folder_(fs::absolute(folder)),
      command_(std::move(command)),
      interrupted_(interrupted) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    throw EnvironmentError(
        fmt::format("cannot make the folder of builds '{}': {}; choose a "
                    "writable one",
                    folder_.string(), error.message()));
}

std::string CommitBuilds::git(const std::vector<std::string>& words) const {
  // Of what a program writes only the end is kept, so a file takes it.
  const fs::path output = folder_ / fmt::format("git-{}.txt", getpid());
  const std::string line = fmt::format("git -C {} {} > {}", shell_word(repository_.string()),
                                       shell_command(words), shell_word(output.string()));
  const FinishedProgram ended = run_program(shell(line), interrupted_);
  if (!ended.end.exited_with(0))
    throw UsageError(fmt::format("git {}: {}", words.at(0), ended.output_tail()));
  std::string text = read_whole_file(output);
  fs::remove(output);
  return text;
}

void CommitBuilds::require_commits(const std::vector<std::string>& revisions) const {
  const std::string folder = fs::absolute(repository_).string();
  const std::string line = fmt::format("git -C {} rev-parse ", shell_word(folder));
  const FinishedProgram found = run_program(shell(line + "--git-dir"), interrupted_);
  if (!found.end.exited_with(0))
    throw UsageError(fmt::format("{}: is no Git repository ({}); name one with --repository",
                                 folder, found.output_tail()));
  for (const std::string& revision : revisions) {
    const std::string commit = shell_word(revision + "^{commit}");
    const FinishedProgram known =
        run_program(shell(line + "--quiet --verify --end-of-options " + commit), interrupted_);
    if (!known.end.exited_with(0))
      throw UsageError(
          fmt::format("'{}' is no commit of the repository {}; `git log` there lists its commits, "
                      "and `git fetch` gets those of a remote",
                      revision, folder));
  }
}

std::vector<Commit> CommitBuilds::commits(const std::string& range) const {
  const size_t dots = range.find("..");
  if (dots == std::string::npos || dots == 0 || dots + 2 >= range.size() || range[dots + 2] == '.')
    throw UsageError(fmt::format("{}: is no range of commits; write GOOD..BAD", range));
  const std::string good = range.substr(0, dots), bad = range.substr(dots + 2);
  require_commits({good, bad});
  std::istringstream lines(git({"log", "--first-parent", "--reverse", "--format=%H %s",
                                "--end-of-options", good + ".." + bad}));
  std::istringstream first(git({"log", "-1", "--format=%H %s", "--end-of-options", good}));
  std::vector<Commit> list;
  for (std::istringstream* from : {&first, &lines})
    for (std::string line; std::getline(*from, line);) {
      const size_t blank = line.find(' ');
      list.push_back({line.substr(0, blank), line.substr(std::min(line.size(), blank + 1))});
    }
  if (list.size() < 2) throw UsageError(fmt::format("{}: has no commit after {}", range, good));
  const std::string base = git({"merge-base", "--end-of-options", good, bad});
  if (!base.starts_with(list.front().id))
    throw UsageError(fmt::format("{}: {} is no ancestor of {}", range, good, bad));
  return list;
}

fs::path CommitBuilds::checkout_of(const Commit& commit) const { return folder_ / commit.id; }

fs::path CommitBuilds::stamp_of(const Commit& commit) const {
  return folder_ / (commit.id + ".built");
}

bool CommitBuilds::is_built(const Commit& commit) const {
  return fs::exists(stamp_of(commit)) && read_whole_file(stamp_of(commit)) == command_;
}

fs::path CommitBuilds::checkout(const Commit& commit) const {
  fs::path checkout = checkout_of(commit);
  if (is_built(commit)) return checkout;
  std::error_code ignored;
  fs::remove(stamp_of(commit), ignored);
  if (!fs::exists(checkout)) {
    git({"worktree", "prune"});
    git({"worktree", "add", "--detach", "--quiet", checkout.string(), commit.id});
  }
  const FinishedProgram ended = run_program(
      shell(fmt::format("cd {} && ( {} )", shell_word(checkout.string()), command_)), interrupted_);
  if (!ended.end.exited_with(0))
    throw UsageError(fmt::format("the build of {} {}; its last words: {}", commit.text(),
                                 ended.end.text(), ended.output_tail()));
  write_file_atomically(stamp_of(commit), command_);
  return checkout;
}

fs::path CommitBuilds::program(const Commit& commit) const {
  const fs::path folder = checkout(commit);
  try {
    return find_build(folder.string());
  } catch (const UsageError&) {
    std::error_code ignored;
    fs::remove(stamp_of(commit), ignored);  // so that it is built again
    throw;
  }
}

}  // namespace alsbench
