// What `compare`, `ab` and `aa` share on the command line: the flags of the rules and of the
// output, the tables, and which exit code a conclusion is.
#pragma once

#include <string>

#include "harness/cli/exit_code.h"
#include "harness/judge/comparison.h"
#include "harness/record/journal.h"

namespace CLI {
class App;
}

namespace alsbench {

struct ComparisonOutput {
  std::string json, md;  // files or "stdout"; empty: none
  bool quiet = false;
};

void add_rules_options(CLI::App& command, Rules& rules);
void add_comparison_output(CLI::App& command, ComparisonOutput& output);

// Writes `document` and the Markdown table where they are wanted, prints the tables and the
// verdict.
void write_comparison(const Comparison& comparison, const Json& document,
                      const ComparisonOutput& output);

// The one place where a conclusion becomes an exit code.
ExitCode exit_code_of(Conclusion conclusion);

// What `ab` and `aa` share: the suite and how a launch of it is run.
struct LaunchOptions {
  std::string suite = "ci", filter, device;
  std::string scale, min_samples, max_samples, max_noise, timeout;  // handed on as they are

  std::vector<std::string> arguments() const;  // to `alsbench run`
};
void add_launch_options(CLI::App& command, LaunchOptions& options);

}  // namespace alsbench
