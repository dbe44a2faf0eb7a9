// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/stage/tuning_worker.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/measure/sampler.h"
#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

// Loading may generate, or read, hundreds of millions of ratings.
constexpr double kLoadSeconds = 3600;

}  // namespace

TuningWorker::TuningWorker(TuningWorkerOptions options)
    : options_(std::move(options)), client_(options_.command, options_.interrupted) {}

DeviceTraits TuningWorker::traits() const {
  return backend() == Backend::cpu ? open_cpu_device()->traits()
                                   : cuda_device_traits(std::stoi(options_.device));
}

Case TuningWorker::case_of(const Variant& variant, const Config& config,
                           const std::string& part) const {
  Case c;
  c.backend = variant.backend;
  c.device = options_.device;
  c.problem = options_.problem;
  c.variant = &variant;
  c.config = config;
  c.part = part;
  c.modes = {CacheMode::cold};
  return c;
}

void TuningWorker::open() {
  if (fresh()) return;
  prepared_.clear();
  device_ = client_.ask(worker::Open{options_.device}, kLoadSeconds);
  try {
    data_ = client_.ask(worker::Load{options_.problem}, kLoadSeconds);
  } catch (const WorkerFailure& failure) {
    if (failure.outcome == Outcome::oom) throw OutOfMemoryError(failure.what());
    throw;
  }
  generation_ = client_.generation();
}

const DeviceRecord& TuningWorker::device() {
  open();
  return device_;
}

const DataRecord& TuningWorker::data() {
  open();
  return data_;
}

Shape TuningWorker::shape(const std::string& part) {
  open();
  const worker::PartShape answer =
      client_.ask(worker::GetShape{options_.problem, part}, kLoadSeconds);
  Shape shape = answer.shape;
  shape.damping = answer.damping;
  shape.distinct_ratings = answer.distinct_ratings;
  return shape;
}

worker::Prepared TuningWorker::prepare(const Case& c) {
  const auto ask = [&] {
    open();
    worker::Prepared answer = client_.ask(worker::Prepare{c}, options_.timeout_seconds);
    prepared_.insert(c.name());
    return answer;
  };
  try {
    return ask();
  } catch (const WorkerFailure& failure) {
    // Cases that were prepared before keep their memory: without them there may be room.
    if (failure.outcome != Outcome::oom || prepared_.empty()) throw;
  }
  release();
  return ask();
}

bool TuningWorker::prepared(const Case& c) const { return fresh() && prepared_.contains(c.name()); }

Sample TuningWorker::sample(const Case& c, CacheMode mode) {
  const worker::TakeSample request{c.name(), mode};
  for (int attempt = 1;; ++attempt) {
    const Sample sample = client_.ask(request, options_.timeout_seconds);
    if (!is_to_be_taken_again(sample)) return sample;
    if (attempt > kPatience) {
      ++kept_;
      return sample;
    }
    ++disturbed_;
    lost_seconds_ += sample.host_seconds;
  }
}

CountersRecord TuningWorker::count(const Case& c, CacheMode mode) {
  try {
    if (!prepared(c)) prepare(c);
    return client_.ask(worker::Count{c.name(), mode}, options_.timeout_seconds);
  } catch (const WorkerFailure& failure) {
    return no_counters(failure);
  }
}

EnergyRecord TuningWorker::energy(const Case& c) {
  if (!prepared(c)) prepare(c);
  return client_.ask(worker::MeasureEnergy{c.name()}, options_.timeout_seconds);
}

std::string TuningWorker::disturbances() const {
  if (disturbed_ == 0) return "";
  return fmt::format(
      "other work on this machine disturbed {} samples, which were taken again ({:.1f} s); {} "
      "stayed disturbed",
      disturbed_, lost_seconds_, kept_);
}

void TuningWorker::release() {
  prepared_.clear();
  if (fresh()) client_.ask(worker::Release{}, options_.timeout_seconds);
}

}  // namespace alsbench
