// SPDX-License-Identifier: Apache-2.0
#include "rounds.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "feeder.h"
#include "mutation.h"
#include "readers.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxReaders = 128;
// A reader that ends so many children is left alone for the rest of its round.
constexpr int64_t kMaxDeaths = 20;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// State shared by parent and child: the progress of the round, and the outcome of the inputs.
struct Progress {
  size_t readers = 0;
  size_t reader = 0;   // the one at work
  int64_t input = -1;  // that it reads; -1: none yet
  char names[kMaxReaders][40] = {};
  Tally tallies[kMaxReaders] = {};
};

std::vector<Reader> all_readers(const fs::path& folder) {
  std::vector<Reader> readers;
  add_data_readers(folder, readers);
  add_document_readers(folder, readers);
  add_journal_readers(folder, readers);
  add_model_readers(folder, readers);
  add_peer_readers(folder, readers);
  if (readers.size() > kMaxReaders) throw std::length_error("kMaxReaders is too small");
  return readers;
}

fs::path input_of(const fs::path& folder, size_t reader) {
  return folder / fmt::format("input-{}.json", reader);
}

// Bits of the first seed in turn, which are at most half of the inputs; then random changes. Those
// up to progress.input are made and not read.
void feed_reader(const Reader& reader, const Plan& plan, const fs::path& file, Progress& progress,
                 Tally& tally) {
  const double begin = now();
  Feeder feeder(reader, file, tally);
  const std::string expected = feeder.expected();
  const int64_t done = progress.input;
  int64_t next = 0;
  const auto feed = [&](const std::string& input, const std::string* held_against) {
    if (next++ <= done) return;
    progress.input = next - 1;
    feeder.feed(input, held_against);
  };
  const std::string& first = reader.seeds.front();
  const size_t bits = 8 * first.size(),
               step = std::max<size_t>(1, 2 * bits / static_cast<size_t>(plan.inputs));
  for (size_t bit = plan.seed % step; bit < bits && next < plan.inputs; bit += step)
    feed(flipped(first, bit), &expected);
  Dice dice(plan.seed);
  while (next < plan.inputs) {
    const std::string& from = reader.seeds[dice.below(reader.seeds.size())];
    const std::string& other = reader.seeds[dice.below(reader.seeds.size())];
    feed(mutated(from, other, dice), reader.checked ? &expected : nullptr);
  }
  tally.seconds += now() - begin;
}

// The rest of the round, from where `progress` is.
void feed_readers(const Plan& plan, const fs::path& folder, Progress& progress) {
  const std::vector<Reader> readers = all_readers(folder / std::to_string(getpid()));
  progress.readers = readers.size();
  for (; progress.reader < readers.size(); ++progress.reader, progress.input = -1) {
    const Reader& reader = readers[progress.reader];
    reader.name.copy(progress.names[progress.reader], sizeof progress.names[0] - 1);
    if (plan.reader.empty() || reader.name == plan.reader)
      feed_reader(reader, plan, input_of(folder, progress.reader), progress,
                  progress.tallies[progress.reader]);
  }
}

// The child never returns. The parent runs no threads, so a child of it may.
int status_of_child(const Plan& plan, const fs::path& folder, Progress& progress) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process could be started");
  if (child == 0) {
    int status = 1;
    try {
      fs::create_directories(folder / std::to_string(getpid()));
      feed_readers(plan, folder, progress);
      status = 0;
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    std::fflush(nullptr);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::remove_all(folder / std::to_string(child));
  return status;
}

void run_round(const Plan& plan, const fs::path& folder, Progress& progress) {
  progress.reader = 0;
  progress.input = -1;
  int64_t deaths = 0;
  size_t last = 0;
  while (const int status = status_of_child(plan, folder, progress)) {
    if (progress.readers == 0) throw std::runtime_error("the seeds cannot be made");
    Tally& tally = progress.tallies[progress.reader];
    const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    ++(hung ? tally.hangs : tally.crashes);
    const std::string name = progress.names[progress.reader];
    keep_input(input_of(folder, progress.reader), name, tally.hangs + tally.crashes,
               fmt::format("{} at input {}", hung ? "hangs" : "ends the program", progress.input));
    deaths = progress.reader == last ? deaths + 1 : 1;
    last = progress.reader;
    if (progress.input >= 0 && deaths < kMaxDeaths) continue;
    ++progress.reader;
    progress.input = -1;
  }
}

void print_row(std::string_view name, const Tally& tally) {
  fmt::print("{:26} {:9} {:9} {:9} {:8} {:6} {:15} {:9.0f}\n", name, tally.inputs,
             tally.same + tally.other, tally.refused, tally.crashes, tally.hangs, tally.changes,
             tally.seconds > 0 ? static_cast<double>(tally.inputs) / tally.seconds : 0);
}

int64_t print_table(const Progress& progress) {
  fmt::print("{:26} {:>9} {:>9} {:>9} {:>8} {:>6} {:>15} {:>9}\n", "reader", "inputs", "accepted",
             "refused", "crashes", "hangs", "silent changes", "a second");
  Tally sum;
  for (size_t i = 0; i < progress.readers; ++i) {
    const Tally& tally = progress.tallies[i];
    if (tally.inputs + tally.faults() == 0) continue;
    print_row(progress.names[i], tally);
    sum.inputs += tally.inputs;
    sum.same += tally.same + tally.other;
    sum.refused += tally.refused;
    sum.crashes += tally.crashes;
    sum.hangs += tally.hangs;
    sum.changes += tally.changes;
    sum.seconds += tally.seconds;
  }
  print_row("all", sum);
  if (sum.inputs == 0) throw std::runtime_error("no reader has this name");
  return sum.faults();
}

}  // namespace

int64_t run_rounds(const Plan& plan) {
  const ScratchFolder scratch;
  void* const memory =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share");
  Progress& progress = *new (memory) Progress;
  Plan round = plan;
  const double begin = now();
  do {
    run_round(round, scratch.path(), progress);
    ++round.seed;
  } while (now() - begin < plan.seconds);
  fmt::print("seeds {} to {}, {} inputs each\n", plan.seed, round.seed - 1, plan.inputs);
  return print_table(progress);
}

}  // namespace alsbench::fuzz
