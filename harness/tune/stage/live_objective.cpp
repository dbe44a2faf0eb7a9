#include "harness/tune/stage/live_objective.h"

#include <algorithm>

#include "harness/sweep/rates.h"
#include "harness/sweep/sweep.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr int kRoofSamples = 3;

// Points of the baselines that are roofs, on one backend.
std::vector<std::pair<const Variant*, Config>> roof_points(Backend backend) {
  std::vector<std::pair<const Variant*, Config>> points;
  for (const Variant& variant : catalog()) {
    if (variant.stage->limit == Limit::none || variant.backend != backend || variant.hidden)
      continue;
    variant.space.for_each([&](const Config& config) { points.emplace_back(&variant, config); });
  }
  return points;
}

Json record_of(const Case& c, const Json& work, const std::vector<Sample>& samples) {
  Json record = blank_record(c);
  record["batch"] = "tuning";
  record["outcome"] = name_of(Outcome::ok);
  Measurement measurement;
  measurement.samples = samples;
  record["cold"] = measurement_json(measurement, work);
  return record;
}

void add_kernels(const Json& kernels, Evaluation& evaluation) {
  for (const Json& kernel : kernels) {
    evaluation.registers = std::max(evaluation.registers, kernel.at("registers").get<int64_t>());
    evaluation.memory_bytes =
        std::max(evaluation.memory_bytes, kernel.at("static_shared_bytes").get<int64_t>() +
                                              kernel.at("dynamic_shared_bytes").get<int64_t>());
    evaluation.code_hashes.push_back(kernel.at("code_hash"));
  }
}

// Seconds since `start`, added to `total` on destruction: whatever throws, the time was spent.
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<CompileRequest> kernels_of(const SearchSpace& space, const std::vector<size_t>& points,
                                       const Shape& shape, const DeviceTraits& traits) {
  std::vector<CompileRequest> all;
  for (const size_t point : points) {
    add_requests(all, *space[point].variant, space[point].config, shape, traits);
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

double LiveObjective::elapsed_seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void LiveObjective::announce(const std::vector<size_t>& points) {
  compiler_.announce(kernels_of(space_, points, shape_, traits_));
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
  const Json answer = worker_.prepare(c);
  add_kernels(answer.at("kernels"), evaluation);
  works_[evaluation.point] = answer.at("work");
  evaluation.verify_seconds = answer.at("verify_seconds");
  const Json& verification = answer.at("verification");
  evaluation.outcome = *outcome_named(verification.at("outcome").get<std::string>());
  if (evaluation.outcome == Outcome::ok) return true;
  evaluation.detail = verification.at("detail");
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

void LiveObjective::measure_roofs() {
  for (const auto& [variant, config] : roof_points(worker_.backend())) {
    Case c = worker_.case_of(*variant, config, part_);
    c.beside = "tuning";
    try {
      const Json answer = worker_.prepare(c);
      std::vector<Sample> samples;
      for (int i = 0; i < kRoofSamples; ++i) samples.push_back(worker_.sample(c, CacheMode::cold));
      roofs_.push_back(record_of(c, answer.at("work"), samples));
    } catch (const WorkerFailure&) {
      // Without this roof shares are of the others.
    }
  }
  worker_.release();  // their gigabytes
}

std::optional<double> LiveObjective::share_of_roof(size_t point, double seconds) const {
  const auto work = works_.find(point);
  if (work == works_.end() || !(seconds > 0)) return std::nullopt;
  const Case c = worker_.case_of(*space_[point].variant, space_[point].config, part_);
  Sample sample;
  sample.seconds = seconds;
  std::vector<Json> records = roofs_;
  records.push_back(record_of(c, work->second, {sample}));
  add_shares(records, {});
  const Json& share = records.back()["cold"]["share_of_roof"];
  if (!share.is_object()) return std::nullopt;
  std::optional<double> most;
  for (const char* of : {"flops", "compulsory_bytes"})
    if (share[of].is_number()) most = std::max(most.value_or(0), share[of].get<double>());
  return most;
}

}  // namespace alsbench
