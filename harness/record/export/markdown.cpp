// SPDX-License-Identifier: Apache-2.0
// Markdown for job summaries and comments on pull requests, whose hosts cut or refuse long texts.
#include <fmt/format.h>

#include <algorithm>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

int rank_of(const std::string& outcome) {
  return outcome == "ok" ? 2 : outcome == "skipped" ? 1 : 0;
}

std::string head_of(const ResultDocument& result) {
  const std::string& commit = result.provenance.build.git_commit;
  std::string devices;
  for (const DeviceRecord& device : result.devices)
    devices += (devices.empty() ? "" : ", ") + device.traits.name;
  return fmt::format("### alsbench {}\n\n{}, {}, commit {}\n\n", markdown_cell(result.suite.name),
                     markdown_cell(devices), markdown_cell(result.provenance.time_utc),
                     markdown_cell(commit.empty() ? "unknown" : commit.substr(0, 12)));
}

}  // namespace

std::string markdown_within(const std::string& head, Table table, size_t bytes) {
  constexpr size_t kTail = 80;  // the line that says how many are missing
  std::string text = head + to_markdown(table);
  if (text.size() <= bytes) return text;
  const size_t all = table.rows.size();
  while (!table.rows.empty() && text.size() + kTail > bytes) {
    const size_t cut = text.find_last_of('\n', text.size() - 2) + 1;  // a row is a line
    text.resize(cut);
    table.rows.pop_back();
  }
  return text + fmt::format("\n{} of {} rows are left out: too long for a summary.\n",
                            all - table.rows.size(), all);
}

std::string to_markdown_summary(const ResultDocument& result) {
  Table table = summary_table(result.cases);
  // by the column `outcome`
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return rank_of(a[1]) < rank_of(b[1]); });
  return markdown_within(head_of(result), table, kSummaryBytes);
}

}  // namespace alsbench
