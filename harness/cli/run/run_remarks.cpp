// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/run/run_remarks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "harness/cli/progress/progress_report.h"
#include "harness/cli/text_table.h"
#include "harness/record/tables.h"

namespace alsbench {
namespace {

// Whole, as a remedy stands at its end; but no log of a compiler.
std::string paragraph(std::string text) {
  constexpr size_t kLongest = 2000;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return wrapped_to(run_line_width(), text, 4);
}

// Each failed case with its reason and the command that repeats it, and each reason to skip.
std::string remarks(const std::vector<CaseRecord>& records) {
  std::string text;
  std::vector<std::pair<std::string, int>> skipped;
  for (const CaseRecord& record : records) {
    if (record.ok()) continue;
    const std::string& detail = record.detail;
    if (record.outcome != Outcome::skipped) {
      text += paragraph(fmt::format("{}: {}", name_of(record.outcome), record.name)) +
              paragraph("    " + detail);
      // whole, however long: it is there to be copied
      if (!record.repeat.empty()) text += "    " + record.repeat + "\n";
      continue;
    }
    const auto known = std::find_if(skipped.begin(), skipped.end(),
                                    [&](const auto& entry) { return entry.first == detail; });
    if (known == skipped.end())
      skipped.emplace_back(detail, 1);
    else
      ++known->second;
  }
  for (const auto& [reason, count] : skipped)
    text += paragraph(fmt::format("{} skipped: {}", count, reason));
  return text;
}

// Explains the mark at medians of too few samples, where there are such.
std::string remark_on_samples(const std::vector<CaseRecord>& records, int64_t min_samples) {
  int64_t count = 0;
  for (const CaseRecord& record : records)
    for (const CacheMode mode : kCacheModes)
      if (record.of(mode)) count += too_few_samples(*record.of(mode), min_samples) ? 1 : 0;
  if (count == 0) return "";
  return fmt::format(
      "* {} median{} of fewer than {} samples: the time limit was reached; raise it with --timeout "
      "S\n",
      count, count == 1 ? "" : "s", min_samples);
}

// Explains the mark "?", where a row has it.
std::string ceiling_footnote(const std::vector<CaseRecord>& records) {
  std::set<std::string> names;
  for (const CaseRecord& record : records)
    for (const CacheMode mode : kCacheModes)
      if (const auto& measured = record.of(mode))
        names.insert(measured->unmeasured_ceilings.begin(), measured->unmeasured_ceilings.end());
  if (names.empty()) return "";
  return fmt::format("? a lower ceiling may be among those not measured, or disturbed: {}\n",
                     fmt::join(names, ", "));
}

// Explains the mark "~", where a row has it.
std::string remark_on_bounds(const std::vector<CaseRecord>& records) {
  for (const CaseRecord& record : records)
    for (const CacheMode mode : kCacheModes)
      if (const auto& measured = record.of(mode);
          measured && measured->bound && !measured->bound->measured)
        return "~ predicted from counted work and measured ceilings; on a GPU, measure it with "
               "--counters\n";
  return "";
}

// Why rows have no counters though the run asked for them: each reason once, with its remedy.
std::string remark_on_counters(const std::vector<CaseRecord>& records) {
  std::map<std::string, int> reasons;
  for (const CaseRecord& record : records)
    for (const CacheMode mode : kCacheModes)
      if (const auto& measured = record.of(mode);
          measured && measured->counters && measured->counters->refusal) {
        const CountersFailure& refusal = *measured->counters->refusal;
        ++reasons[fmt::format("({}): {}\n    {}\n", name_of(refusal.why), refusal.detail,
                              refusal.remedy)];
      }
  std::string text;
  for (const auto& [reason, count] : reasons)
    text +=
        fmt::format("{} measurement{} without counters {}", count, count == 1 ? "" : "s", reason);
  return text;
}

// Likewise of trainings without energy.
std::string remark_on_energy(const std::vector<CaseRecord>& records) {
  std::map<std::string, int> reasons;
  for (const CaseRecord& record : records)
    if (record.training && record.training->first().result)
      ++reasons[record.training->first().result->energy.missing];
  reasons.erase("");
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += fmt::format("{} training{} without energy: {}\n", count, count == 1 ? "" : "s", reason);
  return text;
}

// Explains the mark "!", where a row has it.
std::string disturbed_footnote(const std::vector<CaseRecord>& records) {
  int64_t medians = 0, trainings = 0;
  std::vector<DeviceUse> processes;
  for (const CaseRecord& record : records) {
    for (const CacheMode mode : kCacheModes) {
      if (!record.of(mode) || !record.of(mode)->disturbed()) continue;
      ++medians;
      merge_device_uses(processes, record.of(mode)->others());
    }
    if (!record.training || !disturbed(record.training->first().iterations)) continue;
    ++trainings;
    for (const IterationRecord& iteration : record.training->first().iterations)
      merge_device_uses(processes, iteration.contention.others);
  }
  const std::string others = text_of(processes);
  const std::string who = (others.empty() ? "" : " (on the GPU: " + others + ")") +
                          std::string("; alsbench doctor names it\n");
  std::string text;
  if (medians > 0)
    text +=
        fmt::format("! {} median{} disturbed: other processes took the share in the column {}{}",
                    medians, medians == 1 ? " is" : "s are", kTakenByOthers, who);
  if (trainings > 0)
    text += fmt::format(
        "! {} training{} disturbed: other processes took more than {:g} % of the time{}", trainings,
        trainings == 1 ? " is" : "s are", 100 * kDisturbingShare, who);
  return text;
}

}  // namespace

size_t run_line_width() {
  constexpr size_t kLineWidth = 110;
  return std::min(kLineWidth, terminal_width(stdout).value_or(kLineWidth));
}

bool too_few_samples(const MeasurementRecord& measured, int64_t min_samples) {
  return measured.statistics.count < min_samples;
}

std::string run_remarks(const std::vector<CaseRecord>& records, int64_t min_samples) {
  return wrapped_to_terminal(remark_on_samples(records, min_samples) + ceiling_footnote(records) +
                             remark_on_bounds(records) + remark_on_counters(records) +
                             remark_on_energy(records) + disturbed_footnote(records)) +
         remarks(records);
}

}  // namespace alsbench
