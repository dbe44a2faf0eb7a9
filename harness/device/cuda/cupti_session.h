// SPDX-License-Identifier: Apache-2.0
// CuptiSession: values of named metrics for each kernel that some work launches, by CUPTI's range
// profiler. Kernels are ranges of their own (auto range), and the caller repeats the work for each
// pass (user replay), so that a kernel's inputs and caches are what the caller makes them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace alsbench {

// A row a kernel, in the order of launches: the values of the metrics, NaN where the chip has no
// metric of that name.
using MetricRows = std::vector<std::vector<double>>;

struct MetricValues {
  MetricRows kernels;
  int executions = 0;  // of the work: one a pass
};

// Those of `metrics` that a chip such as "GH100" has. Needs no GPU. Throws CountersRefused.
std::vector<std::string> metrics_of_chip(const std::string& chip,
                                         const std::vector<std::string>& metrics);

// Executes `work` once a pass, each time after `prepare`, on the current context of device
// `ordinal`; both enqueue, `wait` waits. Kernels of one execution: `most_kernels` at most. Throws
// CountersRefused.
MetricValues collect_metrics(int ordinal, const std::vector<std::string>& metrics,
                             size_t most_kernels, const std::function<void()>& prepare,
                             const std::function<void()>& work, const std::function<void()>& wait);

}  // namespace alsbench
