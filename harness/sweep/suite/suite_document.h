// SPDX-License-Identifier: Apache-2.0
// SuiteDocument: a suite as people write it. `alsbench schema suite` prints its schema, and
// docs/reference/schema.md explains it; suite.h has what becomes of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/data/data_request.h"
#include "harness/record/core_codecs.h"
#include "harness/record/fields/forms.h"
#include "harness/record/measurement_record.h"
#include "harness/record/suite_record.h"
#include "harness/sweep/suite/axis.h"

namespace alsbench {

enum class Backends { all, cpu, cuda };
constexpr auto enum_names(Backends) {
  return std::to_array<EnumName<Backends>>({{Backends::all, "auto"}});
}
std::vector<Backend> backends_of(Backends backends);

// By name, in the order of the file.
using NamedValues = std::vector<std::pair<std::string, TextOrNumber>>;
using AxisEntries = std::vector<std::pair<std::string, OneOrMore<TextOrNumber>>>;
std::vector<Axis> axes_of(const AxisEntries& entries);

struct ProblemEntry {
  std::string dataset;
  std::filesystem::path path;
  double scale = 1;
  int32_t rank = 100;
  float lambda = 0.05f;
  int64_t seed = 1;
  std::string format, columns, values;
  std::filesystem::path test;
  double test_fraction = 0.1;
  SplitBy split_by = SplitBy::random;
  Duplicates duplicates = Duplicates::error;
  Backends backend = Backends::all;
  std::vector<std::pair<std::string, int64_t>> sizes;
};

struct MeasureEntry {
  std::string stage;
  OneOrMore<std::string> variant;
  Backends backend = Backends::all;
  OneOrMore<std::string> part;
  AxisEntries axes;
  std::string config;
  OneOrMore<CacheMode> cache;
};
struct CeilingEntry : MeasureEntry {};

// A text for all backends, or one for each that has it.
struct PipelineEntry {
  std::optional<std::string> all;
  std::optional<std::string> cpu, cuda;
  std::optional<std::string> on(Backend backend) const;
};
struct PartPipelineEntry {
  std::string part;
  PipelineEntry pipeline;
};

struct TrainEntry {
  std::string name;
  std::string algorithm;  // "" is the default
  NamedValues hyper;
  std::optional<PipelineEntry> pipeline;     // of all parts
  std::vector<PartPipelineEntry> pipelines;  // or of each
  Backends backend = Backends::all;
  AxisEntries axes;
  int32_t iterations = 10;
  std::optional<double> target;
};

struct PeerEntry {
  std::string peer;
  std::string name;  // "" is the peer's own
  int32_t iterations = 10;
  std::optional<double> lambda;
  NamedValues options;
  std::optional<int64_t> memory_mib;
};

struct SamplingEntry {
  std::optional<int64_t> min_samples, max_samples;
  std::optional<double> max_noise, max_seconds;
};

struct SuiteDocument {
  std::string name;
  std::string description;
  Answer answer = Answer::fastest;
  std::vector<ProblemEntry> problems;
  std::vector<MeasureEntry> measure;
  std::vector<CeilingEntry> ceilings;
  std::vector<TrainEntry> train;
  std::vector<PeerEntry> peers;
  SamplingEntry sampling;
  double timeout_seconds = 60;
};

void describe(Fields<ProblemEntry>& fields);
void describe(Fields<MeasureEntry>& fields);
void describe(Fields<CeilingEntry>& fields);
const Type& type_for(const PipelineEntry*);
void describe(Fields<PartPipelineEntry>& fields);
void describe(Fields<TrainEntry>& fields);
void describe(Fields<PeerEntry>& fields);
void describe(Fields<SamplingEntry>& fields);
void describe(Fields<SuiteDocument>& fields);

}  // namespace alsbench
