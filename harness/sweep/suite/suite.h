// SPDX-License-Identifier: Apache-2.0
// Suite: what a run measures and why, read from configs/suites/*.json (embedded in the binary) or
// from a user's file, whose form is a SuiteDocument.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/data/dataset.h"
#include "harness/measure/sampler.h"
#include "harness/record/journal.h"
#include "harness/sweep/suite/axis.h"
#include "harness/sweep/suite/peer_spec.h"
#include "harness/sweep/suite/train_spec.h"

namespace alsbench {

struct ProblemSpec {
  DataRequest data;
  int32_t rank = 100;
  float lambda = 0.05f;
  std::optional<Backend> backend = std::nullopt;  // measured on this one alone
  bool operator==(const ProblemSpec&) const = default;
  bool wants(Backend other) const { return !backend || *backend == other; }
  std::string name() const;  // "netflix@0.1/rank:100", or the sizes: "M=512,N=512"
};

// Measurements of one stage: every variant at every combination of the axes, for each part.
struct MeasureSpec {
  Stage stage = nullptr;
  std::vector<const Variant*> variants;
  std::vector<std::string> parts;  // "part" in the file
  std::vector<Axis> axes;
  // Base configuration; unnamed parameters at their default. kTunedText: the database's of each
  // variant.
  std::string config;
  std::vector<CacheMode> modes;
  bool tuned() const { return config == kTunedText; }
};

struct Suite {
  std::string name;
  std::string description;
  Answer answer = Answer::fastest;
  std::vector<ProblemSpec> problems;
  std::vector<MeasureSpec> measure;
  std::vector<MeasureSpec> ceilings;  // measured among the cases, in the same process
  std::vector<TrainSpec> train;
  std::vector<PeerSpec> peers;
  StopRule sampling;
  double timeout_seconds = 60;  // of one request to a worker, beyond loading the data
  std::string hash;             // of the file's content
};

// Reads and checks all of a suite. Throws UsageError that lists every error with its JSON pointer
// and, where a name is wrong, the nearest valid one.
Suite parse_suite(const std::string& text, const std::string& source);
// The text of a shipped suite by name ("quick"), or of a file.
std::string suite_text(const std::string& name_or_path);
// The file that it is read from; empty for a shipped suite.
std::filesystem::path suite_file(const std::string& name_or_path);
Suite load_suite(const std::string& name_or_path);
std::vector<std::string> suite_names();
// Another suite that has a name, as of custom kernels. Throws UsageError where there is one of it.
void add_suite(const std::string& name, std::string text);

}  // namespace alsbench
