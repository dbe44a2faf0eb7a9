// SPDX-License-Identifier: Apache-2.0
#include "harness/device/process_exchange.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "kernels/load/shared_library.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

using Clock = std::chrono::steady_clock;

// mpirun ends a process that was told to end, and did not, after a second.
constexpr std::chrono::milliseconds kPatience{300};
constexpr int kTriesBeforeSleep = 2000;
constexpr std::chrono::microseconds kSleep{50};

// Where the build leaves the library.
std::string folder_of_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

class ProcessExchange : public Exchange {
 public:
  ProcessExchange(const MpiCalls& calls, const std::atomic<bool>& told_to_end)
      : calls_(&calls), told_to_end_(&told_to_end) {}
  ~ProcessExchange() override {
    if (!aborted_) calls_->finish();
  }

  void send(int /*member*/, void* data, const std::vector<Block>& blocks) override {
    for (size_t root = 0; root < blocks.size(); ++root)
      if (const Block& block = blocks[root]; block.size > 0)
        under_way_.push_back(begun(calls_->broadcast(static_cast<char*>(data) + block.begin,
                                                     block.size, static_cast<int>(root))));
  }
  void arrive(int /*member*/) override {
    for (void* const collective : under_way_) wait(collective);
    under_way_.clear();
  }
  std::vector<char> gather(int /*member*/, const void* own, int64_t bytes) override {
    std::vector<char> all(static_cast<size_t>(bytes * calls_->size));
    wait(begun(calls_->gather(own, bytes, all.data())));
    return all;
  }
  // The other processes learn it from MPI, once this one has ended.
  void abort() noexcept override { aborted_ = true; }

 private:
  static void* begun(void* collective) {
    if (collective == nullptr) throw EnvironmentError("MPI refused a message to other processes");
    return collective;
  }

  void wait(void* collective) const {
    std::optional<Clock::time_point> told;
    for (int tries = 0;; ++tries) {
      const int answer = calls_->ended(collective);
      if (answer > 0) return;
      if (answer < 0) throw EnvironmentError("MPI lost another process of the training");
      if (*told_to_end_ && !told) told = Clock::now();
      if (told && Clock::now() - *told > kPatience)
        throw EnvironmentError(
            "told to end while waiting for another process of the training, which may be lost");
      if (tries > kTriesBeforeSleep) std::this_thread::sleep_for(kSleep);
    }
  }

  const MpiCalls* calls_;
  const std::atomic<bool>* told_to_end_;
  std::vector<void*> under_way_;
  bool aborted_ = false;
};

}  // namespace

// What Open MPI, MPICH and Slurm set for each process.
bool started_by_mpi() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (std::getenv(variable) != nullptr) return true;
  return false;
}

const MpiCalls& start_mpi() {
  MpiStart* start = nullptr;
  try {
    SharedLibrary(kMpiLibrary, {folder_of_program()}).bind(kMpiStart, start);
  } catch (const MissingLibrary& error) {
    throw EnvironmentError(
        std::string("MPI started this program, but its part for MPI is missing: ") + error.what() +
        "; build it where MPI is installed (Debian: libopenmpi-dev), or start it without MPI");
  }
  const MpiCalls* const calls = start();
  if (calls == nullptr) throw EnvironmentError("MPI does not start: MPI_Init_thread failed");
  return *calls;
}

std::unique_ptr<Exchange> process_exchange(const MpiCalls& calls,
                                           const std::atomic<bool>& told_to_end) {
  return std::make_unique<ProcessExchange>(calls, told_to_end);
}

}  // namespace alsbench
