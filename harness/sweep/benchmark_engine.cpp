#include "harness/sweep/benchmark_engine.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

namespace alsbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;
using Clock = std::chrono::steady_clock;

// Samples of one measurement in the coming round: one to learn what it costs, then up to the
// minimum, then half as many again; never beyond the time that is left.
int64_t round_samples(const Measurement& m, const StopRule& rule) {
  const auto count = static_cast<int64_t>(m.samples.size());
  if (count == 0) return 1;
  const int64_t wanted = std::max(rule.min_samples - count, (count + 1) / 2);
  const double cost = std::max(m.elapsed_seconds / static_cast<double>(count), 1e-9);
  const double affordable = std::ceil((rule.max_seconds - m.elapsed_seconds) / cost);
  const int64_t in_time = affordable < 1e9 ? static_cast<int64_t>(affordable) : wanted;
  return std::clamp<int64_t>(std::min(wanted, in_time), 1, rule.max_samples - count);
}

// Collects Google Benchmark's own reports of single iterations, across rounds.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (sink_ == nullptr || runs.empty()) return;
    Run run = runs.front();
    run.statistics = nullptr;  // belongs to a registration that will be cleared
    run.cpu_accumulated_time = host_seconds_;
    sink_->push_back(std::move(run));
    sink_ = nullptr;
  }
  // Where the run that is being taken goes.
  void expect(std::vector<Run>* sink, double host_seconds) {
    sink_ = sink;
    host_seconds_ = host_seconds;
  }

 private:
  std::vector<Run>* sink_ = nullptr;
  double host_seconds_ = 0;
};

std::vector<double> seconds_of(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& sample : samples) seconds.push_back(sample.seconds);
  return seconds;
}

}  // namespace

struct BenchmarkEngine::Reports {
  // Runs by measurement name, in order of first measurement.
  std::vector<std::pair<std::string, std::vector<Run>>> families;

  void add(const std::string& name, std::vector<Run> runs) {
    const auto known = std::find_if(families.begin(), families.end(),
                                    [&](const auto& family) { return family.first == name; });
    if (known == families.end())
      families.emplace_back(name, std::move(runs));
    else  // of another launch
      std::move(runs.begin(), runs.end(), std::back_inserter(known->second));
  }
};

BenchmarkEngine::BenchmarkEngine() : reports_(std::make_unique<Reports>()) {}
BenchmarkEngine::~BenchmarkEngine() = default;

namespace {

// One round: every undecided measurement's samples in random order, each registered as a benchmark
// of one iteration. (The library's own random interleaving cannot be seeded.)
class Round {
 public:
  Round(std::vector<Measurement>& measurements, std::vector<std::vector<Run>>& runs,
        std::vector<bool>& failed, const TakeSample& take)
      : measurements_(measurements), runs_(runs), failed_(failed), take_(take) {}

  void run(const std::vector<size_t>& order) {
    for (const size_t index : order)
      benchmark::RegisterBenchmark(measurements_[index].name.c_str(),
                                   [this, index](benchmark::State& state) { body(state, index); })
          ->Iterations(1)
          ->Repetitions(1)
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
    benchmark::RunSpecifiedBenchmarks(&collector_, nullptr, ".");
    benchmark::ClearRegisteredBenchmarks();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void body(benchmark::State& state, size_t index) {
    for (auto _ : state) {
      if (failed_[index] || error_) {
        state.SkipWithError("not measured");
        break;
      }
      const std::optional<Sample> sample = sample_of(index);
      if (!sample) {
        failed_[index] = true;
        state.SkipWithError("failed");
        break;
      }
      state.SetIterationTime(sample->seconds);
      if (sample->sm_clock_hz > 0) state.counters["sm_clock_hz"] = sample->sm_clock_hz;
      collector_.expect(&runs_[index], sample->host_seconds);
    }
  }

  std::optional<Sample> sample_of(size_t index) {
    Measurement& m = measurements_[index];
    const auto start = Clock::now();
    try {
      const std::optional<Sample> sample = take_(index);
      m.elapsed_seconds += std::chrono::duration<double>(Clock::now() - start).count();
      if (sample) m.samples.push_back(*sample);
      return sample;
    } catch (...) {
      error_ = std::current_exception();  // must not pass through the library
      return std::nullopt;
    }
  }

  std::vector<Measurement>& measurements_;
  std::vector<std::vector<Run>>& runs_;
  std::vector<bool>& failed_;
  const TakeSample& take_;
  Collector collector_;
  std::exception_ptr error_;
};

}  // namespace

void BenchmarkEngine::measure(std::vector<Measurement>& measurements, const StopRule& rule,
                              uint64_t seed, const TakeSample& take, const Decided& decided) {
  std::mt19937_64 generator(seed);
  std::vector<std::vector<Run>> runs(measurements.size());
  std::vector<bool> failed(measurements.size(), false), over(measurements.size(), false);
  while (true) {
    std::vector<size_t> order;
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      order.insert(order.end(), static_cast<size_t>(round_samples(m, rule)), i);
    }
    if (order.empty()) break;
    std::shuffle(order.begin(), order.end(), generator);
    Round(measurements, runs, failed, take).run(order);
    for (size_t i = 0; i < measurements.size(); ++i) {
      Measurement& m = measurements[i];
      if (over[i]) continue;
      if (!failed[i]) m.stop_reason = stop_reason(rule, seconds_of(m.samples), m.elapsed_seconds);
      over[i] = failed[i] || !m.stop_reason.empty();
      if (over[i] && decided) decided(i);
    }
  }
  for (size_t i = 0; i < measurements.size(); ++i)
    if (!failed[i]) reports_->add(measurements[i].name, std::move(runs[i]));
}

std::string BenchmarkEngine::json() const {
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  benchmark::BenchmarkReporter::Context::executable_name = "alsbench";
  reporter.ReportContext(benchmark::BenchmarkReporter::Context());
  int64_t family = 0;
  for (const auto& [name, runs] : reports_->families) {
    std::vector<Run> entries = runs;
    for (size_t i = 0; i < entries.size(); ++i) {
      entries[i].run_name = benchmark::BenchmarkName();
      entries[i].run_name.function_name = name;
      entries[i].family_index = family;
      entries[i].per_family_instance_index = 0;
      entries[i].repetitions = static_cast<int64_t>(entries.size());
      entries[i].repetition_index = static_cast<int64_t>(i);
    }
    if (!entries.empty()) reporter.ReportRuns(entries);
    ++family;
  }
  reporter.Finalize();
  return text.str();
}

}  // namespace alsbench
