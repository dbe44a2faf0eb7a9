// SPDX-License-Identifier: Apache-2.0
// Readers of files that people, other programs and other releases write: JSON.
#include <fmt/format.h>

#include <algorithm>

#include "harness/custom/kernel_file.h"
#include "harness/data/generator_spec.h"
#include "harness/files/atomic_file.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/judge/comparison.h"
#include "harness/judge/comparison_input.h"
#include "harness/judge/foreign_input.h"
#include "harness/judge/history.h"
#include "harness/judge/history_shifts.h"
#include "harness/judge/report.h"
#include "harness/judge/static_baseline.h"
#include "harness/record/export/export.h"
#include "harness/report/report.h"
#include "harness/sweep/suite/suite.h"
#include "harness/tune/database/database_file.h"
#include "harness/tune/search/space_file.h"
#include "readers.h"
#include "variants/core/expression.h"

namespace alsbench::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ALSBENCH_SOURCE_DIR;

// Each file of the folder whose name ends so, up to 64 KiB.
std::vector<std::string> files_in(const fs::path& folder, std::string_view ending) {
  std::vector<std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().ends_with(ending) && entry.is_regular_file() &&
        entry.file_size() < (1 << 16))
      contents.push_back(read_whole_file(entry.path()));
  std::sort(contents.begin(), contents.end());
  return contents;
}

Json json_of(const fs::path& file) { return parse_json(read_whole_file(file), file.string()); }

// A document with the first elements of a list alone: inputs are small, so changes meet much.
std::string with_few(const fs::path& file, const char* list, size_t maximum = 2) {
  Json json = json_of(file);
  while (json[list].size() > maximum) json[list].erase(json[list].size() - 1);
  return json.dump(1);
}

const fs::path kResult = kRoot / "tests/golden/results/small.json";

// Sources of all examples in one folder, beside which a kernel.json is read.
void add_kernels(const fs::path& folder, std::vector<Reader>& readers) {
  const fs::path kernels = kRoot / "examples/kernels", beside = folder / "kernel";
  fs::create_directories(beside);
  for (const auto& entry : fs::recursive_directory_iterator(kernels))
    if (entry.is_regular_file())
      fs::copy_file(entry.path(), beside / entry.path().filename(),
                    fs::copy_options::overwrite_existing);
  readers.push_back({"kernel", files_in(kernels, "kernel.json"), [beside](const fs::path& file) {
                       write_file_atomically(beside / "kernel.json", read_whole_file(file),
                                             Sync::no);
                       const custom::KernelFile read = custom::read_kernel_file(beside);
                       return read.name + std::to_string(read.kernels.size());
                     }});
}

void add_written_by_people(std::vector<Reader>& readers) {
  readers.push_back({"suite", files_in(kRoot / "configs/suites", ".json"),
                     [](const fs::path& file) { return load_suite(file.string()).name; }});
  readers.push_back({"specification", files_in(kRoot / "configs/datasets", ".json"),
                     [](const fs::path& file) { return dataset_spec(file.string()).name; }});
  readers.push_back(
      {"space",
       {R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "tile", "Type": "int", "Values": "[1, 2, 4]"}],)"
        R"( "Conditions": [{"Expression": "tile <= 4", "Parameters": ["tile"]}]},)"
        R"( "Search": {"Name": "random"}, "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 8}]})"},
       [](const fs::path& file) {
         return std::to_string(parse_space_file(read_whole_file(file), file.string()).axes.size());
       }});
  readers.push_back(
      {"condition",
       {"tile * threads <= 1280 and l1 == on", "not (a in [1, 2] or b // 3 % 2 != -1)",
        "x not in ('a', 'b') and True"},
       [](const fs::path& file) {
         const Condition condition(read_whole_file(file));
         const Config config(
             {{"tile", "7"}, {"threads", "64"}, {"l1", "on"}, {"a", "2"}, {"b", "9"}, {"x", "c"}});
         return fmt::format("{} {}", condition.names().size(), condition.holds(config));
       }});
  readers.push_back(
      {"accepted",
       {R"({"schema_version": "2.0.0", "kind": "accepted_shifts", "shifts": [{"name": "a/*",)"
        R"( "from": "2026-02-01", "to": "2026-02-28", "max_ratio": 1.1, "reason": "checks more", "expires": "2026-12-31"}]})"},
       [](const fs::path& file) { return std::to_string(read_accepted_shifts(file).size()); }});
}

// Read, judged against itself and written in every format.
std::string all_of_result(const fs::path& file) {
  const ResultDocument result = read_result(file);
  size_t bytes = to_json(result).dump(-1, ' ', false, Json::error_handler_t::replace).size();
  for (const ExportFormat& format : export_formats()) bytes += format.result(result).size();
  history_run_of(result, file.string());
  return std::to_string(bytes);
}

std::string compared(const fs::path& file) {
  const ComparisonInput input = read_comparison_input({file});
  return std::string(name_of(conclusion_of(compare(input, input, {}))));
}

std::string exported_comparison(const fs::path& file) {
  const ComparisonDocument document = comparison_from_json(json_of(file), file.string());
  size_t bytes = 0;
  for (const ExportFormat& format : export_formats())
    if (format.comparison != nullptr) bytes += format.comparison(document).size();
  return std::to_string(bytes);
}

void add_results(const fs::path& folder, std::vector<Reader>& readers) {
  const std::string result = with_few(kResult, "cases", 1);
  const fs::path older = kRoot / "tests/golden/fixtures/result-2.0.0.json";
  write_file_atomically(folder / "result.json", result, Sync::no);
  readers.push_back(
      {"result", {with_few(kResult, "cases"), with_few(older, "cases")}, all_of_result});
  readers.push_back({"packed-result", {gzip_of(result)}, all_of_result});
  const std::vector<std::string> seeds{result, with_few(older, "cases", 1)};
  readers.push_back({"compare", seeds, compared});
  readers.push_back({"report", seeds, [](const fs::path& file) {
                       return std::to_string(report_page(read_report_files({file})).size());
                     }});
  const ResultDocument document = read_result(folder / "result.json");
  readers.push_back({"google-benchmark", {to_gbench(document)}, compared});
  readers.push_back({"nvbench", {to_nvbench(document)}, compared});
  readers.push_back(
      {"pyperf",
       {R"({"version": "1.0", "metadata": {"unit": "second", "hostname": "h"}, "benchmarks": [{"metadata":)"
        R"( {"name": "a"}, "runs": [{"warmups": [[1, 2e-3]]}, {"values": [1e-3, 2e-3]}, {"values": [3e-3]}]}]})"},
       compared});
  readers.push_back(
      {"hyperfine",
       {R"({"results": [{"command": "a", "times": [0.1, 0.2], "parameters": {"n": "1"},)"
        R"( "exit_codes": [0, null]}]})"},
       compared});
  readers.push_back(
      {"pytest-benchmark",
       {R"({"machine_info": {"node": "h", "cpu": {"count": 2}}, "datetime": "2026-01-02T03:04:05.6+01:00",)"
        R"( "benchmarks": [{"fullname": "t.py::a", "stats": {"median": 0.1, "data": [0.1, 0.2]}}]})"},
       compared});
  readers.push_back({"value-path", {"/a/b:ms", "/a~1b:MB/s:higher"}, [](const fs::path& file) {
                       const ValuePath path = value_path_of(read_whole_file(file));
                       return path.pointer + path.quantity.text();
                     }});
  const ComparisonInput input = read_comparison_input({folder / "result.json"});
  const Json comparison =
      to_json(document_of(Procedure::compare, compare(input, input, {}), Conclusion::clean));
  readers.push_back({"comparison", {comparison.dump(1)}, exported_comparison});
}

std::string text_of(const std::vector<HistoryRun>& runs) {
  std::string text;
  for (const HistoryRun& run : runs) {
    text += run.time_utc + run.git_commit + run.suite;
    for (const HistoryPoint& point : run.points)
      text += fmt::format("{} {} {} {} {} {}\n", point.name, point.device, point.driver,
                          point.seconds, point.controls, point.control_seconds);
  }
  return text;
}

void add_history(const fs::path& folder, std::vector<Reader>& readers) {
  const fs::path store = folder / "history";
  const HistoryRun run = history_run_of(read_result(folder / "result.json"), "seed");
  const fs::path file = store / add_to_history(store, run);
  const auto read = [store, file](const fs::path& input) {
    fs::copy_file(input, file, fs::copy_options::overwrite_existing);
    return text_of(read_history(store));
  };
  readers.push_back({"history", {read_whole_file(file)}, read, true});
}

void add_kept(std::vector<Reader>& readers) {
  readers.push_back({"database",
                     {with_few(kRoot / "results/tuned/nvidia-h200.json", "entries")},
                     [](const fs::path& file) {
                       std::string text;
                       for (const TunedEntry& entry :
                            parse_tuned(read_whole_file(file), file.string()))
                         text += to_json(entry).dump() + key_of(entry);
                       return text;
                     }});
  readers.push_back({"static-baseline",
                     {with_few(kRoot / "results/static/sm_90.json", "kernels")},
                     [](const fs::path& file) {
                       const StaticBaseline baseline = read_static_baseline(file);
                       return std::to_string(compare_static(baseline, baseline).size());
                     }});
}

}  // namespace

void add_document_readers(const fs::path& folder, std::vector<Reader>& readers) {
  add_written_by_people(readers);
  add_kernels(folder, readers);
  add_results(folder, readers);
  add_history(folder, readers);
  add_kept(readers);
}

}  // namespace alsbench::fuzz
