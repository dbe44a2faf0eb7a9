// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/stage/live_objective.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/clock.h"
#include "harness/stage/stage_support.h"
#include "harness/sweep/rates.h"
#include "harness/sweep/sweep.h"
#include "variants/catalog.h"
#include "variants/reference_rates.h"

namespace alsbench {
namespace {

constexpr int kCeilingSamples = 3;

// Names of the ceilings of the points, whatever the bytes they move.
std::set<std::string> ceiling_names(const SearchSpace& space, const DeviceTraits& traits) {
  Work large;
  large.compulsory_bytes = std::numeric_limits<double>::infinity();
  std::set<std::string> names;
  for (size_t i = 0; i < space.size(); ++i)
    for (const ReferenceRate& one :
         reference_rates_of(*space[i].variant, space[i].config, large, traits))
      if (one.ceiling) names.insert(one.name);
  return names;
}

// Points that measure these ceilings, on one backend.
std::vector<std::pair<const Variant*, Config>> ceiling_points(const std::set<std::string>& names,
                                                              Backend backend) {
  std::vector<std::pair<const Variant*, Config>> points;
  for (const Variant& variant : catalog()) {
    if (!variant.stage->reference_rate || variant.backend != backend || variant.hidden) continue;
    variant.space.for_each([&](const Config& config) {
      if (names.contains(*reference_rate_measured_by(variant, config)))
        points.emplace_back(&variant, config);
    });
  }
  return points;
}

CaseRecord record_of(const Case& c, const std::optional<Work>& work,
                     const std::vector<Sample>& samples) {
  CaseRecord record = blank_record(c);
  record.group = "tuning";
  record.outcome = Outcome::ok;
  Measurement measurement;
  measurement.samples = samples;
  record.work = work;
  record.cold = measurement_record(measurement, work);
  return record;
}

void add_kernels(const std::vector<KernelReport>& kernels, Evaluation& evaluation) {
  for (const KernelReport& kernel : kernels) {
    evaluation.registers = std::max<int64_t>(evaluation.registers, kernel.registers);
    evaluation.memory_bytes =
        std::max(evaluation.memory_bytes, kernel.static_shared_bytes + kernel.dynamic_shared_bytes);
    evaluation.code_hashes.push_back(kernel.code_hash);
  }
}

// Seconds since `start`, added to `total` on destruction: whatever throws, the time was spent.
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  ~Stopwatch() { total_ += seconds_since(start_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<CompileRequest> kernels_of(const SearchSpace& space, const std::vector<size_t>& points,
                                       const Shape& shape, const DeviceTraits& traits) {
  std::vector<CompileRequest> all;
  for (const size_t point : points) {
    const auto& [variant, name, config, coordinates] = space[point];
    add_requests(all, *variant, config, shape, traits);
    if (const auto inputs = support_of(variant->stage).inputs)
      for (const PipelineStep& step : inputs(storage_of(*variant, config), traits.backend))
        add_requests(all, *step.variant, step.config, shape, traits);
  }
  return all;
}

LiveObjective::LiveObjective(const SearchSpace& space, TuningWorker& worker, CompileAhead& compiler,
                             const std::string& part)
    : space_(space),
      worker_(worker),
      compiler_(compiler),
      part_(part),
      traits_(worker.traits()),
      shape_(worker.shape(part)) {}

double LiveObjective::elapsed_seconds() const { return seconds_since(start_); }

void LiveObjective::announce(const std::vector<size_t>& points,
                             const std::vector<size_t>& guesses) {
  compiler_.announce(kernels_of(space_, points, shape_, traits_),
                     kernels_of(space_, guesses, shape_, traits_));
}

bool LiveObjective::compile(Evaluation& evaluation) {
  const std::vector<CompileRequest> wanted =
      kernels_of(space_, {evaluation.point}, shape_, traits_);
  const Stopwatch watch(evaluation.wait_seconds);
  for (const CompileResult& result : compiler_.require(wanted)) {
    evaluation.compile_seconds += result.kernel.compile_seconds;
    if (result.error.empty()) continue;
    evaluation.outcome = Outcome::compile_error;
    evaluation.detail = result.error;
    return false;
  }
  return true;
}

bool LiveObjective::prepare(const Case& c, Evaluation& evaluation) {
  const Stopwatch watch(evaluation.prepare_seconds);
  const worker::Prepared report = worker_.prepare(c);
  add_kernels(report.kernels, evaluation);
  works_[evaluation.point] = report.work;
  evaluation.verify_seconds = report.verify_seconds;
  evaluation.outcome = report.verification.outcome;
  if (evaluation.outcome == Outcome::ok) return true;
  evaluation.detail = report.verification.detail;
  return false;
}

void LiveObjective::sample(const Case& c, int64_t samples, double give_up_seconds,
                           Evaluation& evaluation) {
  const Stopwatch watch(evaluation.measure_seconds);
  for (int64_t i = 0; i < samples; ++i) {
    const double seconds = worker_.sample(c, CacheMode::cold).seconds;
    evaluation.seconds.push_back(seconds);
    if (give_up_seconds > 0 && seconds > give_up_seconds) return;
  }
}

Evaluation LiveObjective::measure(size_t point, int64_t samples, double give_up_seconds) {
  Evaluation evaluation;
  evaluation.point = point;
  const Case c = worker_.case_of(*space_[point].variant, space_[point].config, part_);
  try {
    if (!worker_.prepared(c) && (!compile(evaluation) || !prepare(c, evaluation)))
      return evaluation;
    sample(c, samples, give_up_seconds, evaluation);
  } catch (const WorkerFailure& failure) {
    evaluation.outcome = failure.outcome;
    evaluation.detail = failure.what();
    evaluation.log_tail = failure.log_tail;
  }
  return evaluation;
}

void LiveObjective::measure_ceilings() {
  for (const auto& [variant, config] :
       ceiling_points(ceiling_names(space_, traits_), worker_.backend())) {
    Case c = worker_.case_of(*variant, config, part_);
    c.measured_with = "tuning";
    try {
      const std::optional<Work> work = worker_.prepare(c).work;
      std::vector<Sample> samples;
      const CacheMode mode = variant->stage->on_chip ? CacheMode::hot : CacheMode::cold;
      for (int i = 0; i < kCeilingSamples; ++i) samples.push_back(worker_.sample(c, mode));
      ceilings_.push_back(record_of(c, work, samples));
    } catch (const WorkerFailure&) {
      // Without this ceiling shares are of the others.
    }
  }
  worker_.release();  // their gigabytes
}

std::optional<double> LiveObjective::share_of_ceiling(size_t point, double seconds) const {
  const auto work = works_.find(point);
  if (work == works_.end() || !(seconds > 0)) return std::nullopt;
  const Case c = worker_.case_of(*space_[point].variant, space_[point].config, part_);
  Sample sample;
  sample.seconds = seconds;
  std::vector<CaseRecord> records = ceilings_;
  records.push_back(record_of(c, work->second, {sample}));
  DeviceRecord device;
  device.traits = traits_;
  device.id = records.back().device;
  add_shares(records, {device});
  const Share* nearest = records.back().cold->nearest_ceiling();
  return nearest == nullptr ? std::nullopt : std::optional(nearest->value);
}

}  // namespace alsbench
