// SPDX-License-Identifier: Apache-2.0
// The results of `alsbench run` that the project keeps, for tests of their codecs.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/files/atomic_file.h"
#include "harness/record/json.h"

namespace alsbench {

struct KeptResult {
  std::filesystem::path path;
  Json document;
};

inline std::vector<KeptResult> kept_results() {
  const std::filesystem::path root = ALSBENCH_SOURCE_DIR;
  std::vector<KeptResult> kept;
  for (const char* folder : {"results", "tests/golden"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".json") continue;
      Json json = Json::parse(read_whole_file(entry.path()), nullptr, false);
      if (json.is_object() && json.value("kind", Json()) == "run" && json.contains("cases"))
        kept.push_back({entry.path(), std::move(json)});
    }
  return kept;
}

}  // namespace alsbench
