// SPDX-License-Identifier: Apache-2.0
// Feeds inputs to a reader and counts what became of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "readers.h"

namespace alsbench::fuzz {

// Longer than this is a hang.
constexpr unsigned kMaxSeconds = 5;

struct Tally {
  int64_t inputs = 0;
  int64_t same = 0, other = 0;  // accepted: read as the first seed or not held against it; not so
  int64_t refused = 0;
  int64_t crashes = 0;  // of the process, or what is no error of input
  int64_t hangs = 0;
  int64_t changes = 0;  // of a checked format's content, unnoticed
  double seconds = 0;

  int64_t faults() const { return crashes + hangs + changes; }
};

class Feeder {
 public:
  // Inputs are written to `file`. `tally` must outlive it.
  Feeder(const Reader& reader, std::filesystem::path file, Tally& tally)
      : reader_(reader), file_(std::move(file)), tally_(tally) {}

  // The reader's result for the first seed.
  std::string expected() const;
  // Reads one input. `expected` is the seed's reading where a change of it would be silent.
  void feed(const std::string& input, const std::string* expected);

 private:
  const Reader& reader_;
  std::filesystem::path file_;
  Tally& tally_;
};

// Copies an input that shows a fault to the folder of temporary files, and says so.
void keep_input(const std::filesystem::path& input, const std::string& reader, int64_t number,
                const std::string& what);

}  // namespace alsbench::fuzz
