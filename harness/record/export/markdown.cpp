// SPDX-License-Identifier: Apache-2.0
// Markdown for job summaries and comments on pull requests, whose hosts cut or refuse long texts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

int rank_of(const ResultRow& row) {
  return row.outcome() == Outcome::ok ? 2 : row.outcome() == Outcome::skipped ? 1 : 0;
}

// "20 cases ok, 1 failed, 0 skipped; 3 medians are disturbed by other work, marked "!"".
std::string outcomes_text(const std::vector<CaseRecord>& cases) {
  int64_t ok = 0, failures = 0, skipped = 0;
  for (const CaseRecord& record : cases)
    if (record.role != Role::ceiling || !record.ok())
      ++(record.ok() ? ok : record.outcome == Outcome::skipped ? skipped : failures);
  const std::string disturbed = disturbed_text(cases);
  return fmt::format(
      "{} cases ok, {} failed, {} skipped{}", ok, failures, skipped,
      disturbed.empty() ? "" : fmt::format("; other work disturbed {}, marked \"!\"", disturbed));
}

std::string head_of(const ResultDocument& result) {
  const std::string& commit = result.provenance.build.git_commit;
  std::string devices;
  for (const DeviceRecord& device : result.devices)
    devices += (devices.empty() ? "" : ", ") + device.traits.name;
  return fmt::format("### alsbench {}\n\n**{}**\n\n{}, {}, commit {}\n\n",
                     markdown_cell(result.suite.name), outcomes_text(result.cases),
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
  return markdown_summary(result, kSummaryBytes);
}

std::string markdown_summary(const ResultDocument& result, size_t bytes) {
  Table table = summary_table(result.cases);
  const std::vector<ResultRow> rows = rows_of(result.cases);  // one of each in the table
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rank_of(rows[a]) < rank_of(rows[b]); });
  Table sorted{table.header, {}};
  for (const size_t at : order) sorted.rows.push_back(std::move(table.rows[at]));
  std::string head = head_of(result);
  if (const std::string same = leave_out_constant_columns(sorted); !same.empty())
    head += fmt::format("Same in all rows: {}.\n\n", markdown_cell(same));
  return markdown_within(head, std::move(sorted), bytes);
}

}  // namespace alsbench
