// SPDX-License-Identifier: Apache-2.0
// Requests of a planner to a worker, and the worker's answers: a struct each. On the socket a
// request is {"op": NAME, ...}; its answer is {"ok": true, ...}, where one record says it all that
// record.
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

struct Open {  // a device, before anything else
  using Answer = DeviceRecord;
  std::string device;
};

struct Load {  // a problem's ratings
  using Answer = DataRecord;
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

struct Prepared : CaseFindings {
  Verification verification;
  double verify_seconds = 0;
  std::vector<KernelReport> kernels;
};
struct Prepare {  // a stage's case, and verify it
  using Answer = Prepared;
  Case c;
};

struct TakeSample {  // of a prepared case, as are the next three
  using Answer = Sample;
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

struct Count {
  using Answer = CountersRecord;
  std::string name;
  CacheMode mode = CacheMode::cold;
};

struct MeasureEnergy {
  using Answer = EnergyRecord;
  std::string name;
};

struct Profile {
  using Answer = Done;
  std::string name;
};

struct Trained : CaseFindings {
  TrainingResult training;
};
struct Train {
  using Answer = Trained;
  using Event = IterationRecord;  // of each iteration, before the answer
  Case c;
  bool energy = false;
};

struct Exported {
  int64_t threads = 0;
};
struct ExportRatings {  // for a peer, into a folder
  using Answer = Exported;
  Case c;
  std::filesystem::path folder;
};

struct Score {  // the factors that a peer left in the folder
  using Answer = PeerScore;
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

// Work in place of the case, before the answer, such as its reference; "": it is over.
struct Activity {
  std::string activity;
};

// The user's or the machine's fault, and not the case's: the whole run ends with it.
enum class Refusal { usage, environment };
// An answer that is not "ok".
struct Failure {
  std::optional<Refusal> error;
  std::optional<Outcome> outcome;  // of the case, where it is no refusal
  std::string detail;
  std::optional<Rule> rule = {};  // that the variant broke
  bool fatal = false;             // the worker can no longer be trusted
};

void describe(Fields<Done>& fields);
void describe(Fields<Open>& fields);
void describe(Fields<Load>& fields);
void describe(Fields<PartShape>& fields);
void describe(Fields<GetShape>& fields);
void describe(Fields<Prepared>& fields);
void describe(Fields<Prepare>& fields);
void describe(Fields<TakeSample>& fields);
void describe(Fields<Rechecked>& fields);
void describe(Fields<Recheck>& fields);
void describe(Fields<Count>& fields);
void describe(Fields<MeasureEnergy>& fields);
void describe(Fields<Profile>& fields);
void describe(Fields<Trained>& fields);
void describe(Fields<Train>& fields);
void describe(Fields<Exported>& fields);
void describe(Fields<ExportRatings>& fields);
void describe(Fields<Score>& fields);
void describe(Fields<Release>& fields);
void describe(Fields<Compiled>& fields);
void describe(Fields<Compile>& fields);
void describe(Fields<Activity>& fields);
void describe(Fields<Failure>& fields);
const Type& type_for(const Request*);

}  // namespace alsbench::worker
