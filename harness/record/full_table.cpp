// SPDX-License-Identifier: Apache-2.0
#include "harness/record/full_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "harness/record/result_rows.h"

namespace alsbench {
namespace {

// Result of a training, by this program or by another.
struct Trained {
  std::string algorithm, peer_version, metric;
  int64_t iterations = 0;
  // Of an iteration but the first, which warms up: the median, of another program the mean.
  std::optional<double> iteration_seconds;
  std::optional<double> seconds;       // of all iterations
  std::optional<double> wall_seconds;  // the same by the host's clock; of a peer from start to end
  std::optional<double> train_metric, test_metric, target;
  std::optional<bool> reached;

  std::optional<double> mean_iteration_seconds() const {
    return seconds && iterations > 0 ? std::optional(*seconds / static_cast<double>(iterations))
                                     : std::nullopt;
  }
};

Trained trained_here(const TrainingRecord& training) {
  const TrainingLaunch& launch = training.first();
  const IterationRecord& last = launch.iterations.back();
  double wall = 0;
  for (const IterationRecord& iteration : launch.iterations) wall += iteration.wall_seconds;
  return {.algorithm = training.algorithm,
          .peer_version = "",
          .metric = training.metric,
          .iterations = static_cast<int64_t>(launch.iterations.size()),
          .iteration_seconds = launch.iteration_seconds(),
          .seconds = launch.seconds(),
          .wall_seconds = wall,
          .train_metric = last.train_metric,
          .test_metric = last.test_metric,
          .target = training.target,
          .reached = launch.result && training.target ? std::optional(launch.result->reached_target)
                                                      : std::nullopt};
}

Trained trained_there(const PeerRecord& peer) {
  Trained trained;
  trained.algorithm = peer.request.algorithm;
  trained.peer_version = peer.request.version;
  trained.metric = peer.request.metric;
  trained.iterations = peer.request.iterations;
  trained.iteration_seconds = peer.iteration_seconds();
  trained.seconds = peer.own_seconds;
  if (!trained.seconds && trained.iteration_seconds)  // by its lines
    trained.seconds = *trained.iteration_seconds * static_cast<double>(trained.iterations);
  if (peer.use) trained.wall_seconds = peer.use->wall_seconds;
  if (peer.score) {
    trained.train_metric = peer.score->train_metric;
    trained.test_metric = peer.score->test_metric;
  }
  return trained;
}

std::optional<Trained> trained_by(const CaseRecord& record) {
  if (record.peer) return trained_there(*record.peer);
  if (!record.training || record.training->first().iterations.empty()) return std::nullopt;
  return trained_here(*record.training);
}

// A row with what its document says of it.
struct Source {
  const ResultRow& row;
  const CaseRecord& record;
  const ResultDocument& document;
  const Provenance& provenance;
  const DeviceRecord* device;  // null where the document lacks it
  std::optional<Trained> trained;
};

struct Column {
  std::string name;
  std::function<std::string(const Source&)> cell;
};
using Columns = std::vector<Column>;

// At full precision, or "" where it is not known.
std::string full(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}
std::string count(std::optional<int64_t> value) { return value ? std::to_string(*value) : ""; }
std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

// Columns of what some rows have: `part` finds it, and a row without it has empty cells.
template <class Part>
using Cells = std::vector<std::pair<const char*, std::string (*)(const Part&)>>;
template <class Part>
void append(Columns& columns, const Part* (*part)(const Source&), const Cells<Part>& cells) {
  for (const auto& [name, cell] : cells)
    columns.push_back({name, [part, cell = cell](const Source& source) {
                         const Part* found = part(source);
                         return found == nullptr ? "" : cell(*found);
                       }});
}

const MeasurementRecord* measurement(const Source& source) { return source.row.measurement; }
const Verification* verification(const Source& source) {
  return source.record.verification ? &*source.record.verification : nullptr;
}
const Trained* trained(const Source& source) { return source.trained ? &*source.trained : nullptr; }

std::string share_of(const Share* share) { return share == nullptr ? "" : full(share->value); }
std::string row_of(const Share* share) { return share == nullptr ? "" : share->row; }

// Nothing of a row that was not timed.
std::optional<int64_t> launches_of(const ResultRow& row) {
  if (row.measurement != nullptr) return row.measurement->launches.size();
  if (row.trained()) return row.record->training->launches.size();
  return row.record->peer && row.record->peer->use ? std::optional<int64_t>(1) : std::nullopt;
}

bool disturbed(const ResultRow& row) {
  if (row.measurement != nullptr) return row.measurement->disturbed();
  if (row.trained()) return disturbed(row.record->training->first().iterations);
  return row.record->peer->disturbed();
}

constexpr std::string_view kProducts = "gemm", kCopies = "copy";  // of comparisons

const Columns kIdentity{
    {"name", [](const Source& s) { return s.row.name; }},
    {"role", [](const Source& s) { return std::string(name_of(s.record.role)); }},
    {"stage", [](const Source& s) { return s.record.stage; }},
    {"variant", [](const Source& s) { return s.record.variant; }},
    {"backend", [](const Source& s) { return std::string(name_of(s.record.backend)); }},
    {"device", [](const Source& s) { return s.record.device; }},
    {"problem", [](const Source& s) { return s.record.problem.name; }},
    {"rank", [](const Source& s) { return std::to_string(s.record.problem.rank); }},
    {"lambda", [](const Source& s) { return full(s.record.problem.lambda); }},
    {"part", [](const Source& s) { return s.record.part; }},
    {"cache", [](const Source& s) { return s.row.mode_name(); }},
    {"outcome", [](const Source& s) { return std::string(name_of(s.row.outcome())); }},
    {"launches", [](const Source& s) { return count(launches_of(s.row)); }},
    {"disturbed",
     [](const Source& s) { return launches_of(s.row) ? yes_or_no(disturbed(s.row)) : ""; }},
};

const Cells<MeasurementRecord> kMeasured{
    {"samples", [](const auto& m) { return std::to_string(m.statistics.count); }},
    {"median_seconds", [](const auto& m) { return full(m.statistics.median); }},
    {"min_seconds", [](const auto& m) { return full(m.statistics.min); }},
    {"q1_seconds", [](const auto& m) { return full(m.statistics.q1); }},
    {"q3_seconds", [](const auto& m) { return full(m.statistics.q3); }},
    {"max_seconds", [](const auto& m) { return full(m.statistics.max); }},
    {"median_noise", [](const auto& m) { return full(m.statistics.median_noise); }},
    {"stop_reason", [](const auto& m) { return m.stop_reason; }},
    {"flops_per_second", [](const auto& m) { return full(m.flops_per_second); }},
    {"paper_flops_per_second", [](const auto& m) { return full(m.paper_flops_per_second); }},
    {"logical_bytes_per_second", [](const auto& m) { return full(m.logical_bytes_per_second); }},
    {"compulsory_bytes_per_second",
     [](const auto& m) { return full(m.compulsory_bytes_per_second); }},
    {"gathered_bytes_per_second", [](const auto& m) { return full(m.gathered_bytes_per_second); }},
    {"nearest_ceiling",
     [](const auto& m) { return m.nearest_ceiling() ? m.nearest_ceiling()->reference_rate : ""; }},
    {"nearest_ceiling_rate",
     [](const auto& m) {
       const Share* nearest = m.nearest_ceiling();
       return std::string(nearest == nullptr ? "" : name_of(nearest->count));
     }},
    {"share_of_nearest_ceiling", [](const auto& m) { return share_of(m.nearest_ceiling()); }},
    {"nearest_ceiling_row", [](const auto& m) { return row_of(m.nearest_ceiling()); }},
    {"unmeasured_ceilings",
     [](const auto& m) { return fmt::format("{}", fmt::join(m.unmeasured_ceilings, ";")); }},
    {"share_of_gemm", [](const auto& m) { return share_of(m.share_of(kProducts)); }},
    {"gemm_row", [](const auto& m) { return row_of(m.share_of(kProducts)); }},
    {"share_of_copy", [](const auto& m) { return share_of(m.share_of(kCopies)); }},
    {"copy_row", [](const auto& m) { return row_of(m.share_of(kCopies)); }},
    {"bound", [](const auto& m) { return std::string(m.bound ? name_of(m.bound->by) : ""); }},
    {"bound_share", [](const auto& m) { return m.bound ? full(m.bound->share) : ""; }},
    {"bound_from", [](const auto& m) { return std::string(m.bound ? source_of(*m.bound) : ""); }},
    {"dram_model_bytes", [](const auto& m) { return full(m.dram.model_bytes); }},
    {"dram_measured_bytes", [](const auto& m) { return full(m.dram.measured_bytes); }},
    {"dram_difference", [](const auto& m) { return full(m.dram.difference()); }},
    {"l2_model_bytes", [](const auto& m) { return full(m.l2.model_bytes); }},
    {"l2_measured_bytes", [](const auto& m) { return full(m.l2.measured_bytes); }},
    {"l2_difference", [](const auto& m) { return full(m.l2.difference()); }},
    {"counters",  // "counted", or why not
     [](const auto& m) {
       if (m.counters && m.counters->counted()) return std::string("counted");
       return std::string(m.counters && m.counters->refusal ? name_of(m.counters->refusal->why)
                                                            : "");
     }},
};

// Of a row's counters, over all of its kernels.
constexpr std::array<std::pair<const char*, double (*)(const Counters&)>, 15> kCounted{{
    {"counted_seconds", [](const Counters& c) { return c.seconds; }},
    {"counted_clock_hz", [](const Counters& c) { return c.clock_hz(); }},
    {"instructions", [](const Counters& c) { return c.instructions; }},
    {"l1_bytes", [](const Counters& c) { return c.l1_bytes; }},
    {"l1_hit_rate", [](const Counters& c) { return c.l1_hit_rate(); }},
    {"l1_bytes_per_request", [](const Counters& c) { return c.l1_bytes_per_request(); }},
    {"l2_hit_rate", [](const Counters& c) { return c.l2_hit_rate(); }},
    {"tensor_share", [](const Counters& c) { return c.tensor; }},
    {"fp32_share", [](const Counters& c) { return c.fp32; }},
    {"l1_share", [](const Counters& c) { return c.l1; }},
    {"l2_share", [](const Counters& c) { return c.l2; }},
    {"dram_share", [](const Counters& c) { return c.dram; }},
    {"issue_share", [](const Counters& c) { return c.issue; }},
    {"counted_occupancy", [](const Counters& c) { return c.occupancy; }},
    {"last_level_misses", [](const Counters& c) { return c.last_level_misses; }},
}};

std::optional<Counters> counters(const Source& source) {
  const MeasurementRecord* m = source.row.measurement;
  if (m == nullptr || !m->counters || !m->counters->counted()) return std::nullopt;
  return sum_of(m->counters->kernels);
}

void append_counters(Columns& columns) {
  for (const auto& [name, figure] : kCounted)
    columns.push_back({name, [figure = figure](const Source& source) {
                         const auto all = counters(source);
                         return all ? full(figure(*all)) : "";
                       }});
  columns.push_back({"top_stall", [](const Source& source) {
                       const auto all = counters(source);
                       return all && !all->stalls.empty() ? all->stalls.front().reason : "";
                     }});
}

const Columns kCase{
    {"registers",
     [](const Source& s) {
       return s.record.kernels.empty() ? ""
                                       : std::to_string(s.record.kernels.front().report.registers);
     }},
    {"peak_device_bytes", [](const Source& s) { return count(s.record.peak_device_bytes); }},
    {"rows", [](const Source& s) { return s.record.shape ? count(s.record.shape->rows) : ""; }},
    {"cols", [](const Source& s) { return s.record.shape ? count(s.record.shape->cols) : ""; }},
    {"nnz", [](const Source& s) { return s.record.shape ? count(s.record.shape->nnz) : ""; }},
};

const Cells<Verification> kVerified{
    {"verification_error", [](const auto& v) { return full(v.max_error); }},
    {"verification_tolerance", [](const auto& v) { return full(v.tolerance); }},
};

// The rest is of a training, by this program or by another.
const Cells<Trained> kTrained{
    {"algorithm", [](const auto& t) { return t.algorithm; }},
    {"peer_version", [](const auto& t) { return t.peer_version; }},
    {"iterations", [](const auto& t) { return std::to_string(t.iterations); }},
    {"iteration_seconds", [](const auto& t) { return full(t.iteration_seconds); }},
    {"mean_iteration_seconds", [](const auto& t) { return full(t.mean_iteration_seconds()); }},
    {"training_seconds", [](const auto& t) { return full(t.seconds); }},
    {"wall_seconds", [](const auto& t) { return full(t.wall_seconds); }},
    {"metric", [](const auto& t) { return t.metric; }},
    {"train_metric", [](const auto& t) { return full(t.train_metric); }},
    {"test_metric", [](const auto& t) { return full(t.test_metric); }},
    {"target", [](const auto& t) { return full(t.target); }},
    {"reached_target", [](const auto& t) { return t.reached ? yes_or_no(*t.reached) : ""; }},
};

// The names, each once, in the order of their first case.
class Names {
 public:
  void add(const std::string& name) {
    if (known_.insert(name).second) list_.push_back(name);
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::set<std::string> known_;
  std::vector<std::string> list_;
};

std::string pipeline_of(const CaseRecord& record, const std::string& part) {
  if (!record.training) return "";
  for (const PipelineRecord& pipeline : record.training->pipelines)
    if (pipeline.part == part) return text_of(pipeline.steps);
  return "";
}

void append_choices(Columns& columns, const std::vector<CaseRecord>& cases) {
  Names parts, parameters;
  for (const CaseRecord& record : cases) {
    for (const auto& entry : record.config.entries()) parameters.add(entry.first);
    if (!record.training) continue;
    for (const PipelineRecord& pipeline : record.training->pipelines) parts.add(pipeline.part);
  }
  for (const std::string& part : parts.list())
    columns.push_back(
        {"pipeline." + part, [part](const Source& s) { return pipeline_of(s.record, part); }});
  for (const std::string& name : parameters.list())
    columns.push_back(
        {"config." + name, [name](const Source& s) { return s.record.config.get_or(name, ""); }});
}

const Columns kOrigin{
    {"detail", [](const Source& s) { return note_of(s.row); }},
    {"suite", [](const Source& s) { return s.document.suite.name; }},
    {"device_name",
     [](const Source& s) { return s.device == nullptr ? "" : s.device->traits.name; }},
    {"driver", [](const Source& s) { return s.device == nullptr ? "" : driver_of(*s.device); }},
    {"time_utc", [](const Source& s) { return s.provenance.time_utc; }},
    {"version", [](const Source& s) { return s.provenance.build.version; }},
    {"git_commit",
     [](const Source& s) {
       return s.provenance.build.git_commit + (s.provenance.build.git_dirty ? "+" : "");
     }},
    {"command",
     [](const Source& s) { return fmt::format("{}", fmt::join(s.provenance.command_line, " ")); }},
};

Columns columns_of(const ResultDocument& document) {
  Columns columns = kIdentity;
  append(columns, measurement, kMeasured);
  append_counters(columns);
  columns.insert(columns.end(), kCase.begin(), kCase.end());
  append(columns, verification, kVerified);
  append(columns, trained, kTrained);
  append_choices(columns, document.cases);
  columns.insert(columns.end(), kOrigin.begin(), kOrigin.end());
  return columns;
}

Source source_of(const ResultRow& row, const ResultDocument& document) {
  const auto shard = static_cast<size_t>(row.record->shard);
  const bool merged = shard < document.shards.size();
  const auto& devices = merged ? document.shards[shard].devices : document.devices;
  auto device = std::find_if(devices.begin(), devices.end(),
                             [&](const DeviceRecord& one) { return one.id == row.record->device; });
  if (device == devices.end())  // a team
    device = std::find_if(devices.begin(), devices.end(), [&](const DeviceRecord& one) {
      return one.traits.backend == row.record->backend;
    });
  return {row,
          *row.record,
          document,
          merged ? document.shards[shard].provenance : document.provenance,
          device == devices.end() ? nullptr : &*device,
          trained_by(*row.record)};
}

}  // namespace

Table full_table(const ResultDocument& document) {
  const Columns columns = columns_of(document);
  Table table;
  for (const Column& column : columns) table.header.push_back(column.name);
  for (const ResultRow& row : rows_of(document.cases)) {
    const Source source = source_of(row, document);
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const Column& column : columns) cells.push_back(column.cell(source));
  }
  return table;
}

}  // namespace alsbench
