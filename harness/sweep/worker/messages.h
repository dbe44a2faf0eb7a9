// SPDX-License-Identifier: Apache-2.0
// Requests of a planner to a worker, and the worker's answers: a struct each. On the socket a
// request is {"op": NAME, ...}; its answer is {"ok": true, ...}.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "harness/record/case_record.h"
#include "harness/record/device_record.h"
#include "harness/record/energy_record.h"
#include "harness/sweep/suite/case.h"

namespace alsbench::worker {

struct Done {};

struct Opened {
  DeviceRecord device;
};
struct Open {  // a device, before anything else
  using Answer = Opened;
  std::string device;
};

struct Loaded {
  DataRecord data;
};
struct Load {  // a problem's ratings
  using Answer = Loaded;
  ProblemSpec problem;
};

struct PartShape {
  Shape shape;
  double damping = -1;  // of the shape, whose documents do without these two
  int32_t distinct_ratings = 0;
};
struct GetShape {
  using Answer = PartShape;
  ProblemSpec problem;
  std::string part;
};

struct Prepared {
  Verification verification;
  double verify_seconds = 0;
  std::vector<KernelReport> kernels;
  std::optional<Work> work;  // nothing of a diagnostic configuration: it has a time, but no rate
  Shape shape;
  int64_t measured_rows = 0;
  int64_t peak_device_bytes = 0;
};
struct Prepare {  // a stage's case, and verify it
  using Answer = Prepared;
  Case c;
};

struct Sampled {
  Sample sample;
};
struct TakeSample {  // of a prepared case, as are the next three
  using Answer = Sampled;
  std::string name;
  CacheMode mode = CacheMode::cold;
};

struct Rechecked {
  std::vector<double> kernel_seconds;  // of each kernel, where there are several
  Verification verification;
};
struct Recheck {
  using Answer = Rechecked;
  std::string name;
};

struct Counted {
  CountersRecord counters;
};
struct Count {
  using Answer = Counted;
  std::string name;
  CacheMode mode = CacheMode::cold;
};

struct EnergyMeasured {
  EnergyRecord energy;
};
struct MeasureEnergy {
  using Answer = EnergyMeasured;
  std::string name;
};

struct Profile {
  using Answer = Done;
  std::string name;
};

struct IterationDone {  // an event before the answer
  IterationRecord iteration;
};
struct Trained {
  TrainingResult training;
  int64_t peak_device_bytes = 0;
};
struct Train {
  using Answer = Trained;
  using Event = IterationDone;
  Case c;
};

struct Exported {
  int64_t threads = 0;
};
struct ExportRatings {  // for a peer, into a folder
  using Answer = Exported;
  Case c;
  std::filesystem::path folder;
};

struct Scored {
  PeerScore score;
};
struct Score {  // the factors that a peer left in the folder
  using Answer = Scored;
  Case c;
  std::filesystem::path folder;
};

struct Release {  // everything that was prepared
  using Answer = Done;
};

struct Compiled {
  double compile_seconds = 0;
};
struct Compile {  // a kernel into the cache on disk
  using Answer = Compiled;
  std::string source, instance;
  int architecture = 0;
};

using Request = std::variant<Open, Load, GetShape, Prepare, TakeSample, Recheck, Count,
                             MeasureEnergy, Profile, Train, ExportRatings, Score, Release, Compile>;

// The user's or the machine's fault, and not the case's: the whole run ends with it.
enum class Refusal { usage, environment };
constexpr auto enum_names(Refusal) {
  return std::to_array<EnumName<Refusal>>(
      {{Refusal::usage, "usage"}, {Refusal::environment, "environment"}});
}
// An answer that is not "ok".
struct Failure {
  std::optional<Refusal> error;
  std::optional<Outcome> outcome;  // of the case, where it is no refusal
  std::string detail;
  std::optional<Rule> rule = {};  // that the variant broke
  bool fatal = false;             // the worker can no longer be trusted
};

void describe(Fields<Done>& fields);
void describe(Fields<Opened>& fields);
void describe(Fields<Open>& fields);
void describe(Fields<Loaded>& fields);
void describe(Fields<Load>& fields);
void describe(Fields<PartShape>& fields);
void describe(Fields<GetShape>& fields);
void describe(Fields<Prepared>& fields);
void describe(Fields<Prepare>& fields);
void describe(Fields<Sampled>& fields);
void describe(Fields<TakeSample>& fields);
void describe(Fields<Rechecked>& fields);
void describe(Fields<Recheck>& fields);
void describe(Fields<Counted>& fields);
void describe(Fields<Count>& fields);
void describe(Fields<EnergyMeasured>& fields);
void describe(Fields<MeasureEnergy>& fields);
void describe(Fields<Profile>& fields);
void describe(Fields<IterationDone>& fields);
void describe(Fields<Trained>& fields);
void describe(Fields<Train>& fields);
void describe(Fields<Exported>& fields);
void describe(Fields<ExportRatings>& fields);
void describe(Fields<Scored>& fields);
void describe(Fields<Score>& fields);
void describe(Fields<Release>& fields);
void describe(Fields<Compiled>& fields);
void describe(Fields<Compile>& fields);
void describe(Fields<Failure>& fields);
const Type& type_for(const Request*);

}  // namespace alsbench::worker
