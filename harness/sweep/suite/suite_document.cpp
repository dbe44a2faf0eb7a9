// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/suite_document.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/data/raw_ratings.h"
#include "harness/record/document.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

constexpr int kMaxIterations = 10000;
constexpr double kMaxLambda = 1e6;

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const Stage stage : all_stages()) names.emplace_back(name_of(stage));
  return names;
}

std::vector<std::string> ceiling_names() {
  std::vector<std::string> names;
  for (const Stage stage : all_stages())
    if (stage->ceiling) names.emplace_back(name_of(stage));
  return names;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : all_algorithms()) names.push_back(algorithm.name);
  return names;
}

void expect_there(const JsonField& json) {
  if (!std::filesystem::exists(json.text()))
    json.fail(
        fmt::format("there is no file or folder '{}'; a path is relative to the working directory",
                    json.text()));
}

// Members that say nothing beside others.
void check_problem(const JsonField& json, ProblemEntry& problem) {
  const auto beside = [&](const char* other, std::initializer_list<const char*> names) {
    if (!json.value().contains(other)) return;
    for (const char* name : names)
      if (const auto member = json.member(name))
        member->report(fmt::format("has no effect with '{}'", other));
  };
  beside("path", {"scale"});
  beside("sizes", {"scale", "rank", "lambda", "format", "columns", "values", "test",
                   "test_fraction", "split_by", "duplicates"});
  beside("dataset",
         {"format", "columns", "values", "test", "test_fraction", "split_by", "duplicates"});
  beside("test", {"test_fraction", "split_by"});
  if (const auto share = json.member("test_fraction"); share && !takes_share(problem.split_by))
    share->report(fmt::format("has no effect with the split by {}", name_of(problem.split_by)));
}

// Those of measurements and of ceilings but for the stage.
template <class Entry>
void describe_measurements(Fields<Entry>& fields) {
  using M = MeasureEntry;
  fields("variant", &M::variant, "a name, several, or * for all").omitted();
  fields("backend", &M::backend).omitted();
  fields("part", &M::part, "of the model").omitted().names("part", all_parts);
  fields("axes", &M::axes, "values of parameters, all combinations of which are measured")
      .omitted();
  fields("config", &M::config,
         "base configuration, name=value,...; or \"tuned\": that of the tuning database")
      .omitted();
  fields("cache", &M::cache).omitted();
}

struct PipelineOfBackends {
  std::optional<std::string> cpu, cuda;
};
void describe(Fields<PipelineOfBackends>& fields) {
  fields("cpu", &PipelineOfBackends::cpu).omitted();
  fields("cuda", &PipelineOfBackends::cuda).omitted();
}

PipelineEntry pipeline_from_json(const JsonField& json) {
  if (!json.value().is_object()) return {.all = json.text(), .cpu = {}, .cuda = {}};
  const auto each = read_as<PipelineOfBackends>(json);
  return {.all = {}, .cpu = each.cpu, .cuda = each.cuda};
}

Json pipeline_json(const PipelineEntry& entry) {
  return entry.all ? Json(*entry.all) : to_json(PipelineOfBackends{entry.cpu, entry.cuda});
}

Json pipeline_schema(Definitions& definitions) {
  return {{"anyOf", Json::array({type_of<std::string>().schema(definitions),
                                 type_of<PipelineOfBackends>().schema(definitions)})}};
}

// Schema 1 had the part, and the metric, in the key.
std::string replacement_in_train(const std::string& key) {
  constexpr std::string_view kPipeline = "pipeline_", kTarget = "target_";
  if (key.starts_with(kPipeline))
    return fmt::format(R"("pipelines": [{{"part": "{}", "pipeline": ...}}, ...])",
                       key.substr(kPipeline.size()));
  return key.starts_with(kTarget) ? "'target'" : "";
}

}  // namespace

std::vector<Backend> backends_of(Backends backends) {
  if (backends == Backends::all) return {Backend::cpu, Backend::cuda};
  return {backends == Backends::cpu ? Backend::cpu : Backend::cuda};
}

std::vector<Axis> axes_of(const AxisEntries& entries) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : entries) {
    axes.push_back({name, {}});
    for (const TextOrNumber& value : values.values) axes.back().values.push_back(value.text);
  }
  return axes;
}

std::optional<std::string> PipelineEntry::on(Backend backend) const {
  if (all) return all;
  return backend == Backend::cpu ? cpu : cuda;
}

void describe(Fields<ProblemEntry>& fields) {
  using P = ProblemEntry;
  constexpr int64_t kMaxSeed = int64_t{1} << 53;
  fields.record("problem", "Ratings, and the rank and lambda of their factorization.");
  fields("dataset", &P::dataset, "a shipped generator").omitted().names("data set", dataset_names);
  fields("path", &P::path, "a file or folder of ratings").omitted().check(expect_there);
  fields("scale", &P::scale, "of the generator's shape").omitted().range(1e-6, 1000);
  fields("rank", &P::rank).omitted().range(1, 4096);
  fields("lambda", &P::lambda).omitted().range(0, kMaxLambda);
  fields("seed", &P::seed).omitted().range(0, kMaxSeed);
  fields("format", &P::format, "of the files; detected from the content when left out")
      .omitted()
      .check([](const JsonField& json) { format_named(json.text()); });
  fields("columns", &P::columns, "which column of a text file is what: 'user=buyer_id,item=1'")
      .omitted()
      .check([](const JsonField& json) { static_cast<void>(ColumnChoice(json.text())); });
  fields("values", &P::values, "of ratings that are names: 'view=1,addtocart=5'")
      .omitted()
      .check([](const JsonField& json) { static_cast<void>(NameValues(json.text())); });
  fields("test", &P::test, "a file of test ratings").omitted().check(expect_there);
  fields("test_fraction", &P::test_fraction, "share held out where there is no 'test'")
      .omitted()
      .range(0, 0.9);
  fields("split_by", &P::split_by, "which ratings are held out where there is no 'test'").omitted();
  fields("duplicates", &P::duplicates, "what becomes of cells that are rated more than once")
      .omitted();
  fields("backend", &P::backend, "measured on this one alone").omitted();
  fields("sizes", &P::sizes, "of a stage that reads no ratings, by name, such as a custom kernel")
      .omitted()
      .check([](const JsonField& json) {
        for (const auto& [name, size] : json.members())
          if (size.integer() < 1) size.fail("is no size; write a whole number from 1");
      });
  fields.one_of({"dataset", "path", "sizes"});
  fields.check(check_problem);
}

void describe(Fields<MeasureEntry>& fields) {
  fields.record("measure", "Measurements of one stage.");
  fields("stage", &MeasureEntry::stage).names("stage", stage_names);
  describe_measurements(fields);
}

void describe(Fields<CeilingEntry>& fields) {
  fields.record("ceiling", "A reference rate, measured among the cases of every group.");
  fields("stage", &MeasureEntry::stage).names("ceiling", ceiling_names);
  describe_measurements(fields);
}

const Type& type_for(const PipelineEntry*) {
  static const types::FormedType<PipelineEntry> type(pipeline_json, pipeline_from_json,
                                                     pipeline_schema);
  return type;
}

void describe(Fields<PartPipelineEntry>& fields) {
  fields("part", &PartPipelineEntry::part, "of the model").names("part", all_parts);
  fields("pipeline", &PartPipelineEntry::pipeline);
}

void describe(Fields<TrainEntry>& fields) {
  using T = TrainEntry;
  fields.record("train", "Training runs, one for each combination of the axes' values.");
  fields("name", &T::name, "{axis} stands for a value").range(Range::Kind::not_empty);
  fields("algorithm", &T::algorithm).omitted().names("algorithm", algorithm_names);
  fields("hyper", &T::hyper, "of the algorithm by name; those left out have their default")
      .omitted();
  fields("pipeline", &T::pipeline,
         "of all parts: a text form or a preset, for all backends or for each; or tuned, "
         "neighbour or default")
      .omitted();
  fields("pipelines", &T::pipelines, "one for each part").omitted().range(Range::Kind::not_empty);
  fields("backend", &T::backend).omitted();
  fields("axes", &T::axes, "values for {axis} in the name and the pipelines").omitted();
  fields("iterations", &T::iterations).omitted().range(1, kMaxIterations);
  fields("target", &T::target, "of the algorithm's metric on the test ratings")
      .omitted()
      .range(1e-6, 1e6);
  fields.one_of({"pipeline", "pipelines"});
  fields.replaced(replacement_in_train);
}

void describe(Fields<PeerEntry>& fields) {
  using P = PeerEntry;
  fields.record("peer", "Another program that trains on every problem.");
  fields("peer", &P::peer,
         "a shipped peer's name, or the path of a description, which ends with .json")
      .range(Range::Kind::not_empty);
  fields("name", &P::name, "in the case's name; the peer's own when left out")
      .omitted()
      .range(Range::Kind::not_empty);
  fields("iterations", &P::iterations).omitted().range(1, kMaxIterations);
  fields("lambda", &P::lambda, "in place of the problem's").omitted().range(0, kMaxLambda);
  fields("options", &P::options, "of the peer by name; those left out have their default")
      .omitted();
  fields("memory_mib", &P::memory_mib,
         "that all its processes may take together; 80 % of what is free when left out")
      .omitted()
      .range(1, int64_t{1} << 30);
}

void describe(Fields<SamplingEntry>& fields) {
  using S = SamplingEntry;
  constexpr double kMaxSamples = 1000000, kDaySeconds = 86400;
  fields.record("sampling", "When a measurement has enough samples.");
  fields("min_samples", &S::min_samples).omitted().range(1, kMaxSamples);
  fields("max_samples", &S::max_samples).omitted().range(1, kMaxSamples);
  fields("max_noise", &S::max_noise, "wanted relative interquartile range of the median")
      .omitted()
      .range(0, 1);
  fields("max_seconds", &S::max_seconds, "of one measurement").omitted().range(1e-3, kDaySeconds);
}

void describe(Fields<SuiteDocument>& fields) {
  using S = SuiteDocument;
  fields.record(
      "", "The measurements and trainings of `alsbench run`, and the question that they answer.");
  describe_hand_written(fields);
  fields("name", &S::name)
      .pattern("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}",
               "becomes part of file names; use letters, digits, '-', '_' and '.', at most 100, "
               "the first no '.'");
  fields("description", &S::description, "which question it answers");
  fields("answer", &S::answer, "the kind of answer that a report of its results begins with")
      .omitted();
  fields("problems", &S::problems).range(Range::Kind::not_empty);
  fields("measure", &S::measure).omitted().range(Range::Kind::not_empty);
  fields("ceilings", &S::ceilings).omitted();
  fields("train", &S::train).omitted().range(Range::Kind::not_empty);
  fields("peers", &S::peers).omitted().range(Range::Kind::not_empty);
  fields("sampling", &S::sampling).omitted();
  fields("timeout_seconds", &S::timeout_seconds,
         "how long a worker may be silent, or a peer may run")
      .omitted()
      .range(0.1, 86400);
  fields.any_of({"measure", "train", "peers"});
}

}  // namespace alsbench
