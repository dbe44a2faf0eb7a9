// SPDX-License-Identifier: Apache-2.0
#include "harness/device/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "harness/device/cuda_backend.h"
#include "harness/device/device_selection.h"
#include "harness/device/process_exchange.h"

namespace alsbench {
namespace {

void check_alike(const std::vector<Device*>& devices) {
  const DeviceTraits& first = devices.front()->traits();
  for (const Device* device : devices)
    if (const DeviceTraits& traits = device->traits();
        traits.backend != first.backend || traits.name != first.name)
      throw UsageError(fmt::format("a team has devices of one kind, but {} and {} differ",
                                   first.name, traits.name));
}

}  // namespace

Member::Member(Team& team, int index)
    : device_(&team.device_of(index)), team_(&team), index_(index) {}

void Member::send(void* data, const std::vector<Block>& blocks) const {
  if (!alone()) team_->exchange_->send(index_, data, blocks);
}

void Member::wait_for_blocks() const {
  if (!alone()) team_->exchange_->wait_for_blocks(index_);
}

void Member::all_reduce_max(uint32_t* words, int64_t count) const {
  if (!alone()) team_->exchange_->all_reduce_max(index_, words, count);
}

std::vector<void*> Member::others_of(void* own) const {
  if (alone()) return {};
  std::vector<void*> addresses = team_->exchange_->addresses(index_, own);
  if (addresses.empty()) return {};
  std::ranges::rotate(addresses, addresses.begin() + index_);
  return {addresses.begin() + 1, addresses.end()};
}

int64_t Member::bytes_of_a_launch() const {
  return alone() ? 0 : team_->exchange_->bytes_of_a_launch();
}

void Member::wait_for_all() const {
  if (!alone()) team_->exchange_->wait_for_all(index_);
}

void Member::sum(std::span<double> values) const {
  if (!alone())
    combine(*team_->exchange_, index_, values.data(), static_cast<int64_t>(values.size()),
            std::plus<>());
}

void Member::sum(std::span<int64_t> values) const {
  if (!alone())
    combine(*team_->exchange_, index_, values.data(), static_cast<int64_t>(values.size()),
            std::plus<>());
}

int64_t Member::sum(int64_t value) const {
  sum(std::span(&value, 1));
  return value;
}

std::vector<double> Member::each(double value) const {
  std::vector<double> values(static_cast<size_t>(count()), 0.0);
  values[static_cast<size_t>(index_)] = value;
  sum(values);
  return values;
}

Team::Team(std::vector<std::unique_ptr<Device>> devices)
    : owned_(std::move(devices)), size_(static_cast<int>(owned_.size())) {
  for (const auto& device : owned_) devices_.push_back(device.get());
  check_alike(devices_);
  if (size() > 1) open_exchange();
}

Team::Team(std::unique_ptr<Device> device, std::unique_ptr<Exchange> exchange, int member, int size)
    : devices_{device.get()}, first_(member), size_(size), exchange_(std::move(exchange)) {
  owned_.push_back(std::move(device));
}

Team::~Team() = default;

void Team::open_exchange() {
  if (here() < size_) throw EnvironmentError("the processes of this team have parted");
  exchange_ = device().traits().backend == Backend::cpu ? shared_memory_exchange(size_)
                                                        : open_gpu_exchange(devices_);
}

void Team::fail(std::exception_ptr error) noexcept {
  const std::lock_guard lock(error_mutex_);
  if (error_) return;
  error_ = std::move(error);
  exchange_->abort();
}

void Team::work_as(int member, const std::function<void(const Member&)>& work) noexcept {
  try {
    device_of(member).use();
    work(Member(*this, member));
  } catch (...) {
    fail(std::current_exception());
  }
}

void Team::run(const std::function<void(const Member&)>& work) {
  if (size() == 1) return work(Member(device()));
  if (!exchange_) open_exchange();
  error_ = nullptr;
  std::vector<std::thread> others;
  try {
    for (int member = first_ + 1; member < first_ + here(); ++member)
      others.emplace_back([this, member, &work] { work_as(member, work); });
    work_as(first_, work);
  } catch (...) {  // no more threads: those that there are must not wait for the rest
    fail(std::current_exception());
  }
  for (std::thread& other : others) other.join();
  if (!error_) return;
  exchange_.reset();  // it was aborted
  std::rethrow_exception(std::exchange(error_, nullptr));
}

TeamLink measure_link(const Member& member) {
  constexpr int64_t kSmall = 4 << 10, kLarge = 16 << 20;  // bytes of a member
  constexpr int kTimes = 5;
  Device& device = member.device();
  // A GPU is kept busy while the members meet, as it is in a training: that is no exchange's time.
  const int fills = device.traits().backend == Backend::cuda ? 32 : 0;
  const Buffer buffer = device.allocate(kLarge * member.count());
  const auto start = device.make_event(), stop = device.make_event();
  const auto seconds_of = [&](int64_t bytes) {
    std::vector<Block> blocks;
    for (int m = 0; m < member.count(); ++m) blocks.push_back({m * bytes, bytes});
    double minimum = 0;
    for (int i = 0; i < kTimes; ++i) {
      for (int fill = 0; fill < fills; ++fill) device.fill(buffer.data(), 0, buffer.bytes());
      start->record();
      member.send(buffer.data(), blocks);
      member.wait_for_blocks();
      stop->record();
      const std::vector<double> each = member.each(stop->seconds_since(*start));
      const double seconds = *std::ranges::min_element(each);  // who came last
      minimum = i == 0 ? seconds : std::min(minimum, seconds);
    }
    return minimum;
  };
  const double small = seconds_of(kSmall), large = seconds_of(kLarge);
  const auto received = static_cast<double>((kLarge - kSmall) * (member.count() - 1));
  return {small, received / std::max(1e-9, large - small)};
}

std::unique_ptr<Team> open_team(const std::string& name) {
  const std::vector<std::string> names = team_members(name);
  const bool of_cpu = is_of_cpu(name);
  const int threads = open_cpu_device()->traits().multiprocessors;
  std::vector<std::unique_ptr<Device>> devices(names.size());
  for (size_t i = names.size(); i-- > 0;)  // the first, opened last, is this thread's
    devices[i] = of_cpu ? open_cpu_device(std::max(1, threads / static_cast<int>(names.size())))
                        : open_device(names[i]);
  return std::make_unique<Team>(std::move(devices));
}

std::unique_ptr<Team> open_process_team(const std::string& name,
                                        const std::atomic<bool>& stop_requested) {
  const MpiCalls& mpi = start_mpi();
  const std::string chosen = device_of_process(name, mpi.rank_on_host);
  if (!is_of_cpu(chosen)) {
    auto device = open_device(chosen);
    auto exchange = open_gpu_process_exchange(*device, mpi, stop_requested);
    return std::make_unique<Team>(std::move(device), std::move(exchange), mpi.rank, mpi.size);
  }
  const int threads = open_cpu_device()->traits().multiprocessors;
  const bool shared = threads == static_cast<int>(std::thread::hardware_concurrency()) &&
                      std::getenv("OMP_NUM_THREADS") == nullptr;
  auto device = open_cpu_device(shared ? std::max(1, threads / mpi.processes_of_host) : threads);
  auto exchange = std::make_unique<ProcessExchange>(mpi, stop_requested);
  exchange->require_same_device("the CPU");
  return std::make_unique<Team>(std::move(device), std::move(exchange), mpi.rank, mpi.size);
}

}  // namespace alsbench
