// SPDX-License-Identifier: Apache-2.0
// Merge: the shards of a run become what one run would have written. A shard is read from its
// result or from its journal, that of a killed run included.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/result.h"

namespace alsbench {

// The part of a run that one file has.
struct RunPart {
  std::filesystem::path path;
  ResultDocument document;
  std::vector<std::string> problems;  // damaged lines of a journal
};

// Throws UsageError where it is neither a journal of a run nor a result, or too old to be joined.
RunPart read_part(const std::filesystem::path& path);

struct MergedRun {
  ResultDocument document;
  std::vector<std::string> missing;  // a line a shard that is not complete; empty: all is there
};

// Rows that several files have alike are kept once. Throws UsageError that names both files where
// two are of different suites, selections, deals or data, or have different rows of one name.
MergedRun merge(const std::vector<RunPart>& parts);

// Completes a document of a run: devices of all shards, cases in the order of the suite, and
// shares. Ceilings precede the cases that they were measured among.
void finish_document(ResultDocument& document);

}  // namespace alsbench
