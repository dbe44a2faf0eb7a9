// SPDX-License-Identifier: Apache-2.0
// Feeds changed inputs to every reader, and prints what came of them as a table. The same numbers
// give the same inputs.
//   fuzz INPUTS [SEED [READER]]       so many inputs for each reader
//   fuzz hours HOURS [SEED [READER]]  rounds of 2500 inputs, each of the next seed
//   fuzz bits [MOST]                  one bit at a time, as docs/reference/data.md has it
// Ends with 1 where a reader ends the program, throws what is no error of input or takes more than
// five seconds, or where a format with a checksum silently reads as something else. Such an input
// is kept, and its place is said.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "feeder.h"
#include "mutation.h"
#include "readers.h"
#include "rounds.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

// One bit of the first seed at a time: all of a small file, or evenly spaced ones.
Tally flip_bits(const Reader& reader, const fs::path& file, size_t maximum) {
  Tally tally;
  Feeder feeder(reader, file, tally);
  const std::string expected = feeder.expected();
  const std::string& seed = reader.seeds.front();
  const size_t bits = 8 * seed.size(), step = (bits + maximum - 1) / maximum;
  for (size_t bit = 0; bit < bits; bit += step) feeder.feed(flipped(seed, bit), &expected);
  return tally;
}

int64_t print_bits_table(size_t maximum) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  std::vector<Reader> readers, others;
  add_data_readers(folder, readers);
  add_document_readers(folder, others);
  add_journal_readers(folder, others);
  for (Reader& reader : others)
    if (reader.checked) readers.push_back(std::move(reader));
  fmt::print("| read as | checked | bits | refused | the same content | other content |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  int64_t faults = 0;
  for (const Reader& reader : readers) {
    const Tally tally = flip_bits(reader, folder / "input", maximum);
    fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", reader.name, reader.checked ? "yes" : "no",
               tally.inputs, tally.refused, tally.same, tally.other);
    std::fflush(stdout);
    faults += tally.faults();
  }
  return faults;
}

int64_t run(const std::vector<std::string>& words) {
  const auto word = [&](size_t i, const char* other) {
    return i < words.size() ? words[i] : other;
  };
  if (word(0, "") == "bits")
    return print_bits_table(
        std::max<size_t>(1, std::strtoull(word(1, "4096").c_str(), nullptr, 10)));
  Plan plan;
  size_t next = 0;
  if (word(0, "") == "hours") {
    plan.inputs = 2500;
    plan.seconds = 3600 * std::strtod(word(1, "1").c_str(), nullptr);
    next = 2;
  } else {
    plan.inputs = std::max(1LL, std::strtoll(word(0, "1000").c_str(), nullptr, 10));
    next = 1;
  }
  plan.seed = std::strtoull(word(next, "1").c_str(), nullptr, 10);
  plan.reader = word(next + 1, "");
  return run_rounds(plan);
}

}  // namespace
}  // namespace alsbench::fuzz

int main(int argc, char** argv) {
  try {
    return alsbench::fuzz::run({argv + 1, argv + argc}) > 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fuzz: {}\n", error.what());
    return 2;
  }
}
