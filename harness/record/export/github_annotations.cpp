// SPDX-License-Identifier: Apache-2.0
// Workflow commands, which GitHub shows with a job and on a pull request:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
#include <fmt/format.h>

#include "harness/record/escape.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

// In one line; a title ends at a comma or a colon.
std::string command_text(const std::string& text, std::string_view reserved) {
  std::string escaped;
  for (const char c : visible(text))
    escaped += reserved.find(c) == std::string_view::npos
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return escaped;
}

}  // namespace

std::string annotation(std::string_view level, const std::string& title, const std::string& text) {
  return fmt::format("::{} title=alsbench {}::{}\n", level, command_text(title, "%,:"),
                     command_text(text, "%"));
}

std::string to_annotations(const ResultDocument& result) {
  std::string lines;
  for (const ResultRow& row : rows_of(result.cases))
    if (failed(row.outcome()))
      lines += annotation("error", std::string(name_of(row.outcome())),
                          fmt::format("{}: {}", row.name, reason_of(row)));
  return lines;
}

}  // namespace alsbench
