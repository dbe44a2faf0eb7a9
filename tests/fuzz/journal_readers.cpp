// SPDX-License-Identifier: Apache-2.0
// Journals of runs and of tunings, recordings and cached kernels: checked lines, and what they
// hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#if ALSBENCH_WITH_CUDA
#include "harness/device/cuda/cubin_cache.h"
#endif
#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/files/atomic_file.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/record/journal.h"
#include "harness/record/result.h"
#include "harness/sweep/merge.h"
#include "harness/sweep/run_journal.h"
#include "harness/tune/pipeline/resumable_trial_runner.h"
#include "harness/tune/search/tuning_journal.h"
#include "readers.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAsWritten = "what was written, or less";

// A damaged line is left out, never changed: what is read must have been written.
std::string held_against(const std::set<std::string>& written,
                         const std::vector<std::string>& found) {
  for (const std::string& text : found)
    if (!written.contains(text)) return "not written: " + text;
  return kAsWritten;
}

// The records of a JSON array as a journal whose checksums are right: for its readers alone.
void frame(const fs::path& input, const fs::path& journal) {
  const Json records = parse_json(read_whole_file(input), input.string());
  std::string text;
  for (const JsonField& record : JsonField(records).elements())
    text += journal_line(record.value());
  write_file_atomically(journal, text, Sync::no);
}

std::string array_of(const JournalContent& content) {
  Json list = Json::array();
  for (const Json& record : content.records) list.push_back(record);
  return list.dump();
}

RunHead head_of_run() {
  RunHead head;
  head.suite = "fuzzed";
  head.selection.suite_hash = "0123";
  head.selection.devices = {{"cpu", "A processor"}};
  return head;
}

std::vector<std::string> texts_of(const RunJournal& run) {
  std::vector<std::string> texts;
  for (const CaseRecord& record : run.kept().records()) texts.push_back(to_json(record).dump());
  for (const DeviceRecord& device : run.kept().last_shard().devices)
    texts.push_back(to_json(device).dump());
  return texts;
}

void add_run(const fs::path& folder, std::vector<Reader>& readers) {
  const fs::path path = folder / "run.journal";
  const ResultDocument result =
      read_result(fs::path(ALSBENCH_SOURCE_DIR) / "tests/golden/results/small.json");
  {
    RunJournal run = RunJournal::create(path, head_of_run());
    run.add_device(result.devices.front());
    CaseRecord record = result.cases.front();
    record.number = 0;
    run.add_record(record);
  }
  const auto resumed = [path] { return texts_of(RunJournal::resume(path, head_of_run())); };
  const std::string seed = read_whole_file(path);
  const std::vector<std::string> all = resumed();
  const std::set<std::string> written(all.begin(), all.end());
  readers.push_back({"run-journal",
                     {seed},
                     [path, resumed, written](const fs::path& input) {
                       fs::copy_file(input, path, fs::copy_options::overwrite_existing);
                       return held_against(written, resumed());
                     },
                     true});
  readers.push_back(
      {"run-records", {array_of(parse_journal(seed))}, [path, resumed](const fs::path& input) {
         frame(input, path);
         return fmt::format("{}", fmt::join(resumed(), " "));
       }});
  const auto merged = [](const fs::path& input) {
    return to_json(merge({read_part(input)}).document)
        .dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  write_file_atomically(path, seed, Sync::no);
  readers.push_back({"merge", {to_json(read_part(path).document).dump(1), seed}, merged});
}

std::vector<std::string> texts_of(const Recording& recording) {
  std::vector<std::string> texts;
  for (const Evaluation& evaluation : recording.evaluations)
    texts.push_back(to_json(record_of(evaluation, recording.space)).dump());
  return texts;
}

// The first lines of a committed recording.
std::string small_recording() {
  constexpr int kLines = 5;
  const std::string text =
      document_text(fs::path(ALSBENCH_SOURCE_DIR) /
                    "results/recorded/nvidia-h200/solve-cg-netflix-rank100-x.journal.gz");
  size_t end = 0;
  for (int line = 0; line < kLines; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

void add_recording(const fs::path& folder, std::vector<Reader>& readers) {
  const std::string seed = small_recording();
  const fs::path path = folder / "tune.journal";
  write_file_atomically(path, seed, Sync::no);
  const std::vector<std::string> all = texts_of(read_recording(path));
  const std::set<std::string> written(all.begin(), all.end());
  const auto read = [written](const fs::path& input) {
    return held_against(written, texts_of(read_recording(input)));
  };
  readers.push_back({"tuning-journal", {seed}, read, true});
  readers.push_back({"recording", {gzip_of(seed)}, read, true});
  readers.push_back(
      {"tuning-records", {array_of(parse_journal(seed))}, [path](const fs::path& input) {
         frame(input, path);
         return fmt::format("{}", fmt::join(texts_of(read_recording(path)), " "));
       }});
}

// Has no device: what a journal lacks fails.
class NoRunner : public TrialRunner {
 public:
  const Recipe& recipe() const override { return recipe_; }
  const DeviceTraits& traits() const override { return traits_; }
  Shape shape(const std::string&) const override { return {}; }
  TuningResult search(const std::string&, const SearchSpace&, const TuneOptions&,
                      const std::vector<Evaluation>&) override {
    return {};
  }
  TrialRun train(const Recipe&, const TrialLength&) override {
    TrialRun training = given;
    training.detail = "measured";
    return training;
  }
  void expect(const std::string&, const SearchSpace&, const std::vector<size_t>&) override {}
  void expect(const Recipe&) override {}
  double data_seconds() const override { return 0; }
  double elapsed_seconds() const override { return 0; }
  void say(const std::string&) override {}

  TrialRun given;

 private:
  Recipe recipe_ = begin_recipe(default_algorithm());
  DeviceTraits traits_;
};

Json head_of_tuning() {
  return {{"kind", "pipeline-tuning"}, {"search", {{"stage_evaluations", 24}}}};
}

// The one training of a tuning of pipelines, from its journal or measured again.
std::string trained(ResumedJournal journal) {
  NoRunner runner;
  runner.given.iterations.push_back({.iteration = 1, .train_metric = 0.5, .test_metric = 0.6});
  runner.given.measured_seconds = 2.5;
  ResumableTrialRunner resumed(runner, std::move(journal));
  const TrialRun training = resumed.train(exact_recipe(default_algorithm(), Backend::cpu), {});
  std::string text =
      fmt::format("{} {} {} ", training.detail, training.measured_seconds, training.reached_target);
  for (const IterationRecord& record : training.iterations) text += to_json(record).dump();
  return text;
}

void add_pipelines(const fs::path& folder, std::vector<Reader>& readers) {
  const fs::path path = folder / "pipelines.journal";
  const std::string measured = trained({Journal::create(path, head_of_tuning()), {}});
  const auto resumed = [path] { return trained(resume_journal(path, head_of_tuning())); };
  const std::string seed = read_whole_file(path);
  const std::set<std::string> written{measured, resumed()};
  readers.push_back({"pipeline-journal",
                     {seed},
                     [path, resumed, written](const fs::path& input) {
                       fs::copy_file(input, path, fs::copy_options::overwrite_existing);
                       return held_against(written, {resumed()});
                     },
                     true});
  readers.push_back(
      {"pipeline-records", {array_of(parse_journal(seed))}, [path, resumed](const fs::path& input) {
         frame(input, path);
         return resumed();
       }});
}

#if ALSBENCH_WITH_CUDA
void add_cubins(const fs::path& folder, std::vector<Reader>& readers) {
  setenv("ALSBENCH_CACHE_DIR", (folder / "cache").c_str(), 1);
  CompiledKernel kernel;
  kernel.cubin = std::string(
      "\x7f"
      "ELF\0\n\xff machine code",
      19);
  kernel.lowered_name = "kernel";
  kernel.registers = 40;
  kernel.code_hash = "abc";
  const CubinCache cache;
  cache.store("key", kernel);
  const fs::path file = folder / "cache/cubin/key.cubin";
  const auto read = [cache, file](const fs::path& input) {
    fs::copy_file(input, file, fs::copy_options::overwrite_existing);
    const auto found = cache.find("key");
    if (!found) throw UsageError("is recompiled");
    return fmt::format("{} {} {} {}", found->cubin, found->lowered_name, found->registers,
                       found->code_hash);
  };
  readers.push_back({"cubin", {read_whole_file(file)}, read, true});
}
#endif

}  // namespace

void add_journal_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_run(folder, readers);
  add_recording(folder, readers);
  add_pipelines(folder, readers);
#if ALSBENCH_WITH_CUDA
  add_cubins(folder, readers);
#endif
}

}  // namespace alsbench::fuzz
