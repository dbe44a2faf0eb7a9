// RunJournal: what a run has on disk: what it was started with, its devices, and the record of each
// finished case. Used by `alsbench run`, which goes on from one with --resume.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/journal.h"
#include "harness/record/outcome.h"
#include "harness/sweep/case.h"

namespace alsbench {

// The first record of a run's journal. `selection` is what decides which measurement a case name
// stands for: a run that differs in it cannot go on from this journal.
struct RunHead {
  std::string suite;
  Json selection;
  Json provenance;
};

// Whether a resumed run tries failed cases again. A hang would cost its time limit once more.
enum class Retry { none, failed };

class RunJournal {
 public:
  // Replaces a journal of that path as a whole: whatever happens, the file has its first record.
  // Throws EnvironmentError where it cannot be written.
  static RunJournal create(const std::filesystem::path& path, const RunHead& head);
  // Goes on from the journal, or creates it where there is none yet. Throws UsageError when it is
  // of another selection, saying in what it differs.
  static RunJournal resume(const std::filesystem::path& path, const RunHead& head);

  void add_device(const std::string& name, const Json& device);  // its first report is kept
  void add_record(const Json& record);  // in place of an earlier one of the same name

  // The outcome of a case that needs no further run: it was measured in all its cache modes, was
  // skipped, or failed and is not to be retried. Nothing for any other.
  std::optional<Outcome> known(const Case& c, Retry retry = Retry::none) const;

  const std::vector<Json>& records() const { return records_; }
  std::vector<Json> devices() const;
  const Json& provenance() const { return provenance_; }
  const std::vector<std::string>& problems() const { return problems_; }  // damaged lines

 private:
  explicit RunJournal(Journal journal) : journal_(std::move(journal)) {}
  void keep(const Json& record);

  Journal journal_;
  Json provenance_;
  std::vector<std::string> problems_;
  std::vector<Json> records_;
  std::map<std::string, size_t> index_;  // of a record, by name
  std::map<std::string, Json> devices_;
};

}  // namespace alsbench
