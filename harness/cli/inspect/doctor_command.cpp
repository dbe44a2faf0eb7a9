// SPDX-License-Identifier: Apache-2.0
// `alsbench doctor`: is this machine fit to run and to measure? Each finding with its remedy.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "harness/cli/commands.h"
#include "harness/cli/inspect/doctor.h"
#include "harness/cli/output.h"
#include "harness/cli/text_table.h"
#include "harness/process/exit_code.h"
#include "harness/record/document.h"

namespace alsbench {
namespace {

std::string colored(Health health) {
  std::string name = fmt::format("{:<4}", name_of(health));
  if (!use_color(stdout)) return name;
  const int color = health == Health::ok ? 32 : health == Health::warn ? 33 : 31;
  return fmt::format("\033[{}m{}\033[0m", color, name);
}

int doctor(const OutputOptions& output) {
  FilePlan plan;
  writes_output(plan, output);
  plan.check();
  const DoctorDocument document{check_machine()};
  const std::vector<Finding>& findings = document.findings;
  if (!output.json.empty()) write_json(output.json, to_json(document));
  if (!output.json_on_stdout())
    for (const auto& finding : findings) {
      std::string text =
          fmt::format("{}  {:<12}  {}\n", colored(finding.health), finding.name, finding.text);
      if (!finding.remedy.empty()) text += fmt::format("{:20}remedy: {}\n", "", finding.remedy);
      fmt::print("{}", wrapped_to_terminal(text, 20));
    }
  const bool failed = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.health == Health::fail;
  });
  return failed ? kExitEnvironment : kExitOk;
}

}  // namespace

void describe(Fields<Finding>& fields) {
  fields("name", &Finding::name);
  fields("health", &Finding::health);
  fields("finding", &Finding::text);
  fields("remedy", &Finding::remedy, "null: all is well").nullable();
}

void describe(Fields<DoctorDocument>& fields) {
  fields.record("", "Whether a machine is fit to run and to measure: `alsbench doctor`.");
  describe_document(fields, "doctor");
  fields("findings", &DoctorDocument::findings).range(Range::Kind::not_empty);
}

void add_doctor_command(CLI::App& app, CommandResult& result) {
  auto output = std::make_shared<OutputOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Check driver, toolkit, devices and permissions; name remedies");
  add_output_options(*command, *output);
  result.runs(*command, [output] { return doctor(*output); });
}

}  // namespace alsbench
