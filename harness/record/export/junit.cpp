// SPDX-License-Identifier: Apache-2.0
// JUnit XML in the form that GitLab, Jenkins and GitHub actions read. It is valid by the schema of
// Jenkins' xUnit plugin (junit-10.xsd), which is the strictest of them: a test suite has errors,
// all suites together have no skipped, and the seconds of suites have three decimals.
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

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

std::string junit_document(const JunitSuite& suite) {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", suite.tests,
                  suite.failures, suite.errors, suite.seconds);
  const std::string timestamp =
      suite.time_utc.empty() ? "" : fmt::format("timestamp=\"{}\" ", xml_text(suite.time_utc));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"alsbench\" {}>\n"
      "  <testsuite name=\"{}\" {}{} skipped=\"{}\">\n{}  </testsuite>\n</testsuites>\n",
      counts, xml_text(suite.name), timestamp, counts, suite.skipped, suite.elements);
}

std::string to_junit(const ResultDocument& result) {
  JunitSuite suite{result.suite.name, result.provenance.time_utc};
  for (const ResultRow& row : rows_of(result.cases)) {
    suite.elements += element_of(row);
    suite.seconds += row.seconds();
    ++suite.tests;
    suite.failures += failed(row.outcome()) ? 1 : 0;
    suite.skipped += row.outcome() == Outcome::skipped ? 1 : 0;
  }
  return junit_document(suite);
}

}  // namespace alsbench
