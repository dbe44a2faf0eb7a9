// SPDX-License-Identifier: Apache-2.0
// Feeds changed inputs to every reader: fuzz INPUTS [SEED [READER]]. The same numbers give the same
// inputs. `fuzz bits [MOST]` changes one bit at a time, and prints what came of it as a Markdown
// table: that of docs/reference/data.md, with up to 4096 bits a reader. Ends with 1 where a reader
// throws what is no error of input, takes more than five seconds, or where a format with a checksum
// silently reads as something else. An input that ends the program stays in the folder that it
// names first.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "mutation.h"
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

// One bit of the first seed at a time: all of a small file, or evenly spaced ones.
Tally flip_bits(const Reader& reader, const fs::path& file, size_t most) {
  Fuzzer fuzzer(reader, file);
  const std::string& seed = reader.seeds.front();
  std::ofstream(file, std::ios::binary | std::ios::trunc) << seed;
  const std::string expected = reader.read(file);
  const size_t bits = 8 * seed.size(), step = (bits + most - 1) / most;
  for (size_t bit = 0; bit < bits; bit += step) fuzzer.feed(flipped(seed, bit), &expected);
  return fuzzer.tally();
}

int64_t print_bits_table(const fs::path& folder, size_t most) {
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
    const Tally tally = flip_bits(reader, folder / "input", most);
    fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", reader.name, reader.checked ? "yes" : "no",
               tally.inputs, tally.refused, tally.same, tally.other);
    std::fflush(stdout);
    faults += tally.faults;
  }
  return faults;
}

int64_t fuzz_all(const fs::path& folder, int64_t inputs, uint64_t seed, const std::string& only) {
  std::vector<Reader> readers;
  add_data_readers(folder, readers);
  add_document_readers(folder, readers);
  add_journal_readers(folder, readers);
  add_model_readers(folder, readers);
  int64_t faults = 0;
  for (const Reader& reader : readers) {
    if (!only.empty() && reader.name != only) continue;
    const Tally tally = fuzz(reader, folder / ("input-" + reader.name + ".json"), inputs, seed);
    fmt::print(
        "{:24} {:8} inputs: {} refused, {} as before or accepted, {} read as something else, "
        "{} faults\n",
        reader.name, tally.inputs, tally.refused, tally.same, tally.other, tally.faults);
    std::fflush(stdout);
    faults += tally.faults;
  }
  return faults;
}

int run(int argc, char** argv) {
  const ScratchFolder scratch;
  if (argc > 1 && std::string(argv[1]) == "bits") {
    const int64_t most = argc > 2 ? std::max(1LL, std::atoll(argv[2])) : 4096;
    return print_bits_table(scratch.path(), static_cast<size_t>(most)) > 0;
  }
  const int64_t inputs = argc > 1 ? std::max(1LL, std::atoll(argv[1])) : 1000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  fmt::print("inputs are in {}\n", scratch.path().string());
  return fuzz_all(scratch.path(), inputs, seed, argc > 3 ? argv[3] : "") > 0;
}

}  // namespace
}  // namespace alsbench::fuzz

int main(int argc, char** argv) { return alsbench::fuzz::run(argc, argv); }
