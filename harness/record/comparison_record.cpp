// SPDX-License-Identifier: Apache-2.0
#include "harness/record/comparison_record.h"

#include <algorithm>

#include "harness/record/document.h"

namespace alsbench {
namespace {

// A member that is null where `known` says that it has no meaning.
template <class T, class M>
FieldOptions known_where(Fields<T>& fields, const char* name, M T::*member, bool (*known)(const T&),
                         const char* doc = "") {
  Definitions none;
  return fields.custom(
      name,
      [=](const T& value) {
        return known(value) ? type_of<M>().write(&(value.*member)) : Json(nullptr);
      },
      [=](const JsonField& json, T& value) {
        if (!json.is_null()) value.*member = read_as<M>(json);
      },
      nullable_schema(type_of<M>().schema(none)), doc);
}

constexpr auto is_compared = [](const CaseComparison& c) { return c.compared(); };
constexpr auto has_interval = [](const CaseComparison& c) { return c.has_interval(); };
constexpr auto is_timed = [](const CaseComparison& c) { return c.base_seconds > 0; };

std::optional<double> other_than_time(const CaseComparison& c, double value) {
  return c.quantity.is_time() ? std::nullopt : std::optional(value);
}

void describe_times(Fields<CaseComparison>& fields) {
  fields("base_launches", &CaseComparison::base_launches).range(Range::Kind::from_0).column();
  fields("test_launches", &CaseComparison::test_launches).range(Range::Kind::from_0).column();
  known_where(fields, "base_seconds", &CaseComparison::base_seconds, +is_timed,
              "median of the launches' medians; null of controls, which are pooled, and of another "
              "quantity")
      .range(Range::Kind::from_0)
      .column();
  known_where(fields, "test_seconds", &CaseComparison::test_seconds, +is_timed, "likewise")
      .range(Range::Kind::from_0)
      .column();
  fields("base_value", &CaseComparison::base_value,
         "the same of another quantity than time, in its unit")
      .omitted();
  fields("test_value", &CaseComparison::test_value, "likewise").omitted();
  fields.column("base_value",
                [](const CaseComparison& c) { return other_than_time(c, c.base_value); });
  fields.column("test_value",
                [](const CaseComparison& c) { return other_than_time(c, c.test_value); });
  fields("base_disturbed", &CaseComparison::base_disturbed,
         "launches whose median other work made longer")
      .range(Range::Kind::from_0);
  fields("test_disturbed", &CaseComparison::test_disturbed, "likewise").range(Range::Kind::from_0);
  known_where(
      fields, "ratio", &CaseComparison::ratio, +is_compared,
      "Hodges and Lehmann's ratio test / base; of a quantity of which more is better base / "
      "test")
      .range(Range::Kind::from_0)
      .column();
  known_where(fields, "ratio_low", &CaseComparison::ratio_low, +has_interval,
              "null: so few launches allow no such interval")
      .range(Range::Kind::from_0)
      .column();
  known_where(fields, "ratio_high", &CaseComparison::ratio_high, +has_interval, "likewise")
      .range(Range::Kind::from_0)
      .column();
  known_where(fields, "p", &CaseComparison::p, +is_compared).range(Range::Kind::share).column();
  known_where(fields, "adjusted_p", &CaseComparison::adjusted_p, +is_compared)
      .range(Range::Kind::share)
      .column();
  fields("too_few_launches", &CaseComparison::too_few_launches,
         "so few that it could not be told slower or faster, were it the only one")
      .omitted();
  known_where(
      fields, "launches_needed", &CaseComparison::launches_needed,
      +[](const CaseComparison& c) { return c.launches_needed > 0; },
      "of each side, to be able to decide")
      .range(Range::Kind::from_1);
}

// Members that only some procedures write.
void check_parts(const JsonField& json, const ComparisonDocument& document) {
  if (document.procedure == Procedure::ab && !document.design) json.at("design");
  if (document.procedure == Procedure::aa && document.conclusion != Conclusion::interrupted &&
      !document.self)
    json.at("self");
}

}  // namespace

std::string Quantity::text() const {
  return (is_time() ? "s" : unit) + (more_is_better ? " (more is better)" : "") +
         (statistic.empty() ? "" : ", " + statistic);
}

bool CaseComparison::regressed() const {
  return verdict == Verdict::slower ||
         std::any_of(figures.begin(), figures.end(),
                     [](const FigureChange& figure) { return figure.worse; });
}

bool CaseComparison::open() const {
  return verdict == Verdict::environment ||
         (verdict == Verdict::undecided && code != SameCode::same);
}

void describe(Fields<Rules>& fields) {
  fields.record("rules", "When a change is one.");
  fields("bound", &Rules::bound, "relative change of time that matters").range(Range::Kind::share);
  fields("alpha", &Rules::alpha, "of the adjusted p").range(Range::Kind::share);
  fields("metric_bound", &Rules::metric_bound, "relative rise of a training's metric that matters")
      .range(Range::Kind::share);
  fields("memory_bound", &Rules::memory_bound, "likewise of the peak of device memory")
      .range(Range::Kind::share);
  fields("max_undecided", &Rules::max_undecided,
         "share of the cases above which the whole is undecided")
      .range(Range::Kind::share);
  fields("cross_environment", &Rules::cross_environment, "environments that differ are compared");
  fields("in_turn", &Rules::in_turn,
         "false: one side was measured after the other, so a drift of the machine is allowed for")
      .omitted();
}

void describe(Fields<Story>& fields) {
  fields.record("story", "The likely reason why the sides differ.");
  fields("kind", &Story::kind);
  fields("evidence", &Story::evidence);
}

void describe(Fields<SetupDifference>& fields) {
  fields.record("setup_difference", "A property of the measurement that the sides do not share.");
  fields("story", &SetupDifference::story, "method or machine: which story it tells");
  fields("name", &SetupDifference::name);
  fields("base", &SetupDifference::base);
  fields("test", &SetupDifference::test);
  fields("binding", &SetupDifference::binding,
         "times are compared all the same only with --cross-env");
  fields("weak", &SetupDifference::weak, "it moves no median by itself").omitted();
}

void describe(Fields<FigureChange>& fields) {
  fields.record("figure_change", "A gated figure beside time.");
  fields("name", &FigureChange::name,
         "test_rmse, test_loss, peak_device_bytes, registers, local_bytes, shared_bytes or "
         "occupancy");
  fields("base", &FigureChange::base);
  fields("test", &FigureChange::test);
  fields("worse", &FigureChange::worse, "a regression by itself");
}

void describe(Fields<Cause>& fields) {
  fields.record("cause", "Why the time of a case changed.");
  fields("kind", &Cause::kind);
  fields("evidence", &Cause::evidence);
}

void describe(Fields<Quantity>& fields) {
  fields("unit", &Quantity::unit, "of what is judged; absent of time").omitted().column();
  fields("more_is_better", &Quantity::more_is_better, "of it").omitted();
  fields("statistic", &Quantity::statistic, "of a launch's samples; absent of their median")
      .omitted();
}

void describe(Fields<CaseComparison>& fields) {
  fields.record("compared_case", "A case in one cache mode, or a control, of both sides.");
  fields("name", &CaseComparison::name).column();
  fields("role", &CaseComparison::role).column();
  fields("device", &CaseComparison::device).column();
  fields.inlined(&CaseComparison::quantity);
  fields.columns_of(&CaseComparison::quantity);
  fields("verdict", &CaseComparison::verdict).column();
  known_where(fields, "time_verdict", &CaseComparison::time_verdict, +is_compared,
              "of time alone, before code and controls are looked at");
  fields.computed("regressed", &CaseComparison::regressed, "slower, or a figure is worse").column();
  fields("reason", &CaseComparison::reason, "why it is undecided, environment, failed, ...")
      .nullable();
  describe_times(fields);
  fields("code", &CaseComparison::code, "whether the machine code is the same").column();
  fields("figures", &CaseComparison::figures, "beside time");
  fields("causes", &CaseComparison::causes,
         "why it is slower or faster, as far as the records tell");
  fields("cross_environment", &CaseComparison::cross_environment,
         "the environments of the sides differ")
      .column();
  fields("detectable_effect", &CaseComparison::detectable_effect,
         "of aa: the relative slowdown that would have been found; null: too few launches")
      .nullable();
}

void describe(Fields<Comparison>& fields) {
  fields("base", &Comparison::base, "file or program");
  fields("test", &Comparison::test, "likewise");
  fields("base_kernels", &Comparison::base_kernels, "custom kernels that it was measured with")
      .omitted();
  fields("test_kernels", &Comparison::test_kernels, "likewise").omitted();
  fields("rules", &Comparison::rules);
  fields("differences", &Comparison::differences,
         "of the environments, compared all the same with --cross-env");
  fields("setup", &Comparison::setup, "in what the sides were measured differently").omitted();
  fields("stories", &Comparison::stories,
         "what made the sides differ, the likeliest first; absent of aa")
      .omitted();
  fields(
      "not_compared", &Comparison::not_compared,
      "gated figures that a side does not have, and which side; cases of other tools that neither "
      "measured");
  fields("disturbed", &Comparison::disturbed,
         "how many medians of a side other work on its machine made longer");
  fields("cases", &Comparison::cases, "findings first, then by effect");
  fields("controls", &Comparison::controls, "the same code on both sides, pooled by kind");
}

void describe(Fields<SelfComparison>& fields) {
  fields.record("self_comparison", "A build compared with itself over divisions of its launches.");
  fields("relabelings", &SelfComparison::relabelings, "ways to divide the launches")
      .range(Range::Kind::from_0);
  fields("comparisons", &SelfComparison::comparisons, "of cases in them")
      .range(Range::Kind::from_0);
  fields("alarms", &SelfComparison::alarms, "slower or faster, of these")
      .range(Range::Kind::from_0);
}

void describe(Fields<DesignRecord>& fields) {
  fields.record("design", "How `ab` takes launches.");
  fields("suite", &DesignRecord::suite, "of builds, as is its hash").omitted();
  fields("suite_hash", &DesignRecord::suite_hash).omitted();
  fields("seed", &DesignRecord::seed, "of the order of launches");
  fields("screening_launches", &DesignRecord::screening_launches, "of each side")
      .range(Range::Kind::from_1);
  fields("screening_alpha", &DesignRecord::screening_alpha).range(Range::Kind::share);
  fields("max_launches", &DesignRecord::max_launches, "of each side in the confirmation")
      .range(Range::Kind::from_1);
  fields("looks", &DesignRecord::looks, "how often a case is judged at most in the confirmation")
      .range(Range::Kind::from_1);
  known_where(
      fields, "budget_seconds", &DesignRecord::budget_seconds,
      +[](const DesignRecord& design) { return design.budget_seconds > 0; }, "null: no limit")
      .range(Range::Kind::above_0);
  fields("suspects", &DesignRecord::suspects,
         "of a comparison: cases that the screening left to the confirmation")
      .omitted();
  fields("stop_reason", &DesignRecord::stop_reason, "of a comparison").omitted();
}

void describe(Fields<ProgramRecord>& fields) {
  fields.record("program", "A program of others, as a side of a comparison.");
  fields("command", &ProgramRecord::command, "without the folders of absolute paths");
  fields("git_commit", &ProgramRecord::git_commit,
         "of the checkout that its file lies in; null: none")
      .nullable();
  fields("git_dirty", &ProgramRecord::git_dirty, "with local changes");
}

void describe(Fields<ProgramsRecord>& fields) {
  fields.record("programs", "Programs of others that were compared.");
  fields("format", &ProgramsRecord::format, "of their JSON");
  fields("gpu_driver", &ProgramsRecord::gpu_driver, "of NVIDIA; null: none is loaded").nullable();
  fields("base", &ProgramsRecord::base);
  fields("test", &ProgramsRecord::test);
}

void describe(Fields<LaunchCase>& fields) {
  fields.record("launch_case", "A case of one launch.");
  fields("name", &LaunchCase::name);
  fields("outcome", &LaunchCase::outcome);
  known_where(
      fields, "median_seconds", &LaunchCase::median_seconds,
      +[](const LaunchCase& c) { return c.median_seconds > 0; }, "null: it has no time")
      .range(Range::Kind::above_0);
  fields("median_value", &LaunchCase::median_value, "of another quantity than time, in its unit")
      .omitted();
  fields("samples", &LaunchCase::samples).range(Range::Kind::from_0);
}

void describe(Fields<BuildLaunch>& fields) {
  fields.record("build_launch", "One launch of a build, in seconds since the comparison began.");
  fields("index", &BuildLaunch::index, "in the order of time, from 0").range(Range::Kind::from_0);
  fields("phase", &BuildLaunch::phase);
  fields("build", &BuildLaunch::build);
  fields("start_seconds", &BuildLaunch::start_seconds).range(Range::Kind::from_0);
  fields("seconds", &BuildLaunch::seconds).range(Range::Kind::from_0);
  fields("cases", &BuildLaunch::cases);
}

void describe(Fields<ComparisonDocument>& fields) {
  fields.record(
      "",
      "A comparison of `alsbench compare`, `ab` or `aa`. Units are in the names; null means "
      "not known, never zero.");
  describe_document(fields, "comparison");
  fields("procedure", &ComparisonDocument::procedure);
  fields("conclusion", &ComparisonDocument::conclusion, "what the exit code says");
  fields.inlined(&ComparisonDocument::comparison);
  fields("provenance", &ComparisonDocument::provenance);
  fields("design", &ComparisonDocument::design, "of ab").omitted();
  fields("programs", &ComparisonDocument::programs, "of ab and aa of programs of others").omitted();
  fields("self", &ComparisonDocument::self, "of aa that was not interrupted").omitted();
  fields("launches", &ComparisonDocument::launches, "of ab and aa");
  fields.check(
      [](const JsonField& json, ComparisonDocument& document) { check_parts(json, document); });
}

ComparisonDocument comparison_from_json(const Json& json, const std::string& source) {
  return read_as_document<ComparisonDocument>(json, "comparison", source);
}

}  // namespace alsbench
