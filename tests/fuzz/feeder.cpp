// SPDX-License-Identifier: Apache-2.0
#include "feeder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <new>

#include "base/error.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

void write_input(const fs::path& file, const std::string& input) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << input;
}

}  // namespace

std::string Feeder::expected() const {
  write_input(file_, reader_.seeds.front());
  return reader_.read(file_);
}

void Feeder::feed(const std::string& input, const std::string* expected) {
  write_input(file_, input);
  ++tally_.inputs;
  alarm(kMaxSeconds);
  try {
    const std::string found = reader_.read(file_);
    if (expected == nullptr || found == *expected) {
      ++tally_.same;
    } else {
      ++tally_.other;
      if (reader_.checked)
        keep_input(file_, reader_.name, ++tally_.changes,
                   "reads as something else: " + found.substr(0, 200));
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
    keep_input(file_, reader_.name, ++tally_.crashes,
               fmt::format("throws what is no error of input: {}", error.what()));
  }
  alarm(0);
}

void keep_input(const fs::path& input, const std::string& reader, int64_t number,
                const std::string& what) {
  const fs::path kept =
      fs::temp_directory_path() / fmt::format("alsbench-fuzz-{}-{}-{}", getpid(), reader, number);
  fs::copy_file(input, kept, fs::copy_options::overwrite_existing);
  fmt::print(stderr, "{}: {} ({})\n", reader, what, kept.string());
}

}  // namespace alsbench::fuzz
