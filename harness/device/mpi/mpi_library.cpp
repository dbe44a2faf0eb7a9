// SPDX-License-Identifier: Apache-2.0
// The library of mpi_calls.h: the only file that is compiled with MPI's header.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "harness/device/mpi/mpi_calls.h"

namespace alsbench {
namespace {

constexpr int64_t kLargest = int64_t{1} << 30;  // bytes of a message: MPI counts in int

// The messages of a collective.
struct Collective {
  std::vector<MPI_Request> requests;

  // Whether all of `statuses` succeeded so far.
  bool failed = false;
  void add(int status, MPI_Request request) {
    if (status == MPI_SUCCESS)
      requests.push_back(request);
    else
      failed = true;
  }
};

void* handle_of(std::unique_ptr<Collective> collective) {
  return collective->failed ? nullptr : collective.release();
}

void* broadcast(void* data, int64_t bytes, int root) {
  auto collective = std::make_unique<Collective>();
  for (int64_t at = 0; at < bytes; at += kLargest) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = static_cast<int>(std::min(kLargest, bytes - at));
    const int status =
        MPI_Ibcast(static_cast<char*>(data) + at, count, MPI_BYTE, root, MPI_COMM_WORLD, &request);
    collective->add(status, request);
  }
  return handle_of(std::move(collective));
}

void* gather(const void* own, int64_t bytes, void* all) {
  auto collective = std::make_unique<Collective>();
  MPI_Request request = MPI_REQUEST_NULL;
  const int count = static_cast<int>(bytes);
  const int status =
      MPI_Iallgather(own, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD, &request);
  collective->add(status, request);
  return handle_of(std::move(collective));
}

int ended(void* handle) {
  auto* const collective = static_cast<Collective*>(handle);
  int all = 0;
  const int status = MPI_Testall(static_cast<int>(collective->requests.size()),
                                 collective->requests.data(), &all, MPI_STATUSES_IGNORE);
  if (status == MPI_SUCCESS && all == 0) return 0;
  delete collective;
  return status == MPI_SUCCESS ? 1 : -1;
}

void finish() { MPI_Finalize(); }

void find_place_on_host(MpiCalls& calls) {
  MPI_Comm host = MPI_COMM_NULL;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) !=
      MPI_SUCCESS)
    return;
  MPI_Comm_size(host, &calls.processes_of_host);
  MPI_Comm_rank(host, &calls.rank_on_host);
  MPI_Comm_free(&host);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const MpiCalls* alsbench_mpi_start() {
  static MpiCalls calls;
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return nullptr;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &calls.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &calls.size);
  find_place_on_host(calls);
  calls.broadcast = broadcast;
  calls.gather = gather;
  calls.ended = ended;
  calls.finish = finish;
  return &calls;
}

}  // namespace alsbench
