// SPDX-License-Identifier: Apache-2.0
// ComparisonDocument: what `compare`, `ab` and `aa` write, and exporters and pages read: two sides
// judged case by case. harness/judge makes it; docs/explanation/comparing.md has the rules.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/outcome.h"
#include "harness/record/provenance.h"

namespace alsbench {

struct Rules {
  double bound = 0.005;            // relative change of time that matters; 0.01 = 1 %
  double alpha = 0.01;             // of the adjusted p; intervals have confidence 1 - alpha
  double metric_bound = 0.001;     // relative rise of a training's metric that matters
  double memory_bound = 0.01;      // relative rise of the peak of device memory that matters
  double max_undecided = 0.1;      // share of the cases above which the whole is undecided
  bool cross_environment = false;  // compare although the environments differ; marks every row
  // Launches of both sides alternated, so a drift of the machine falls on both alike.
  bool in_turn = true;
  int64_t family = 0;  // tests that p is adjusted for; 0: as many as there are cases to compare
};

// kernel: compared. control: a ceiling with the same code in every build, which shows whether the
// machine changed. training: compared by its seconds, and by its test metric as a figure.
enum class CaseRole { kernel, control, training };

enum class Verdict {
  same,         // the interval lies inside the bound
  faster,       // the interval lies beyond the bound, the adjusted p is below alpha, and the effect
                // is clear of the noise
  slower,       // likewise
  undecided,    // neither; `reason` says what it would take
  environment,  // faster or slower, but for a reason that is not the code
  missing,      // not on the test side
  added,        // not on the base side
  failed,       // crashed, hung, oom, ... on the test side
  wrong,        // wrong or NaN on the test side
};
constexpr auto enum_names(Verdict) {
  return std::to_array<EnumName<Verdict>>({{Verdict::added, "new"}});
}

// The reason why two sides differ, as far as the records tell.
enum class StoryKind {
  change,       // cases moved, and nothing else that is known did
  method,       // they were measured in another way: suite, sampling, build, options
  machine,      // other hardware, driver or clocks, or a machine in another state
  launches,     // so few of a case that it could not have been told slower or faster
  unconfirmed,  // cases whose interval lies beyond the bound, but which are undecided
  noise,        // nothing beyond what launches differ by, or less than could be told
};

struct Story {
  StoryKind kind = StoryKind::noise;
  std::string evidence;  // clauses with the figures of both sides
};

// A property of the measurement that the sides do not share.
struct SetupDifference {
  StoryKind story = StoryKind::machine;  // method or machine
  std::string name;                      // "device 0 driver", "sampling", "launches", ...
  std::string base, test;
  bool binding = false;  // times are compared all the same only with --cross-env
  bool weak = false;     // it moves no median by itself: a change of time has another reason
};

enum class SameCode { unknown, same, changed };

// A quantity other than time that is the same in every launch, or nearly: held to a rule of its
// own.
struct FigureChange {
  std::string name = {};  // "test_rmse", "peak_device_bytes", "registers", "local_bytes", ...
  double base = 0, test = 0;
  bool worse = false;     // a regression by itself
  bool better = false;    // an improvement by itself
  bool resource = false;  // a means to time: no regression in a case that is proven faster
  bool changed() const { return base != test; }
};

enum class CauseKind {
  machine,       // a control of the device moved the same way
  contention,    // of other processes, during most launches of the slower side alone
  clock,         // it explains at least half of the change
  work,          // its solver takes another number of steps a row
  part,          // one kernel or stage has at least half of the change
  kernels,       // the case runs other kernels, or another number of them
  launch_shape,  // blocks or their threads
  spills,        // bytes a thread in local memory
  coalescing,    // a warp's request to L1 takes more bytes, or fewer
  l1_hits,       // L1 answers less, and L2 is asked for more
  l2_hits,       // L2 answers less, and memory moves more
  arithmetic,    // FP32 units or tensor cores are busy for longer
  instructions,  // warps execute more
  occupancy,
};

struct Cause {
  CauseKind kind = CauseKind::machine;
  std::string evidence;  // a clause with the figures of both sides
};

// The quantity that a case is judged by. Its cost, which the judge compares, is its value, or where
// more is better the inverse: a larger one is worse.
struct Quantity {
  std::string unit = {};  // "" is time in seconds
  bool more_is_better = false;
  std::string statistic = {};  // of a launch's samples; "" is their median

  bool is_time() const { return unit.empty(); }
  double value_of(double cost) const { return more_is_better ? 1 / cost : cost; }
  double cost_of(double value) const { return value_of(value); }  // its own inverse
  std::string text() const;  // "s", "MB/s (more is better)", "s, mean"
  bool operator==(const Quantity&) const = default;
};

struct CaseComparison {
  std::string name = {};
  CaseRole role = CaseRole::kernel;
  std::string device = {};
  Quantity quantity = {};
  Verdict verdict = Verdict::undecided;
  // The verdict of time alone, before code and controls are looked at: same, faster, slower or
  // undecided.
  Verdict time_verdict = Verdict::undecided;
  std::string reason = {};  // why it is undecided, environment, failed, ...
  int64_t base_launches = 0, test_launches = 0;
  double base_seconds = 0, test_seconds = 0;  // medians of the launches; 0 where there are none
  double base_value = 0, test_value = 0;      // of another quantity than time, in its unit
  int64_t base_disturbed = 0, test_disturbed = 0;  // launches that other work made longer
  // Costs of test / base, above 1 is worse; 0 and infinity: no interval.
  double ratio = 1, ratio_low = 0, ratio_high = 0;
  double p = 1, adjusted_p = 1;
  // So few that it could not be told slower or faster, were it the only one.
  bool too_few_launches = false;
  int64_t launches_needed = 0;  // of each side, to be able to decide; 0: enough, or not known
  SameCode code = SameCode::unknown;
  std::vector<FigureChange> figures = {};
  // Why it is slower or faster; empty where the records do not tell.
  std::vector<Cause> causes = {};
  bool cross_environment = false;  // the environments of the sides differ
  // Of `aa`: the relative slowdown that would have been found; NaN or infinite: none.
  double detectable_effect = std::numeric_limits<double>::quiet_NaN();

  bool compared() const { return base_launches > 0 && test_launches > 0; }
  bool has_interval() const { return compared() && ratio_low > 0; }
  bool disturbed() const { return base_disturbed > 0 || test_disturbed > 0; }
  // Undecided for want of launches.
  bool lacks_launches() const { return verdict == Verdict::undecided && too_few_launches; }
  // Of one launch a side: nothing is known of chance.
  bool plain_difference() const { return base_launches == 1 && test_launches == 1; }
  bool regressed() const;  // slower, or a figure is worse
  // Whether it could still be a regression: undecided, unless the code is the same; also
  // environment.
  bool open() const;
};

struct Comparison {
  Rules rules;
  std::string base, test;                                     // sources
  std::vector<KernelsProvenance> base_kernels, test_kernels;  // custom ones of each side
  std::vector<std::string> differences;   // of the environments; not empty only with --cross-env
  std::vector<SetupDifference> setup;     // in what they were measured differently
  std::vector<Story> stories;             // what made them differ, the likeliest first
  std::vector<std::string> not_compared;  // gated figures that a side lacks, cases that both lack
  std::vector<std::string> disturbed;     // how many medians of a side other work made longer
  std::vector<CaseComparison> cases;      // findings first, then by effect, the worst first
  std::vector<CaseComparison> controls;   // pooled by kind
};

// Conclusion of the whole, the gravest first: `alsbench` makes it its exit code.
enum class Conclusion {
  failed,      // a case failed or vanished
  regression,  // a case is slower, or a gated figure worse
  unfit,       // controls moved, too much is undecided, or nothing could be compared
  clean,
  interrupted,  // by a signal: the launches are there, and no verdict
};

// Of a build with itself, as `aa` reports it of a machine.
struct SelfComparison {
  // The launches of an ABBA block may swap their sides. Swapping in any choice of blocks gives this
  // many comparisons of equal builds from the same launches.
  int64_t relabelings = 0;
  int64_t comparisons = 0;  // of cases, in all of them
  int64_t alarms = 0;       // of these, "slower" or "faster"
};

enum class Build { base, test };

enum class Phase { screening, confirmation, counting };

// Of `vanished`, the base measured no suspect that is still open again.
enum class StopReason { decided, launches, budget, vanished, interrupted };

// How `ab` takes launches.
struct DesignRecord {
  std::string suite = {}, suite_hash = {};  // of builds
  uint64_t seed = 1;                        // of the order of launches
  int64_t screening_launches = 0;
  double screening_alpha = 0;
  int64_t max_launches = 0;
  int64_t looks = 0;                     // how often a case is judged at most in the confirmation
  double budget_seconds = 0;             // 0: no limit
  std::optional<int64_t> suspects = {};  // cases that the screening left to the confirmation
  std::optional<StopReason> stop_reason = {};  // of `ab`, as is `suspects`
};

// A case of one launch.
struct LaunchCase {
  std::string name;
  Outcome outcome = Outcome::ok;
  double median_seconds = 0;  // 0: none
  double median_value = 0;    // of another quantity than time, in its unit; 0: none
  int64_t samples = 0;
};

// One launch of a build, in seconds since the comparison began.
struct BuildLaunch {
  int64_t index = 0;  // in the order of time, from 0
  Phase phase = Phase::screening;
  Build build = Build::base;
  double start_seconds = 0, seconds = 0;
  std::vector<LaunchCase> cases;
};

// A program of others that `ab` or `aa` started.
struct ProgramRecord {
  std::string command;
  std::string git_commit = {};  // of the checkout that its file lies in; "": none
  bool git_dirty = false;       // with local changes
};

struct ProgramsRecord {
  std::string format;           // of their JSON
  std::string gpu_driver = {};  // NVIDIA's; "": none
  ProgramRecord base, test;
};

enum class Procedure { compare, ab, aa };

struct ComparisonDocument {
  Procedure procedure = Procedure::compare;
  Conclusion conclusion = Conclusion::clean;
  Comparison comparison = {};
  Provenance provenance = {};
  std::optional<DesignRecord> design = {};      // of ab
  std::optional<ProgramsRecord> programs = {};  // of ab and aa of programs of others
  std::optional<SelfComparison> self = {};      // of aa that was not interrupted
  std::vector<BuildLaunch> launches = {};       // of ab and aa
};

void describe(Fields<Rules>& fields);
void describe(Fields<Story>& fields);
void describe(Fields<SetupDifference>& fields);
void describe(Fields<FigureChange>& fields);
void describe(Fields<Cause>& fields);
void describe(Fields<Quantity>& fields);
void describe(Fields<CaseComparison>& fields);
void describe(Fields<Comparison>& fields);
void describe(Fields<SelfComparison>& fields);
void describe(Fields<DesignRecord>& fields);
void describe(Fields<ProgramRecord>& fields);
void describe(Fields<ProgramsRecord>& fields);
void describe(Fields<LaunchCase>& fields);
void describe(Fields<BuildLaunch>& fields);
void describe(Fields<ComparisonDocument>& fields);

// Throws UsageError naming `source` where it is no comparison, damaged or of another schema.
ComparisonDocument comparison_from_json(const Json& json, const std::string& source);

}  // namespace alsbench
