// SPDX-License-Identifier: Apache-2.0
// Results of a tuning of pipelines: its document, its table for people, and the entries of the
// tuning database.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/tune/pipeline/pipeline_document.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

// The tuned problem, in addition to the result.
struct PipelineTuningContext {
  const Algorithm* algorithm = &default_algorithm();
  std::string minimised;  // minimised_text() of the trainings
  ProblemSpec problem;
  std::vector<std::pair<std::string, Shape>> shapes;  // by part, in the algorithm's order
  DeviceTraits traits;
  int members = 1;  // such devices, of the team that trains
  DeviceRecord device;
  DataRecord data;
  Provenance provenance;                              // of the run
  const Shape& shape(const std::string& part) const;  // throws std::out_of_range
};

PipelineTuningDocument document_of(const PipelineTuning& tuning, const PipelineTuneOptions& options,
                                   const PipelineTuningContext& context);

// The choice and its margin for each part, and where the time went.
std::string table_of(const PipelineTuning& tuning, const PipelineTuneOptions& options);

// One entry a part. For the code hash it compiles the picks' kernels, or finds them in the cache.
std::vector<TunedEntry> entries_of(const PipelineTuning& tuning, const PipelineTuneOptions& options,
                                   const PipelineTuningContext& context);

// Of a run and the device that it tuned on.
EntryProvenance entry_provenance(const Provenance& provenance, const DeviceRecord& device);

// The entry of a stage that was tuned for one part; `context` says where. Where the space has one
// variant alone, the entry is of that variant ("solve/cg"), else of the stage. Throws
// std::logic_error where nothing was found.
TunedEntry stage_entry(const TuningResult& result, const SearchSpace& space, const Budget& budget,
                       const std::string& part, const PipelineTuningContext& context);

}  // namespace alsbench
