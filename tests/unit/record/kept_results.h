// SPDX-License-Identifier: Apache-2.0
// The results of `alsbench run` that the project keeps, for tests of their codecs.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/files/gzip.h"
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
      if (!is_document_name(entry.path().native())) continue;
      Json json = Json::parse(document_text(entry.path()), nullptr, false);
      if (json.is_object() && json.value("kind", Json()) == "run" && json.contains("cases"))
        kept.push_back({entry.path(), std::move(json)});
    }
  return kept;
}

}  // namespace alsbench
