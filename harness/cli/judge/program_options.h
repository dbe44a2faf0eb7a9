// SPDX-License-Identifier: Apache-2.0
// Options that say how programs of others hand over their numbers.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/judge/program_launcher.h"

namespace alsbench {

struct ReaderOptions {
  std::string format;               // the name of a ForeignFormat; "": not given
  std::vector<std::string> values;  // as value_path_of takes them

  // Throws UsageError where a value is none, or format and values do not fit.
  ForeignReader reader() const;
};

inline constexpr const char* kProgramFormat =
    "Format of the JSON of other programs: the sides are then their command lines";

// Programs whose launches are limited so, and end with Ctrl-C.
ProgramOptions program_options(const ReaderOptions& reader, const ProgramLimits& limits,
                               const std::string& base, const std::string& test);

// Returns --format.
CLI::Option* add_reader_options(CLI::App& command, ReaderOptions& options, const char* meaning);

}  // namespace alsbench
