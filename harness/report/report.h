// SPDX-License-Identifier: Apache-2.0
// The report: result files of any kind in one HTML page that needs no network. The page's template
// lies in page/; the files are inside it, compressed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/json.h"

namespace alsbench {

// A file of a report: `kind` is that of the document, such as "run", "train" or "comparison".
struct ReportFile {
  std::string name = {};  // for people, unlike that of any other file
  std::string kind = {};
  Json document = {};
};

inline constexpr int64_t kMaxReportBytes = 2'000'000;

// Files of one name are named with as many of their folders as tell them apart. Throws UsageError
// naming the file that is missing, is no JSON, of no known kind, too new or given twice.
std::vector<ReportFile> read_report_files(const std::vector<std::filesystem::path>& paths);

// The page as HTML. Throws UsageError where it would be larger than kMaxReportBytes.
std::string report_page(const std::vector<ReportFile>& files);

}  // namespace alsbench
