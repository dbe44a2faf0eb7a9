// SPDX-License-Identifier: Apache-2.0
// Sides of comparisons made by hand, for the tests of the judge.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "harness/judge/comparison_input.h"

namespace alsbench {

// `count` launches around `seconds`, evenly spread over +-`spread` (relative).
inline std::vector<Launch> launches_around(double seconds, int count, double spread = 0.0005) {
  std::vector<Launch> launches;
  for (int i = 0; i < count; ++i)
    launches.push_back({seconds * (1 + spread * (2.0 * i / std::max(1, count - 1) - 1)), 10});
  return launches;
}

inline ComparisonCase a_case(const std::string& name, std::vector<Launch> launches,
                             const std::string& code = "") {
  ComparisonCase c;
  c.name = name + "/cold";
  c.record = name;
  c.device = "0";
  c.launches = std::move(launches);
  if (!code.empty()) {
    KernelFacts kernel;
    kernel.instance = name;
    kernel.code_hash = code;
    kernel.resources = {64, 0, 1024, 0.5};  // registers, local, shared, occupancy
    kernel.grid = 100;
    kernel.block = 128;
    c.kernels = {kernel};
  }
  return c;
}

inline ComparisonCase a_fault(const std::string& name, Outcome outcome) {
  ComparisonCase c;
  c.name = c.record = name;
  c.device = "0";
  c.outcome = outcome;
  c.detail = "the reason";
  return c;
}

inline ComparisonCase a_control(const std::string& place, std::vector<Launch> launches) {
  ComparisonCase c = a_case("copy/memcpy/cuda/with:" + place, std::move(launches));
  c.role = CaseRole::control;
  c.kind = "copy/memcpy/cuda/cold";
  return c;
}

inline ComparisonInput a_side(const std::string& source, std::vector<ComparisonCase> cases) {
  ComparisonInput input;
  input.source = source;
  input.format = "alsbench";
  input.environment = {{"device 0", "NVIDIA H200"}, {"suite", "ci abc"}};
  input.cases = std::move(cases);
  return input;
}

}  // namespace alsbench
