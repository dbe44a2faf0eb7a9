// SPDX-License-Identifier: Apache-2.0
// Judges generated pairs as `alsbench compare` does, many in one process: judge_pairs FOLDER. A
// folder in it has base.json, test.json and rules.json, and gets judged.json.
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>

#include "harness/files/strict_json.h"
#include "harness/judge/comparison_input.h"
#include "harness/judge/report.h"

namespace {

void judge(const std::filesystem::path& folder) {
  const alsbench::Json asked = alsbench::read_json(folder / "rules.json");
  alsbench::Rules rules;
  rules.bound = asked.at("bound");
  rules.alpha = asked.at("alpha");
  rules.in_turn = asked.value("in_turn", true);
  const alsbench::Comparison comparison =
      alsbench::compare(alsbench::read_comparison_input({folder / "base.json"}),
                        alsbench::read_comparison_input({folder / "test.json"}), rules);
  std::ofstream(folder / "judged.json")
      << alsbench::text_of(alsbench::to_json(alsbench::document_of(
             alsbench::Procedure::compare, comparison, alsbench::conclusion_of(comparison))));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) judge(entry.path());
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "judge_pairs: {}\n", error.what());
  return 1;
}
