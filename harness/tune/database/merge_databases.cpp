// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/merge_databases.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "harness/tune/database/database_file.h"
#include "variants/default_pipeline.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The first word that differs decides.
auto rigour_of(const TunedEntry& entry) {
  const auto& accuracy = entry.accuracy;
  return std::tuple(accuracy ? -accuracy->tolerance : -std::numeric_limits<double>::infinity(),
                    accuracy ? accuracy->iterations : 0, entry.search.evaluations,
                    entry.provenance.time_utc);
}

std::string effort_of(const TunedEntry& entry) {
  const auto& accuracy = entry.accuracy;
  return fmt::format("{}{} configurations, {}",
                     accuracy ? fmt::format("tolerance {}, {} iterations, ", accuracy->tolerance,
                                            accuracy->iterations)
                              : "",
                     entry.search.evaluations, entry.provenance.time_utc);
}

std::string question_of(const TunedEntry& entry) {
  return fmt::format("{} of {} on {}, {}", entry.what, entry.part, entry.device.name, entry.data);
}

// Why the entry is of no use to this program, or nothing.
enum class Code { same, changed, unknown };
struct Use {
  Code code = Code::same;
  std::string reason = {};
};

Use use_of(const TunedEntry& entry, const HashSteps& hash) {
  try {
    const auto steps = steps_of(entry.pick, entry.device.backend);
    if (const auto objection = objection_of(steps, entry.shape, entry.device))
      return {Code::changed, *objection};
    const auto now = hash(steps, entry.shape, entry.device);
    if (!now) return {Code::unknown};
    if (*now != entry.code_hash) return {Code::changed, "stale: its code has changed since"};
    return {};
  } catch (const UsageError& error) {
    return {Code::changed, error.what()};
  }
}

struct Candidate {
  FiledEntry filed;
  fs::path from;
  bool fresh = true;
};

}  // namespace

bool more_rigorous(const TunedEntry& a, const TunedEntry& b) { return rigour_of(a) > rigour_of(b); }

DatabaseMerge merge_databases(const std::vector<fs::path>& files, const fs::path& target,
                              const HashSteps& hash) {
  DatabaseMerge merge;
  std::map<std::string, Candidate> best;
  const auto offer = [&](const std::string& key, Candidate candidate) {
    const auto [place, added] = best.try_emplace(key, candidate);
    Candidate& other = place->second;
    if (added || other.filed.json == candidate.filed.json) return;
    const TunedEntry &mine = candidate.filed.entry, &theirs = other.filed.entry;
    const bool wins =
        candidate.fresh != other.fresh ? candidate.fresh : more_rigorous(mine, theirs);
    const Candidate &kept = wins ? candidate : other, &lost = wins ? other : candidate;
    merge.notes.push_back(fmt::format("{}: that of {} ({}) stays, not that of {} ({}{})",
                                      question_of(mine), kept.from.string(),
                                      effort_of(kept.filed.entry), lost.from.string(),
                                      effort_of(lost.filed.entry), lost.fresh ? "" : ", stale"));
    if (wins) other = std::move(candidate);
  };
  std::vector<std::pair<fs::path, FiledEntries>> all;  // what is damaged is found before any work
  for (const fs::path& file : files) all.emplace_back(file, read_database(file));
  for (const auto& [file, entries] : all)
    for (const auto& [key, filed] : entries) {
      const Use use = use_of(filed.entry, hash);
      if (use.code == Code::unknown) ++merge.unknown;
      if (use.code == Code::changed) {
        ++merge.left_out;
        merge.notes.push_back(fmt::format("{}: that of {} is left out: {}",
                                          question_of(filed.entry), file.string(), use.reason));
        continue;
      }
      offer(key, {filed, file});
    }
  update_database(target, [&](FiledEntries& entries) {
    for (const auto& [key, filed] : entries)
      if (best.contains(key))
        offer(key, {filed, target, use_of(filed.entry, hash).code != Code::changed});
    for (const auto& [key, candidate] : best) {
      const auto [place, added] = entries.try_emplace(key, candidate.filed);
      const bool same = !added && place->second.json == candidate.filed.json;
      ++(added ? merge.added : same ? merge.unchanged : merge.replaced);
      place->second = candidate.filed;
    }
  });
  return merge;
}

}  // namespace alsbench
