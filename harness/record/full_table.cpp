// SPDX-License-Identifier: Apache-2.0
#include "harness/record/full_table.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "harness/record/tables.h"

namespace alsbench {
namespace {

// Result of a training, by this program or by another.
struct Trained {
  std::string algorithm, peer_version, metric;
  int64_t iterations = 0;
  std::optional<double> iteration_seconds, seconds, wall_seconds;
  std::optional<double> train_metric, test_metric, target;
  std::optional<bool> reached;

  std::optional<double> mean_iteration_seconds() const {
    return seconds && iterations > 0 ? std::optional(*seconds / static_cast<double>(iterations))
                                     : std::nullopt;
  }
};

// A row with what its document says of it.
struct TableRow {
  const ResultRow& row;
  const ResultDocument& document;
  const Provenance& provenance;
  const DeviceRecord* device;        // null where the document lacks it
  std::optional<Counters> counters;  // over all kernels
  std::optional<Trained> trained;
};

void describe(Fields<Trained>& fields) {
  fields.record("trained", "The result of a training, by this program or by another.");
  fields.column("algorithm", &Trained::algorithm);
  fields.column("peer_version", &Trained::peer_version, "of another program");
  fields.column("iterations", &Trained::iterations);
  fields.column("iteration_seconds", &Trained::iteration_seconds,
                "of an iteration but the first, which warms up: the median, of another program "
                "the mean");
  fields.column("mean_iteration_seconds", &Trained::mean_iteration_seconds);
  fields.column("training_seconds", &Trained::seconds, "of all iterations");
  fields.column("wall_seconds", &Trained::wall_seconds,
                "the same by the host's clock; of another program from start to end");
  fields.column("metric", &Trained::metric);
  fields.column("train_metric", &Trained::train_metric);
  fields.column("test_metric", &Trained::test_metric);
  fields.column("target", &Trained::target, "of the metric on the test ratings");
  fields.column("reached_target", &Trained::reached);
}

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

const CaseRecord* case_of(const TableRow& source) { return source.row.record; }

// Nothing of a row that was not timed.
std::optional<uint64_t> launches_of(const TableRow& source) {
  const ResultRow& row = source.row;
  if (row.measurement != nullptr) return row.measurement->launches.size();
  if (row.trained()) return row.record->training->launches.size();
  return row.record->peer && row.record->peer->use ? std::optional<uint64_t>(1) : std::nullopt;
}

std::optional<bool> is_disturbed(const TableRow& source) {
  const ResultRow& row = source.row;
  if (!launches_of(source)) return std::nullopt;
  if (row.measurement != nullptr) return row.measurement->disturbed();
  if (row.trained()) return disturbed(row.record->training->first().iterations);
  return row.record->peer->disturbed();
}

std::optional<Counters> counters_of(const ResultRow& row) {
  const MeasurementRecord* m = row.measurement;
  if (m == nullptr || !m->counters || !m->counters->counted()) return std::nullopt;
  return sum_of(m->counters->kernels);
}

// Columns before those of parameters and parts.
void describe_figures(Fields<TableRow>& fields) {
  fields.column(
      "name", [](const TableRow& source) { return source.row.name; },
      "the case's, with /cold or /hot where it was measured");
  fields.columns_of(case_of, "", [](const RecordColumn& column) { return column.key; });
  fields.column("cache", [](const TableRow& source) { return source.row.mode; });
  fields.column("outcome", [](const TableRow& source) { return source.row.outcome(); });
  fields.column("launches", launches_of, "of the program; empty of a row without a time");
  fields.column("disturbed", is_disturbed, "whether other work on the machine makes it doubtful");
  fields.columns_of([](const TableRow& source) { return source.row.measurement; });
  fields.columns_of(&TableRow::counters);
  fields.columns_of(case_of, "", [](const RecordColumn& column) { return !column.key; });
  fields.columns_of(&TableRow::trained);
}

void describe_origin(Fields<TableRow>& fields) {
  fields.column(
      "detail", [](const TableRow& source) { return note_of(source.row); },
      "how it converged, or why it is not ok");
  fields.column("suite", [](const TableRow& source) { return source.document.suite.name; });
  fields.column("device_name", [](const TableRow& source) {
    return source.device == nullptr ? "" : source.device->traits.name;
  });
  fields.column("driver", [](const TableRow& source) {
    return source.device == nullptr ? "" : driver_of(*source.device);
  });
  fields.columns_of([](const TableRow& source) { return &source.provenance; });
}

std::string pipeline_of(const CaseRecord& record, const std::string& part) {
  if (!record.training) return "";
  for (const PipelineRecord& pipeline : record.training->pipelines)
    if (pipeline.part == part) return text_of(pipeline.steps);
  return "";
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Columns of parameters and parts of the model, in the order of their first case.
void describe_choices(Fields<TableRow>& fields, const std::vector<CaseRecord>& cases) {
  std::vector<std::string> parts, parameters;
  for (const CaseRecord& record : cases) {
    for (const auto& entry : record.config.entries()) add_once(parameters, entry.first);
    if (!record.training) continue;
    for (const PipelineRecord& pipeline : record.training->pipelines)
      add_once(parts, pipeline.part);
  }
  for (const std::string& part : parts)
    fields.column("pipeline." + part,
                  [part](const TableRow& source) { return pipeline_of(*source.row.record, part); });
  for (const std::string& name : parameters)
    fields.column("config." + name, [name](const TableRow& source) {
      return source.row.record->config.get_or(name, "");
    });
}

void describe_columns(RecordType& type, const std::vector<CaseRecord>& cases) {
  Fields<TableRow> fields(type);
  describe_figures(fields);
  describe_choices(fields, cases);
  describe_origin(fields);
}

TableRow source_of(const ResultRow& row, const ResultDocument& document) {
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
          document,
          merged ? document.shards[shard].provenance : document.provenance,
          device == devices.end() ? nullptr : &*device,
          counters_of(row),
          trained_by(*row.record)};
}

}  // namespace

Table full_table(const ResultDocument& document) {
  RecordType type;
  describe_columns(type, document.cases);
  Table table;
  for (const RecordColumn& column : type.columns) table.header.push_back(column.name);
  for (const ResultRow& row : rows_of(document.cases)) {
    const TableRow source = source_of(row, document);
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const RecordColumn& column : type.columns)
      cells.push_back(cell_text(column.cell(&source)));
  }
  return table;
}

const RecordType& full_table_row() {
  static const auto row = [] {
    auto type = std::make_unique<RecordType>();
    type->doc =
        "A row of the CSV table of a result. Columns of the parameters of configurations, "
        "config.NAME, and of the pipelines of a training, pipeline.PART, come on top.";
    describe_columns(*type, {});
    for (const RecordColumn& column : type->columns) {
      auto cell = custom_type({column.cell, [](const JsonField&, void*) {}, column.schema});
      add_field(*type, column.name, column.doc, {.type = cell.get()}, cell);
    }
    return type;
  }();
  return *row;
}

}  // namespace alsbench
