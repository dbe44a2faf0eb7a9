// SPDX-License-Identifier: Apache-2.0
// Exchanges of members that are threads of one process.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "harness/device/exchange.h"

namespace alsbench {

// Thrown to threads that wait at a barrier which another one aborted.
class BarrierAborted : public std::runtime_error {
 public:
  BarrierAborted() : std::runtime_error("another member of the team failed") {}
};

// Where the threads of a team wait for each other. Once it is broken off nobody waits there any
// more. A waiting thread spins for a while before it sleeps. Waking up takes as long as some
// exchanges, which would separate the members' iterations by that much.
class AbortableBarrier {
 public:
  explicit AbortableBarrier(int members) : contributions_(static_cast<size_t>(members)) {}

  // Waits until all have come. Returns each one's contribution, by member. Throws BarrierAborted.
  std::vector<void*> arrive_and_wait(int member, void* contribution = nullptr);
  void abort() noexcept;

 private:
  bool is_complete(uint64_t time) const { return aborted_ || generation_ != time; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<void*> contributions_, released_;
  size_t arrived_ = 0;
  std::atomic<uint64_t> generation_ = 0;  // that all came
  std::atomic<bool> aborted_ = false;
};

// Base of exchanges between members that are threads of one process.
class ThreadExchange : public Exchange {
 public:
  explicit ThreadExchange(int members) : barrier_(members) {}

  std::vector<char> gather(int member, const void* own, int64_t bytes) override {
    std::vector<char> result;
    for (const void* const values : barrier_.arrive_and_wait(member, const_cast<void*>(own))) {
      const char* const begin = static_cast<const char*>(values);
      result.insert(result.end(), begin, begin + bytes);
    }
    barrier_.arrive_and_wait(member);  // all have read
    return result;
  }
  void abort() noexcept override { barrier_.abort(); }

 protected:
  AbortableBarrier& barrier() { return barrier_; }

 private:
  AbortableBarrier barrier_;
};

}  // namespace alsbench
