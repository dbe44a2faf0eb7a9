// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/stage/tuning_worker.h"

#include <fmt/format.h>

#include "harness/device/device.h"
#include "harness/measure/sampler.h"
#include "harness/record/core_codecs.h"
#include "variants/core/error.h"

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
  const Json opened = client_.request({{"op", "open"}, {"device", options_.device}}, kLoadSeconds);
  device_ = device_record_from_json(JsonField(opened).at("device"));
  try {
    const Json loaded =
        client_.request({{"op", "load"}, {"problem", to_json(options_.problem)}}, kLoadSeconds);
    data_ = data_record_from_json(JsonField(loaded).at("data"));
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
  const Json answer = client_.request(
      {{"op", "shape"}, {"problem", to_json(options_.problem)}, {"part", part}}, kLoadSeconds);
  Shape shape = shape_from_json(JsonField(answer).at("shape"));
  shape.damping = JsonField(answer).at("damping").number();  // documents do without these two
  shape.distinct_ratings = JsonField(answer).at("distinct_ratings").integer32();
  return shape;
}

PreparedReport TuningWorker::prepare(const Case& c) {
  const auto ask = [&] {
    open();
    const Json answer =
        client_.request({{"op", "prepare"}, {"case", to_json(c)}}, options_.timeout_seconds);
    prepared_.insert(c.name());
    return prepared_report_from_json(JsonField(answer));
  };
  try {
    return ask();
  } catch (const WorkerFailure& failure) {
    // What was prepared before keeps its memory: without that there may be room.
    if (failure.outcome != Outcome::oom || prepared_.empty()) throw;
  }
  release();
  return ask();
}

bool TuningWorker::prepared(const Case& c) const { return fresh() && prepared_.contains(c.name()); }

Sample TuningWorker::sample(const Case& c, CacheMode mode) {
  const Json request{{"op", "sample"}, {"name", c.name()}, {"mode", name_of(mode)}, {"count", 1}};
  for (int attempt = 1;; ++attempt) {
    const Json answer = client_.request(request, options_.timeout_seconds);
    const Sample sample = sample_from_json(JsonField(answer).at("samples").elements().at(0));
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
    const Json answer = client_.request(
        {{"op", "count"}, {"name", c.name()}, {"mode", name_of(mode)}}, options_.timeout_seconds);
    return counters_record_from_json(JsonField(answer).at("counters"));
  } catch (const WorkerFailure& failure) {
    return {
        {},
        0,
        CountersRefusal{NoCounters::failed, failure.what(), "see docs/explanation/profiling.md"}};
  }
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
  if (fresh()) client_.request({{"op", "release"}}, options_.timeout_seconds);
}

}  // namespace alsbench
