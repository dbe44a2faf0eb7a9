// SPDX-License-Identifier: Apache-2.0
// CommitBuilds: builds of the commits of a git repository, each in a checkout of its own that is
// kept. A commit that was built by the same command before is not built again.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace alsbench {

struct Commit {
  std::string id;       // 40 hexadecimal digits
  std::string subject;  // of its message

  std::string text() const;  // "1a2b3c4d5e6f Subject"
};

class CommitBuilds {
 public:
  // `folder` holds a checkout a commit, and is made where it is missing. `command` is what a shell
  // runs in a checkout; for program() it leaves `alsbench` or `build/alsbench` there.
  CommitBuilds(std::filesystem::path repository, const std::filesystem::path& folder,
               std::string command, const std::atomic<bool>* interrupted);

  // `range` is GOOD..BAD. GOOD, then the commits to BAD by first parents. Throws UsageError where
  // the range is none, GOOD or BAD is unknown, or GOOD is no ancestor of BAD.
  std::vector<Commit> commits(const std::string& range) const;

  // The checkout of a commit, after the build there. Throws UsageError with the build's last words
  // where it fails, and Interrupted.
  std::filesystem::path checkout(const Commit& commit) const;
  // The program of a commit. Throws the same, and UsageError where there is none.
  std::filesystem::path program(const Commit& commit) const;
  bool is_built(const Commit& commit) const;

 private:
  std::filesystem::path checkout_of(const Commit& commit) const;
  std::filesystem::path stamp_of(const Commit& commit) const;
  // Throws UsageError that names what is no repository, or no commit of it.
  void require_commits(const std::vector<std::string>& revisions) const;
  // Standard output of git in the repository. Throws UsageError with what it said where it failed.
  std::string git(const std::vector<std::string>& words) const;

  std::filesystem::path repository_, folder_;
  std::string command_;
  const std::atomic<bool>* interrupted_;
};

}  // namespace alsbench
