// SPDX-License-Identifier: Apache-2.0
// Team: the devices of one training, a thread or a process each. All members run the same code and
// meet in its collectives: calls that every member makes, in the same order. An error of one member
// ends the waiting of all others.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/device/device.h"
#include "harness/device/exchange.h"

namespace alsbench {

class Team;

// One of a team, in its thread. Where it is alone, its collectives return at once.
class Member {
 public:
  Member(Device& device) : device_(&device) {}  // NOLINT: a device is a team of one

  int index() const { return index_; }
  int count() const;
  bool alone() const { return count() == 1; }
  bool first() const { return index_ == 0; }
  Device& device() const { return *device_; }

  // Collectives. Those of device memory are enqueued, as Exchange has them; the others are of the
  // host. All throw where another member failed.
  void send(void* data, const std::vector<Block>& blocks) const;
  void wait_for_blocks() const;
  void all_reduce_max(uint32_t* words, int64_t count) const;
  // The others' addresses of what is at `own` here, where this device writes there: those of the
  // members behind it come first, or all would write to one at once.
  std::vector<void*> others_of(void* own) const;
  void wait_for_all() const;
  int64_t bytes_of_a_launch() const;  // of the host
  // Each value becomes the sum over the members, added in their order.
  void sum(std::span<double> values) const;
  void sum(std::span<int64_t> values) const;
  int64_t sum(int64_t value) const;
  void barrier() const { sum(int64_t{0}); }  // waits for the others
  // Each member's value, in their order.
  std::vector<double> each(double value) const;
  // Whether one of them says so.
  bool any(bool said) const { return sum(said ? int64_t{1} : int64_t{0}) > 0; }

 private:
  friend class Team;
  Member(Team& team, int index);

  Device* device_;
  Team* team_ = nullptr;  // null: alone
  int index_ = 0;
};

class Team {
 public:
  // Of one, which must outlive it.
  explicit Team(Device& device) : devices_{&device} {}
  // Throws UsageError where they are not alike, EnvironmentError where they cannot exchange.
  explicit Team(std::vector<std::unique_ptr<Device>> devices);
  // Of `size` processes, of which this is member `member`.
  Team(std::unique_ptr<Device> device, std::unique_ptr<Exchange> exchange, int member, int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }
  // Those in this process: their number, and the first one's index in the team.
  int here() const { return static_cast<int>(devices_.size()); }
  int first_local() const { return first_; }
  // Whether the team's first member is in this process, which then writes and tells.
  bool leads() const { return first_ == 0; }
  // Of this process's first member.
  Device& device() const { return *devices_.front(); }

  // Does `work` as every member of this process at once. The first runs in this thread, and each
  // other one in a thread of its own. Returns when they have ended; throws the error that came
  // first.
  void run(const std::function<void(const Member& member)>& work);

 private:
  friend class Member;
  void work_as(int member, const std::function<void(const Member& member)>& work) noexcept;
  void fail(std::exception_ptr error) noexcept;
  void open_exchange();
  Device& device_of(int member) const { return *devices_[static_cast<size_t>(member - first_)]; }

  std::vector<std::unique_ptr<Device>> owned_;
  std::vector<Device*> devices_;
  int first_ = 0;
  int size_ = 1;
  std::unique_ptr<Exchange> exchange_;
  std::mutex error_mutex_;
  std::exception_ptr error_;  // the first of the run
};

inline int Member::count() const { return team_ != nullptr ? team_->size() : 1; }

// Cost of a team's gathers: seconds, whatever they carry, and bytes a second that a member gets.
struct TeamLink {
  double latency_seconds = 0;
  double bytes_per_second = 0;
};
// Measures it: a collective. Nothing is known of a member that is alone.
TeamLink measure_link(const Member& member);

// A team of the devices that `name` joins by +, such as "cpu", "0" or "0+1". Throws like
// open_device and Team.
std::unique_ptr<Team> open_team(const std::string& name);
// A team of the processes that MPI started, of which each has the device_of_process() of that name,
// a GPU or its share of the CPU. To be called once, by the thread that trains. Throws like that,
// like process_exchange.h and open_device.
std::unique_ptr<Team> open_process_team(const std::string& name,
                                        const std::atomic<bool>& stop_requested);

}  // namespace alsbench
