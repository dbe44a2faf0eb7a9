// SPDX-License-Identifier: Apache-2.0
// CuptiSession: values of named metrics for each kernel that some work launches, by CUPTI's range
// profiler. Each kernel is a range of its own (auto range). The caller repeats the work for each
// pass (user replay), and so controls a kernel's inputs and caches.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace alsbench {

// A row a kernel, in the order of launches: the values of the metrics, NaN where the chip has no
// metric of that name.
using MetricRows = std::vector<std::vector<double>>;

struct CollectedMetrics {
  MetricRows kernels;
  int executions = 0;   // of the work: one a pass
  size_t left_out = 0;  // kernels beyond `max_kernels`
};

// Those of `metrics` that a chip such as "GH100" has. Needs no GPU. Throws CountersUnavailable.
std::vector<std::string> metrics_of_chip(const std::string& chip,
                                         const std::vector<std::string>& metrics);

// Collects the same metrics again and again, on the current context of a device.
class MetricCollector {
 public:
  // Throws CountersUnavailable, as collect() does.
  MetricCollector(int ordinal, const std::vector<std::string>& metrics);
  ~MetricCollector();
  MetricCollector(const MetricCollector&) = delete;
  MetricCollector& operator=(const MetricCollector&) = delete;

  // Executes `work` once a pass, each time after `prepare`; both enqueue, `wait` waits. There is
  // room for `max_kernels` of one execution, which costs time and memory.
  CollectedMetrics collect(size_t max_kernels, const std::function<void()>& prepare,
                           const std::function<void()>& work, const std::function<void()>& wait);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace alsbench
