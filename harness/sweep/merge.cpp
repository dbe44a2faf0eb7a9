// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/error.h"
#include "harness/files/gzip.h"
#include "harness/files/strict_json.h"
#include "harness/record/escape.h"
#include "harness/record/journal.h"
#include "harness/sweep/rates.h"
#include "harness/sweep/run_journal.h"

namespace alsbench {
namespace {

[[noreturn]] void fail(const RunPart& part, const std::string& problem) {
  throw UsageError(fmt::format("{}: {}", part.path.string(), problem));
}

[[noreturn]] void fail(const RunPart& first, const RunPart& second, const std::string& problem) {
  throw UsageError(
      fmt::format("{} and {}: {}", first.path.string(), second.path.string(), visible(problem)));
}

// Properties that all shards of one partition have in common.
std::string partition_of(const ResultDocument& document) {
  const ShardRecord& shard = document.shards.front().shard;
  return fmt::format("{} cases in {} shards", shard.all_cases, shard.count);
}

void check_part(const RunPart& part) {
  const std::vector<MeasuredShard>& shards = part.document.shards;
  if (shards.empty() || part.document.selection.is_null())
    fail(part, "was written before results said of which shard they are; run the shard again");
  for (const MeasuredShard& measured : shards)
    if (measured.shard.all_names != shards.front().shard.all_names ||
        measured.shard.count != shards.front().shard.count)
      fail(part, "was resumed with a different --shard, --filter or --axis; run the shard afresh");
  for (const CaseRecord& record : part.document.cases)
    if (record.role != Role::ceiling && !record.number)
      fail(part, fmt::format("holds {}, which is not of its shard; run the shard afresh",
                             visible(record.name)));
}

void check_alike(const RunPart& first, const RunPart& next) {
  const ResultDocument &a = first.document, &b = next.document;
  if (a.suite.name != b.suite.name)
    fail(first, next,
         fmt::format("are of the suites {} and {}; merge the shards of each suite "
                     "by themselves",
                     a.suite.name, b.suite.name));
  if (const std::string differing = differences(a.selection, b.selection); !differing.empty())
    fail(first, next,
         "are of different runs (there is the first file, here the second): " + differing);
  const ShardRecord &one = a.shards.front().shard, &other = b.shards.front().shard;
  if (one.count != other.count || one.all_names != other.all_names)
    fail(first, next,
         fmt::format("were dealt differently: {} and {}; --shard's n, --filter, --axis and what "
                     "the tuning database chose must be the same for all",
                     partition_of(a), partition_of(b)));
}

// Which hardware threads the threads of OpenMP had: "OMP_PROC_BIND=close OMP_PLACES=cores".
std::string placement_of(const MeasuredShard& shard) {
  std::string text;
  for (const auto& [name, value] : shard.provenance.host.environment)
    if (name == "OMP_PROC_BIND" || name == "OMP_PLACES" || name == "GOMP_CPU_AFFINITY")
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "no OMP_PROC_BIND" : text;
}

// Shards of one partition are compared as one run, so its processors took part in all of them.
void check_threads(const RunPart& first, const RunPart& next) {
  const auto refuse = [&](const std::string& device, const std::string& what,
                          const std::string& remedy) {
    fail(first, next,
         fmt::format("were measured on {} with {}; run the shards with {}", device, what, remedy));
  };
  for (const MeasuredShard& one : first.document.shards)
    for (const MeasuredShard& other : next.document.shards)
      for (const DeviceRecord& a : one.devices)
        for (const DeviceRecord& b : other.devices) {
          if (a.id != b.id || a.traits.backend != Backend::cpu || a.traits.name != b.traits.name)
            continue;
          const int threads = a.traits.multiprocessors, others = b.traits.multiprocessors;
          if (threads != others)
            refuse(a.traits.name, fmt::format("{} and with {} threads", threads, others),
                   "one number of threads");
          if (placement_of(one) != placement_of(other))
            refuse(a.traits.name,
                   fmt::format("{} and with {}", placement_of(one), placement_of(other)),
                   "one placement of threads");
        }
}

// The record without what depends on other rows, or on the file that it stands in.
Json measured_of(const CaseRecord& record) {
  Json json = to_json(record);
  for (const char* member : {"repeat", "shard"}) json.erase(member);
  for (const CacheMode mode : kCacheModes) {
    Json& measurement = json[std::string(name_of(mode))];
    if (measurement.is_object())
      for (const char* member :
           {"shares", "unmeasured_ceilings", "share_of_nominal", "bound", "dram", "l2"})
        measurement.erase(member);
  }
  return json;
}

class Merge {
 public:
  explicit Merge(const std::vector<RunPart>& parts) : parts_(parts) {}

  MergedRun result() {
    for (const RunPart& part : parts_) {
      check_part(part);
      check_alike(parts_.front(), part);
      check_threads(parts_.front(), part);
      add(part);
    }
    return finished();
  }

 private:
  struct Row {
    const RunPart* part = nullptr;
    CaseRecord record;  // its shard: of shards_
  };

  void add(const RunPart& part) {
    const auto first_shard = static_cast<int64_t>(shards_.size());
    const auto& shards = part.document.shards;
    shards_.insert(shards_.end(), shards.begin(), shards.end());
    for (const CaseRecord& record : part.document.cases) {
      check_data(part, record);
      const auto [known, added] = index_.try_emplace(record.name, rows_.size());
      if (!added) {
        Row& row = rows_[known->second];
        if (measured_of(row.record) != measured_of(record))
          fail(*row.part, part,
               fmt::format("both have {}, with different measurements; merge only one of them",
                           record.name));
        if (row.record.repeat.empty()) row.record.repeat = record.repeat;
        continue;
      }
      rows_.push_back({&part, record});
      rows_.back().record.shard += first_shard;
    }
  }

  // All machines must have had the same ratings.
  void check_data(const RunPart& part, const CaseRecord& record) {
    if (!record.problem.data) return;
    const std::string& hash = record.problem.data->content_hash;
    const auto [known, added] = data_.try_emplace(record.problem.name, &part, hash);
    if (known->second.second != hash)
      fail(*known->second.first, part,
           fmt::format("had different ratings of {}: {} and {}; give all machines the same files",
                       record.problem.name, known->second.second, hash));
  }

  MergedRun finished() {
    MergedRun merged;
    ResultDocument& document = merged.document;
    document = parts_.front().document;
    document.cases.clear();
    for (Row& row : rows_) document.cases.push_back(std::move(row.record));
    document.shards = shards_;
    merged.missing = missing(document);
    drop_shards_without_rows(document);
    document.provenance = document.shards.front().provenance;
    finish_document(document);
    return merged;
  }

  std::vector<std::string> missing(const ResultDocument& document) const {
    const int64_t count = shards_.front().shard.count;
    std::vector<int64_t> have(static_cast<size_t>(count)), want(have.size(), -1);
    for (const MeasuredShard& measured : shards_)
      want[static_cast<size_t>(measured.shard.index)] =
          measured.shard.cases + measured.shard.ceilings;
    for (const CaseRecord& record : document.cases)
      ++have[static_cast<size_t>(shards_[static_cast<size_t>(record.shard)].shard.index)];
    std::vector<std::string> lines;
    for (size_t i = 0; i < want.size(); ++i)
      if (want[i] < 0)
        lines.push_back(fmt::format("shard {}/{}: is in none of the files", i, count));
      else if (have[i] < want[i])
        lines.push_back(
            fmt::format("shard {}/{}: {} of {} rows are missing; continue with it by --resume", i,
                        count, want[i] - have[i], want[i]));
    return lines;
  }

  // Files of one shard: the first that has a row is where it was measured.
  static void drop_shards_without_rows(ResultDocument& document) {
    std::map<int64_t, int64_t> place;  // of the shards that are kept
    for (const CaseRecord& record : document.cases) place[record.shard] = 0;
    if (place.empty()) place[0] = 0;
    std::vector<int64_t> order;
    for (const auto& [shard, unused] : place) order.push_back(shard);
    const auto index_of = [&](int64_t shard) {
      return document.shards[static_cast<size_t>(shard)].shard.index;
    };
    std::ranges::stable_sort(order,
                             [&](int64_t a, int64_t b) { return index_of(a) < index_of(b); });
    std::vector<MeasuredShard> kept;
    for (const int64_t shard : order) {
      place[shard] = static_cast<int64_t>(kept.size());
      kept.push_back(std::move(document.shards[static_cast<size_t>(shard)]));
    }
    for (CaseRecord& record : document.cases) record.shard = place.at(record.shard);
    document.shards = std::move(kept);
  }

  const std::vector<RunPart>& parts_;
  std::vector<MeasuredShard> shards_;  // of all files
  std::vector<Row> rows_;
  std::map<std::string, size_t> index_;                                 // of a row, by name
  std::map<std::string, std::pair<const RunPart*, std::string>> data_;  // by problem
};

}  // namespace

RunPart read_part(const std::filesystem::path& path) {
  const std::string text = document_text(path);
  RunPart part{path, {}, {}};
  if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    const RunRecords records(parse_journal(text), path);
    part.problems = records.problems();
    part.document = records.document();
  } else {
    part.document = result_from_json(parse_json(text, path.string()), path.string());
  }
  return part;
}

MergedRun merge(const std::vector<RunPart>& parts) { return Merge(parts).result(); }

void finish_document(ResultDocument& document) {
  document.devices.clear();
  std::set<std::string> ids;
  for (const MeasuredShard& measured : document.shards)
    for (const DeviceRecord& device : measured.devices)
      if (ids.insert(device.id).second) document.devices.push_back(device);
  std::ranges::sort(document.devices, {}, &DeviceRecord::id);
  constexpr int64_t kLast = INT64_MAX;
  std::map<std::string, int64_t> first;  // case of a group
  for (const CaseRecord& record : document.cases) {
    if (!record.number || record.group.empty()) continue;
    const auto [group, added] = first.try_emplace(record.group, *record.number);
    group->second = std::min(group->second, *record.number);
  }
  const auto place = [&](const CaseRecord& record) {
    if (record.role != Role::ceiling) return std::pair(record.number.value_or(kLast), true);
    const auto group = first.find(record.group);
    return std::pair(group == first.end() ? kLast : group->second, false);
  };
  std::ranges::stable_sort(document.cases, [&](const CaseRecord& a, const CaseRecord& b) {
    return place(a) < place(b);
  });
  add_shares(document.cases, document.devices);
}

}  // namespace alsbench
