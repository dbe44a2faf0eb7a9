// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as the engine that registers and runs the samples of `run`.
//
// What it does: every sample is registered under its measurement's name as a benchmark of one
// iteration and one repetition with manual time, and the library runs what is registered, in that
// order. Results leave the program in its JSON format, too (harness/record/export), so that its
// tools, compare.py among them, read them.
//
// What it does not do: it chooses no number of iterations, computes no statistics, shuffles nothing
// (its own interleaving cannot be seeded) and prints nothing. Clocks, stop rules and records are
// ours: rounds.h, harness/measure and harness/record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace alsbench {

// One sample to take. `body` returns its seconds, or nothing where it failed.
struct RegisteredSample {
  std::string name;
  std::function<std::optional<double>()> body;
};

// Runs all, in their order. What a body throws is thrown again; the bodies after it do not run.
void run_with_google_benchmark(const std::vector<RegisteredSample>& samples);

}  // namespace alsbench
