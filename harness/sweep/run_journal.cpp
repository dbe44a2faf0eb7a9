// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/run_journal.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

void check_head(const std::filesystem::path& path, const Json& first, const RunHead& head) {
  if (text_at(first, "kind") != "run")
    throw UsageError(fmt::format("{}: is no journal of a run", path.string()));
  if (const std::string suite = text_at(first, "suite"); suite != head.suite)
    throw UsageError(
        fmt::format("{}: is of suite {}, not of {}", path.string(), visible(suite), head.suite));
  const std::string differing =
      differences(first.value("selection", Json::object()), to_json(head.selection));
  if (!differing.empty())
    throw UsageError(
        fmt::format("{}: is of another run: {}; resume with the command that started it, or "
                    "start afresh with --fresh in place of --resume",
                    path.string(), visible(differing)));
}

// Another machine, or other variables of its environment.
bool elsewhere(const Provenance& there, const Provenance& here) {
  return to_json(there).at("host") != to_json(here).at("host");
}

}  // namespace

RunJournal RunJournal::create(const std::filesystem::path& path, const RunHead& head) {
  return {Journal::create(path, to_json(head)), RunRecords(head)};
}

RunJournal RunJournal::resume(const std::filesystem::path& path, const RunHead& head) {
  if (!has_journal(path)) return create(path, head);
  auto [journal, content] = Journal::resume(path);
  check_head(path, content.records.empty() ? Json::object() : content.records[0], head);
  RunJournal run(std::move(journal), RunRecords(content, path));
  const MeasuredShard& last = run.kept_.last_shard();
  if (!(last.shard == head.shard) || elsewhere(last.provenance, head.provenance)) {
    run.journal_.append({{"kind", "resumed"},
                         {"shard", to_json(head.shard)},
                         {"provenance", to_json(head.provenance)}});
    run.kept_.resume_as(head.shard, head.provenance);
  }
  return run;
}

void RunJournal::add_device(const DeviceRecord& device) {
  if (kept_.keep(device)) journal_.append({{"kind", "device"}, {"device", to_json(device)}});
}

void RunJournal::add_record(const CaseRecord& record, int64_t launch) {
  journal_.append({{"kind", "case"}, {"launch", launch}, {"record", to_json(record)}});
  kept_.keep(record, launch);
}

}  // namespace alsbench
