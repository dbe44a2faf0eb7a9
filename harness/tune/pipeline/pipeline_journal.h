// SPDX-License-Identifier: Apache-2.0
// The records of the journal of a tuning of pipelines, which ResumableTrialRunner fills: its head,
// then each training, each ended search, and the evaluations of searches that have not ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/journal.h"
#include "harness/tune/pipeline/pipeline_record.h"

namespace alsbench {

// The search and its options.
struct PipelineSearch {
  struct Space {
    std::string part, stage;
    std::optional<SpaceSummary> space;  // nothing where there is none
  };
  std::string device;  // its name
  int members = 1;
  TunedTraining training;
  ProblemSpec problem;
  DataRecord data;
  Goal goal = Goal::time;
  int iterations = 0;
  double tolerance = 0;
  std::string strategy;
  uint64_t seed = 0;
  int64_t stage_evaluations = 0;
  std::optional<std::vector<PipelineRecord>> warm_start;
  std::vector<Space> spaces;
};

// The first record. A tuning of another search cannot go on from it.
struct PipelineHead {
  PipelineSearch search;
  DeviceRecord device;
  Provenance provenance;
};

struct AskedTraining {
  std::vector<PipelineRecord> pipelines;
  Config hyper;
  int iterations = 0;
  std::optional<double> target;
  EvaluationSchedule evaluation;
};

struct JournaledTraining {
  AskedTraining asked;
  TrialRun run;
};

struct JournaledSearch {
  std::string search;  // its name
  TuningResultRecord result;
};

struct JournaledPoint {
  std::string search;  // its name
  EvaluationRecord evaluation;
};

// Throw as Journal::create and resume_journal.
ResumedJournal create_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options);
ResumedJournal resume_pipeline_journal(const std::filesystem::path& path,
                                       const PipelineTuningContext& context,
                                       const PipelineTuneOptions& options);

void describe(Fields<PipelineSearch::Space>& fields);
void describe(Fields<PipelineSearch>& fields);
void describe(Fields<PipelineHead>& fields);
void describe(Fields<AskedTraining>& fields);
void describe(Fields<TrialRun>& fields);
void describe(Fields<JournaledTraining>& fields);
void describe(Fields<JournaledSearch>& fields);
void describe(Fields<JournaledPoint>& fields);

}  // namespace alsbench
