// SPDX-License-Identifier: Apache-2.0
// TuningJournal: the file of a tuning: what it searches, and every measurement as soon as it is
// taken. --resume goes on from it, and `tune replay` makes it the objective. A journal of
// `--strategy exhaustive` is a recorded space.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/fields/fields.h"
#include "harness/record/journal.h"
#include "harness/record/provenance.h"
#include "harness/sweep/suite/suite.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

// The search and its options. What a recording of another program lacks is empty.
struct TuningSearch {
  std::string stage;  // a recording's may be one that this build has not
  std::optional<Backend> backend;
  std::string part;
  std::string device;  // its name
  std::optional<ProblemSpec> problem;
  std::optional<DataRecord> data;
  SpaceSummary space;
  SamplingPlan sampling;
  std::string strategy;
  int64_t passes = 1;
  uint64_t seed = 1;
  std::vector<KernelsProvenance> kernels = {};  // custom ones
  std::vector<ProblemSpec> also = {};           // further problems, whose times count as well
};
void describe(Fields<TuningSearch>& fields);

// The first record of a journal. A tuning of another search cannot go on from it. A recording from
// outside may have the search alone.
struct TuningHead {
  TuningSearch search;
  std::optional<DeviceRecord> device;
  std::optional<Shape> shape;
  std::optional<Provenance> provenance;
};
void describe(Fields<TuningHead>& fields);

// Goes on from the journal of a tuning that began with `head`, or starts it where there is none
// yet. Throws as Journal::resume. Throws UsageError where the journal is of another kind or another
// `search`, and says in what it differs.
ResumedJournal resume_journal(const std::filesystem::path& path, const Json& head);
// Converts a record of a journal for a space. Throws UsageError naming the journal where the space
// lacks a point of the record.
template <class Make>
auto of_journal(const std::filesystem::path& path, const Make& make) {
  try {
    return make();
  } catch (const UsageError& error) {
    throw UsageError(path.string() + ": is damaged: " + error.what());
  }
}
// Evaluations of one point as one, in order of first appearance.
std::vector<Evaluation> joined(const std::vector<Evaluation>& list);

class TuningJournal {
 public:
  // Throws EnvironmentError where the journal cannot be written.
  static TuningJournal create(const std::filesystem::path& path, const TuningHead& head);
  // Throws UsageError when the journal is of another search, saying in what it differs.
  static TuningJournal resume(const std::filesystem::path& path, const TuningHead& head,
                              const SearchSpace& space);

  void add(const Evaluation& evaluation, const SearchSpace& space, bool playoff);
  void finish() { journal_.finish(); }  // once the results are written
  void end_part(const std::string& budget) { journal_.end_part(budget); }

  // Evaluations that it held when it was resumed, samples of a point joined; without the playoff's.
  const std::vector<Evaluation>& known() const { return known_; }
  const std::vector<std::string>& problems() const { return problems_; }  // damaged lines

 private:
  explicit TuningJournal(Journal journal) : journal_(std::move(journal)) {}
  Journal journal_;
  std::vector<Evaluation> known_;
  std::vector<std::string> problems_;
};

// A journal read as a recording. Needs nothing of this build's catalog.
struct Recording {
  TuningHead head;
  SearchSpace space;                    // the points it has, valid or failed
  std::vector<Evaluation> evaluations;  // one a point, by index
  std::vector<std::string> problems;
};
// Prior knowledge of a live search, from the head's sizes, where they are known.
void expect_work(Recording& recording);
// From a journal or a file of another tuner (tuner_file.h), compressed by gzip or not. Throws
// UsageError where it is none.
Recording read_recording(const std::filesystem::path& path);

}  // namespace alsbench
