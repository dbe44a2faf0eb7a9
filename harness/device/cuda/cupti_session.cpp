// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/cupti_session.h"

#include "harness/device/counters_unavailable.h"
#include "harness/device/cuda/cupti_library.h"

#ifdef ALSBENCH_WITH_CUPTI

#include <cuda.h>

#include <cstdint>
#include <limits>

#include "harness/device/cuda/check.h"

namespace alsbench {
// A name space without a name would make members of MetricCollector::Plan local to this file.
// NOLINTBEGIN(misc-use-internal-linkage)
namespace cupti {

// The profiler of this process.
class Profiler {
 public:
  Profiler() {
    CUPTI_PARAMS(Profiler_Initialize, params);
    CUPTI_CALL(cuptiProfilerInitialize, params);
  }
  ~Profiler() {
    CUPTI_PARAMS(Profiler_DeInitialize, params);
    cupti_library().cuptiProfilerDeInitialize(&params);
  }
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;
};

std::string chip_name(int ordinal) {
  CUPTI_PARAMS(Device_GetChipName, params);
  params.deviceIndex = static_cast<size_t>(ordinal);
  CUPTI_CALL(cuptiDeviceGetChipName, params);
  return params.pChipName;
}

// The driver is not linked: the runtime finds its function.
CUcontext current_context() {
  using Function = CUresult(CUcontext*);
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  constexpr unsigned kFirstVersion = 4000;  // CUDA 4.0
  CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, kFirstVersion,
                                              cudaEnableDefault, &found));
  CUcontext context = nullptr;
  if (function != nullptr) reinterpret_cast<Function*>(function)(&context);
  return context;
}

// Metrics of a chip: plans their passes and computes their values.
class MetricHost {
 public:
  explicit MetricHost(const std::string& chip) {
    CUPTI_PARAMS(Profiler_Host_Initialize, params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    CUPTI_CALL(cuptiProfilerHostInitialize, params);
    host_ = params.pHostObject;
  }
  ~MetricHost() {
    CUPTI_PARAMS(Profiler_Host_Deinitialize, params);
    params.pHostObject = host_;
    cupti_library().cuptiProfilerHostDeinitialize(&params);
  }
  MetricHost(const MetricHost&) = delete;
  MetricHost& operator=(const MetricHost&) = delete;

  // Whether the chip has a metric. One that it lacks must not be added: no other could be then.
  bool has(const char* metric) const {
    CUPTI_PARAMS(Profiler_Host_GetMetricProperties, params);
    params.pHostObject = host_;
    params.pMetricName = metric;
    return cupti_library().cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
  }

  void add(std::vector<const char*> metrics) {
    CUPTI_PARAMS(Profiler_Host_ConfigAddMetrics, params);
    params.pHostObject = host_;
    params.ppMetricNames = metrics.data();
    params.numMetrics = metrics.size();
    CUPTI_CALL(cuptiProfilerHostConfigAddMetrics, params);
  }

  std::vector<uint8_t> config_image() const {
    CUPTI_PARAMS(Profiler_Host_GetConfigImageSize, size);
    size.pHostObject = host_;
    CUPTI_CALL(cuptiProfilerHostGetConfigImageSize, size);
    std::vector<uint8_t> image(size.configImageSize);
    CUPTI_PARAMS(Profiler_Host_GetConfigImage, params);
    params.pHostObject = host_;
    params.configImageSize = image.size();
    params.pConfigImage = image.data();
    CUPTI_CALL(cuptiProfilerHostGetConfigImage, params);
    return image;
  }

  std::vector<double> values(const std::vector<uint8_t>& counter_data, size_t range,
                             std::vector<const char*> metrics) const {
    std::vector<double> values(metrics.size());
    CUPTI_PARAMS(Profiler_Host_EvaluateToGpuValues, params);
    params.pHostObject = host_;
    params.pCounterDataImage = counter_data.data();
    params.counterDataImageSize = counter_data.size();
    params.rangeIndex = range;
    params.ppMetricNames = metrics.data();
    params.numMetrics = metrics.size();
    params.pMetricValues = values.data();
    CUPTI_CALL(cuptiProfilerHostEvaluateToGpuValues, params);
    return values;
  }

 private:
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

// Counts on the device: while it lives, the context is profiled.
class RangeProfiler {
 public:
  RangeProfiler() {
    CUPTI_PARAMS(RangeProfiler_Enable, params);
    params.ctx = current_context();
    CUPTI_CALL(cuptiRangeProfilerEnable, params);
    profiler_ = params.pRangeProfilerObject;
  }
  ~RangeProfiler() {
    CUPTI_PARAMS(RangeProfiler_Disable, params);
    params.pRangeProfilerObject = profiler_;
    cupti_library().cuptiRangeProfilerDisable(&params);
  }
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  std::vector<uint8_t> counter_data(std::vector<const char*> metrics, size_t ranges) const {
    CUPTI_PARAMS(RangeProfiler_GetCounterDataSize, size);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = metrics.data();
    size.numMetrics = metrics.size();
    size.maxNumOfRanges = ranges;
    size.maxNumRangeTreeNodes = static_cast<uint32_t>(ranges);
    CUPTI_CALL(cuptiRangeProfilerGetCounterDataSize, size);
    std::vector<uint8_t> image(size.counterDataSize);
    CUPTI_PARAMS(RangeProfiler_CounterDataImage_Initialize, params);
    params.pRangeProfilerObject = profiler_;
    params.counterDataSize = image.size();
    params.pCounterData = image.data();
    CUPTI_CALL(cuptiRangeProfilerCounterDataImageInitialize, params);
    return image;
  }

  // Both images must outlive the passes.
  void configure(const std::vector<uint8_t>& config, std::vector<uint8_t>& counter_data,
                 size_t ranges) const {
    CUPTI_PARAMS(RangeProfiler_SetConfig, params);
    params.pRangeProfilerObject = profiler_;
    params.configSize = config.size();
    params.pConfig = config.data();
    params.counterDataImageSize = counter_data.size();
    params.pCounterDataImage = counter_data.data();
    params.range = CUPTI_AutoRange;
    params.replayMode = CUPTI_UserReplay;
    params.maxRangesPerPass = ranges;
    params.numNestingLevels = 1;
    params.minNestingLevel = 1;
    params.passIndex = 0;
    params.targetNestingLevel = 1;
    CUPTI_CALL(cuptiRangeProfilerSetConfig, params);
  }

  void start() const {
    CUPTI_PARAMS(RangeProfiler_Start, params);
    params.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cuptiRangeProfilerStart, params);
  }
  // Whether that was the last pass.
  bool stop() const {
    CUPTI_PARAMS(RangeProfiler_Stop, params);
    params.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cuptiRangeProfilerStop, params);
    return params.isAllPassSubmitted != 0;
  }
  // Into the counter data. Returns the kernels for which it had no room.
  size_t decode() const {
    CUPTI_PARAMS(RangeProfiler_DecodeData, params);
    params.pRangeProfilerObject = profiler_;
    CUPTI_CALL(cuptiRangeProfilerDecodeData, params);
    return params.numOfRangeDropped;
  }

 private:
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
};

size_t ranges_in(const std::vector<uint8_t>& counter_data) {
  CUPTI_PARAMS(RangeProfiler_GetCounterDataInfo, params);
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  CUPTI_CALL(cuptiRangeProfilerGetCounterDataInfo, params);
  return params.numTotalRanges;
}

}  // namespace cupti
// NOLINTEND(misc-use-internal-linkage)

std::vector<std::string> metrics_of_chip(const std::string& chip,
                                         const std::vector<std::string>& metrics) {
  cupti::MetricHost host(chip);
  std::vector<std::string> known;
  for (const std::string& metric : metrics)
    if (host.has(metric.c_str())) known.push_back(metric);
  for (const std::string& metric : known) host.add({metric.c_str()});
  return known;
}

// State shared by all executions: opening it takes a fifth of a second.
struct MetricCollector::Plan {
  cupti::Profiler profiler;
  cupti::MetricHost host;
  size_t count;  // of the metrics that were asked for
  std::vector<std::string> known;
  std::vector<size_t> places;  // of the known ones among them
  std::vector<uint8_t> config;

  Plan(int ordinal, const std::vector<std::string>& metrics)
      : host(cupti::chip_name(ordinal)), count(metrics.size()) {
    for (size_t i = 0; i < metrics.size(); ++i) {
      if (!host.has(metrics[i].c_str())) continue;
      known.push_back(metrics[i]);
      places.push_back(i);
    }
    host.add(names());
    config = host.config_image();
  }
  std::vector<const char*> names() const {
    std::vector<const char*> names;
    for (const std::string& metric : known) names.push_back(metric.c_str());
    return names;
  }
  // NaN where the chip has no metric.
  std::vector<double> row(const std::vector<uint8_t>& counter_data, size_t range) const {
    const std::vector<double> values = host.values(counter_data, range, names());
    std::vector<double> row(count, std::numeric_limits<double>::quiet_NaN());
    for (size_t i = 0; i < values.size(); ++i) row[places[i]] = values[i];
    return row;
  }
};

MetricCollector::MetricCollector(int ordinal, const std::vector<std::string>& metrics)
    : plan_(std::make_unique<Plan>(ordinal, metrics)) {}

MetricCollector::~MetricCollector() = default;

CollectedMetrics MetricCollector::collect(size_t max_kernels, const std::function<void()>& prepare,
                                          const std::function<void()>& work,
                                          const std::function<void()>& wait) {
  const cupti::RangeProfiler counting;
  std::vector<uint8_t> counter_data = counting.counter_data(plan_->names(), max_kernels);
  counting.configure(plan_->config, counter_data, max_kernels);
  CollectedMetrics result;
  for (bool last = false; !last; ++result.executions) {
    prepare();
    wait();
    counting.start();
    work();
    wait();
    last = counting.stop();
  }
  result.left_out = counting.decode();
  for (size_t range = 0; range < cupti::ranges_in(counter_data); ++range)
    result.kernels.push_back(plan_->row(counter_data, range));
  return result;
}

}  // namespace alsbench

#else

namespace alsbench {

namespace {

[[noreturn]] void refuse() {
  throw CountersUnavailable(
      CountersFailureKind::build, "this alsbench was built without CUPTI's range profiler",
      "install CUPTI's headers of the CUDA toolkit, then configure and build again");
}

}  // namespace

std::vector<std::string> metrics_of_chip(const std::string&, const std::vector<std::string>&) {
  refuse();
}
struct MetricCollector::Plan {};
MetricCollector::MetricCollector(int, const std::vector<std::string>&) { refuse(); }
MetricCollector::~MetricCollector() = default;
CollectedMetrics MetricCollector::collect(size_t, const std::function<void()>&,
                                          const std::function<void()>&,
                                          const std::function<void()>&) {
  refuse();
}

}  // namespace alsbench

#endif
