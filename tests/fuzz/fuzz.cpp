// SPDX-License-Identifier: Apache-2.0
// Feeds changed inputs to every reader: fuzz INPUTS [SEED [READER]]. The same numbers give the same
// inputs. Ends with 1 where a reader throws what is no error of input, takes more than five
// seconds, or where a format with a checksum silently reads as something else. An input that ends
// the program stays in the folder that it names first.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <string>

#include "readers.h"
#include "tests/unit/scratch_folder.h"
#include "variants/core/error.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 5;

struct Tally {
  int64_t inputs = 0, refused = 0, same = 0, other = 0, faults = 0;
};

// The same numbers on every machine, which distributions of the library do not promise.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  size_t below(size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  std::mt19937_64 engine_;
};

std::string flipped(std::string text, size_t bit) {
  text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  return text;
}

std::string mutated(std::string text, const std::string& other, Dice& dice) {
  static const std::vector<std::string> kWords{"-1",
                                               "0",
                                               "1e999",
                                               "2147483648",
                                               "9223372036854775808",
                                               "nan",
                                               "null",
                                               "[]",
                                               "{}",
                                               "\"",
                                               "[[[[[[[[",
                                               ",",
                                               "\n",
                                               "\t",
                                               std::string(1, '\0'),
                                               "\xff",
                                               "\xef\xbb\xbf",
                                               "1e-320",
                                               "%"};
  for (size_t changes = 1 + dice.below(4); changes > 0; --changes) {
    const size_t at = dice.below(text.size() + 1), length = dice.below(16);
    switch (dice.below(7)) {
      case 0:
        if (!text.empty()) text = flipped(text, dice.below(8 * text.size()));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
        break;
      case 2:
        text.erase(std::min(at, text.size()), length);
        break;
      case 3:
        text.insert(at, kWords[dice.below(kWords.size())]);
        break;
      case 4:
        text.insert(at, other.substr(dice.below(other.size() + 1), 4 * length));
        break;
      case 5: {  // another number
        const size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const size_t end = text.find_first_not_of("0123456789.", digit);
        text.replace(digit, std::min(end, text.size()) - digit, kWords[dice.below(6)]);
        break;
      }
      default:
        if (dice.below(8) == 0) text.resize(at);
    }
  }
  return text;
}

class Fuzzer {
 public:
  Fuzzer(const Reader& reader, fs::path file) : reader_(reader), file_(std::move(file)) {}

  // Reads one input. `expected` is the seed's reading where a change of it would be silent.
  void feed(const std::string& input, const std::string* expected) {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << input;
    ++tally_.inputs;
    alarm(kMostSeconds);
    try {
      const std::string found = reader_.read(file_);
      if (expected == nullptr || found == *expected) {
        ++tally_.same;
      } else {
        ++tally_.other;
        if (reader_.checked) keep("reads as something else", found.substr(0, 200));
      }
    } catch (const UsageError&) {
      ++tally_.refused;
    } catch (const BaselineError&) {
      ++tally_.refused;
    } catch (const EnvironmentError&) {
      ++tally_.refused;
    } catch (const std::bad_alloc&) {
      ++tally_.refused;
    } catch (const std::exception& error) {
      keep("throws what is no error of input", error.what());
    }
    alarm(0);
  }
  const Tally& tally() const { return tally_; }

 private:
  void keep(const char* what, const std::string& detail) {
    const fs::path kept = fs::temp_directory_path() /
                          fmt::format("alsbench-fuzz-{}-{}", reader_.name, tally_.faults++);
    fs::copy_file(file_, kept, fs::copy_options::overwrite_existing);
    fmt::print(stderr, "{} {}: {} ({})\n", reader_.name, what, detail, kept.string());
  }

  const Reader& reader_;
  fs::path file_;
  Tally tally_;
};

// Every bit of the first seed in turn, or as many as there are inputs; then random changes.
Tally fuzz(const Reader& reader, const fs::path& file, int64_t inputs, uint64_t seed) {
  Fuzzer fuzzer(reader, file);
  const std::string& first = reader.seeds.front();
  std::ofstream(file, std::ios::binary | std::ios::trunc) << first;
  const std::string expected = reader.read(file);
  const size_t bits = 8 * first.size(),
               step = std::max<size_t>(1, 2 * bits / static_cast<size_t>(inputs));
  for (size_t bit = seed % step; bit < bits; bit += step)
    fuzzer.feed(flipped(first, bit), &expected);
  Dice dice(seed);
  while (fuzzer.tally().inputs < inputs) {
    const std::string& from = reader.seeds[dice.below(reader.seeds.size())];
    const std::string& other = reader.seeds[dice.below(reader.seeds.size())];
    fuzzer.feed(mutated(from, other, dice), reader.checked ? &expected : nullptr);
  }
  return fuzzer.tally();
}

int run(int argc, char** argv) {
  const int64_t inputs = argc > 1 ? std::max(1LL, std::atoll(argv[1])) : 1000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string only = argc > 3 ? argv[3] : "";
  const ScratchFolder scratch;
  fmt::print("inputs are in {}\n", scratch.path().string());
  int64_t faults = 0;
  for (const Reader& reader : all_readers(scratch.path())) {
    if (!only.empty() && reader.name != only) continue;
    const Tally tally =
        fuzz(reader, scratch.path() / ("input-" + reader.name + ".json"), inputs, seed);
    fmt::print(
        "{:14} {:8} inputs: {} refused, {} as before or accepted, {} read as something else, "
        "{} faults\n",
        reader.name, tally.inputs, tally.refused, tally.same, tally.other, tally.faults);
    std::fflush(stdout);
    faults += tally.faults;
  }
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace alsbench::fuzz

int main(int argc, char** argv) { return alsbench::fuzz::run(argc, argv); }
