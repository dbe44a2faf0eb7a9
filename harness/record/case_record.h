// SPDX-License-Identifier: Apache-2.0
// CaseRecord: what became of one case of a run: a row of a result. Everything a run finds out about
// a case is here, and everything that reads results reads this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/kernel_report.h"
#include "harness/record/measurement_record.h"
#include "harness/record/peer_record.h"
#include "harness/record/training_record.h"
#include "harness/record/verification.h"
#include "variants/core/backend.h"
#include "variants/core/config.h"
#include "variants/core/shape.h"
#include "variants/core/work.h"

namespace alsbench {

// measured: a stage of a variant. ceiling: likewise, to judge others by. training: of a whole
// model. peer: a training by another program.
enum class Role { measured, ceiling, training, peer };
constexpr auto enum_names(Role) {
  return std::to_array<EnumName<Role>>({{Role::measured, "case"}});
}

// The ratings that a problem came to.
struct DataRecord {
  std::string id;
  std::string content_hash;
  int64_t users = 0, items = 0;
  int64_t train_ratings = 0, test_ratings = 0;
  int64_t empty_users = 0, empty_items = 0;
};

struct ProblemRecord {
  std::string name;
  std::string dataset, path;  // one of them is empty
  double scale = 1;
  uint64_t seed = 0;
  int64_t rank = 0;
  double lambda = 0;
  // Members of a data request that say how a file was read, where that is not the usual way.
  Json reading = Json::object();
  std::optional<DataRecord> data;  // nothing where it was not loaded
};

struct KernelRecord {
  KernelReport report;
  std::optional<double> seconds;  // of this one of several kernels, with a hot cache
};

// The tuning database's statement on the configuration that it chose.
struct TunedOrigin {
  std::string part;  // of the model
  std::string level;
  std::string reason;
  bool stale = false;
};
using TunedOrigins = std::vector<TunedOrigin>;

// Findings of a worker about a case that it prepares or trains.
struct CaseFindings {
  std::optional<Work> work;  // nothing of a diagnostic configuration: it has a time, but no rate
  std::optional<Shape> shape;
  std::optional<int64_t> measured_rows;
  std::optional<int64_t> peak_device_bytes;  // the most of its launches
};

struct CaseRecord : CaseFindings {
  std::string name;
  Role role = Role::measured;
  std::string stage, variant;  // "" of a training and of a peer
  Backend backend = Backend::cpu;
  std::string device;  // as open_device takes it
  Config config;
  std::string part;  // of the model, that the stage updates; "" of the same
  ProblemRecord problem;
  Outcome outcome = Outcome::skipped;
  std::string group;         // "" where it was not measured
  std::string detail;        // why the outcome is not ok; "" where there is nothing to say
  std::optional<Rule> rule;  // of honest measurement, that the variant broke
  std::optional<Verification> verification, recheck;  // before and after the timing
  std::optional<MeasurementRecord> cold, hot;
  std::optional<TrainingRecord> training;
  std::optional<PeerRecord> peer;
  std::vector<KernelRecord> kernels;
  std::vector<std::string> log_tail;
  TunedOrigins tuned;             // empty where the suite named the configuration
  std::string repeat;             // the command that runs a failed case again, alone; else ""
  std::optional<int64_t> number;  // place among all cases of the run; nothing of a ceiling
  int64_t shard = 0;              // of the document's shards, that measured it

  bool ok() const { return outcome == Outcome::ok; }
  const std::optional<MeasurementRecord>& of(CacheMode mode) const {
    return mode == CacheMode::cold ? cold : hot;
  }
  std::optional<MeasurementRecord>& of(CacheMode mode) {
    return mode == CacheMode::cold ? cold : hot;
  }
  bool measured() const { return cold || hot; }
};

void describe(Fields<DataRecord>& fields);
void describe(Fields<ProblemRecord>& fields);
void describe(Fields<KernelRecord>& fields);
void describe(Fields<TunedOrigin>& fields);
void describe(Fields<CaseFindings>& fields);
void describe(Fields<CaseRecord>& fields);

}  // namespace alsbench
