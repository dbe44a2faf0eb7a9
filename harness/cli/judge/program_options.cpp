// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/judge/program_options.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "harness/cli/interrupts.h"

namespace alsbench {

ForeignReader ReaderOptions::reader() const {
  ForeignReader reader;
  if (!format.empty()) reader.format = named<ForeignFormat>(format);
  for (const std::string& value : values) reader.values.push_back(value_path_of(value));
  if (!reader.values.empty() && !reader.format) reader.format = ForeignFormat::json;
  if (reader.format == ForeignFormat::json && reader.values.empty())
    throw UsageError(
        "--format json: say where the numbers are, such as --value /latency/mean:ms or --value "
        "/throughput:MB/s:higher");
  if (reader.format && reader.format != ForeignFormat::json && !reader.values.empty())
    throw UsageError("--value is of --format json; leave one of them out");
  return reader;
}

ProgramOptions program_options(const ReaderOptions& reader, const ProgramLimits& limits,
                               const std::string& base, const std::string& test) {
  const ForeignReader read = reader.reader();
  return {base, test, read.format.value(), read.values, {limits, &catch_interrupts()}};
}

CLI::Option* add_reader_options(CLI::App& command, ReaderOptions& options, const char* meaning) {
  std::vector<std::string> names;
  for (const auto& [format, name] : enum_names(ForeignFormat{})) names.emplace_back(name);
  CLI::Option* const format =
      command.add_option("--format", options.format, meaning)->check(CLI::IsMember(names));
  command
      .add_option("--value", options.values,
                  "Number of --format json: JSON pointer, unit, and whether higher is better, such "
                  "as /latency:ms or /throughput:MB/s:higher")
      ->type_name("POINTER:UNIT[:higher]")
      ->allow_extra_args(false);
  return format;
}

}  // namespace alsbench
