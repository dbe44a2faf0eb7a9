// SPDX-License-Identifier: Apache-2.0
// JUnit XML in the form that GitLab, Jenkins and GitHub actions read:
// https://github.com/testmoapp/junitxml
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/result_rows.h"

namespace alsbench {
namespace {

std::string class_of(const CaseRecord& record) {
  return record.stage.empty() ? "train" : fmt::format("{}.{}", record.stage, record.variant);
}

std::string element_of(const ResultRow& row) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"",
                  xml_text(class_of(*row.record)), xml_text(row.name), row.seconds());
  if (row.outcome() == Outcome::ok) return head + "/>\n";
  const std::string reason = reason_of(row), outcome(name_of(row.outcome()));
  if (row.outcome() == Outcome::skipped)
    return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head,
                       xml_text(reason));
  return fmt::format(
      "{}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", head,
      outcome, xml_text(reason.substr(0, reason.find('\n'))), xml_text(reason));
}

}  // namespace

std::string to_junit(const ResultDocument& result) {
  std::string tests;
  int64_t count = 0, failures = 0, skipped = 0;
  double seconds = 0;
  for (const ResultRow& row : rows_of(result.cases)) {
    tests += element_of(row);
    seconds += row.seconds();
    ++count;
    failures += failed(row.outcome()) ? 1 : 0;
    skipped += row.outcome() == Outcome::skipped ? 1 : 0;
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.9f}\"", count, failures,
                  skipped, seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"alsbench\" {}>\n"
      "  <testsuite name=\"{}\" timestamp=\"{}\" {}>\n{}  </testsuite>\n</testsuites>\n",
      counts, xml_text(result.suite.name), xml_text(result.provenance.time_utc), counts, tests);
}

}  // namespace alsbench
