// SPDX-License-Identifier: Apache-2.0
#include "harness/device/process_exchange.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "kernels/load/shared_library.h"

namespace alsbench {
namespace {

constexpr int kSpinsBeforeSleep = 2000;
constexpr std::chrono::microseconds kSleep{50};

// Where the build leaves the library, and where it is installed.
std::vector<std::string> folders_of_library() {
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program.string(), (program / ALSBENCH_MPI_DIR_FROM_PROGRAM).lexically_normal().string()};
}

void* begun(void* collective) {
  if (collective == nullptr) throw EnvironmentError("MPI refused a message to other processes");
  return collective;
}

}  // namespace

// Variables that Open MPI, MPICH and Slurm set for each process.
bool started_by_mpi() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (std::getenv(variable) != nullptr) return true;
  return false;
}

const MpiCalls& start_mpi() {
  MpiStart* start = nullptr;
  try {
    SharedLibrary(kMpiLibrary, folders_of_library()).bind(kMpiStart, start);
  } catch (const MissingLibrary& error) {
    throw EnvironmentError(
        std::string("MPI started this program, but its part for MPI is missing: ") + error.what() +
        "; install it (the package alsbench-mpi), build it where MPI is installed (Debian: "
        "libopenmpi-dev), or start it without MPI");
  }
  const MpiCalls* const calls = start();
  if (calls == nullptr) throw EnvironmentError("MPI does not start: MPI_Init_thread failed");
  return *calls;
}

ProcessExchange::~ProcessExchange() {
  if (!aborted_) calls_->finish();
}

void ProcessExchange::require_same_device(const std::string& device_name) {
  constexpr size_t kLongest = 256;
  std::string padded = device_name;
  padded.resize(kLongest);
  const std::vector<char> all = gather(calls_->rank, padded.data(), kLongest);
  for (size_t at = 0; at < all.size(); at += kLongest)
    if (const std::string other(all.data() + at); other != device_name)
      throw UsageError(
          fmt::format("a team has devices of one kind, but {} of process {} and {} of "
                      "process {} differ; name them with --device",
                      device_name, calls_->rank, other, at / kLongest));
}

void ProcessExchange::send(int /*member*/, void* data, const std::vector<Block>& blocks) {
  for (size_t root = 0; root < blocks.size(); ++root)
    if (const Block& block = blocks[root]; block.size > 0)
      under_way_.push_back(begun(calls_->broadcast(static_cast<char*>(data) + block.begin,
                                                   block.size, static_cast<int>(root))));
}

void ProcessExchange::wait_for_blocks(int /*member*/) {
  for (void* const collective : under_way_) wait(collective);
  under_way_.clear();
}

std::vector<char> ProcessExchange::gather(int /*member*/, const void* own, int64_t bytes) {
  std::vector<char> all(static_cast<size_t>(bytes * calls_->size));
  wait(begun(calls_->gather(own, bytes, all.data())));
  return all;
}

void ProcessExchange::share(void* data, int64_t bytes) {
  wait(begun(calls_->broadcast(data, bytes, 0)));
}

void ProcessExchange::wait(void* collective) const {
  std::optional<Clock::time_point> told;
  for (int tries = 0;; ++tries) {
    const int answer = calls_->ended(collective);
    if (answer > 0) return;
    if (answer < 0) throw EnvironmentError("MPI lost another process of the training");
    if (stop_requested() && !told) told = Clock::now();
    if (told && Clock::now() - *told > kPatience)
      throw EnvironmentError(
          "told to end while waiting for another process of the training, which may be lost");
    if (tries > kSpinsBeforeSleep) std::this_thread::sleep_for(kSleep);
  }
}

}  // namespace alsbench
