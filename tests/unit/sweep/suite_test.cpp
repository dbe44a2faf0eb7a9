// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/suite/suite.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "harness/sweep/suite/expansion.h"
#include "tests/unit/texts.h"
#include "variants/als/pipelines.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

std::string error_of(const std::string& text) {
  return thrown_by([&] { parse_suite(text, "test"); });
}

Selection on(std::vector<std::string> devices) {
  Selection selection;
  selection.devices = std::move(devices);
  selection.choose = [](const TunedRequest& request) {
    const PipelineGrammar& grammar =
        request.algorithm != nullptr ? request.algorithm->pipelines(request.part) : als_pipelines();
    const Backend backend = request.device == "cpu" ? Backend::cpu : Backend::cuda;
    return TunedChoice{exact_pipeline(grammar, backend).steps, {}};
  };
  return selection;
}

TEST(Axis, Spellings) {
  using List = std::vector<std::string>;
  EXPECT_EQ(parse_axis("l1=on").values, List{"on"});
  EXPECT_EQ(parse_axis("l1=[on, off]").values, (List{"on", "off"}));
  EXPECT_EQ(parse_axis("steps=[2:8:3]").values, (List{"2", "5", "8"}));
  EXPECT_EQ(parse_axis("steps=[1:3]").values, (List{"1", "2", "3"}));
  EXPECT_EQ(parse_axis("bin[pow2]=[4:8:2]").values, (List{"16", "64", "256"}));
  EXPECT_EQ(parse_axis("bin[pow2]=[4:8:2]").name, "bin");
}

TEST(Axis, MistakesAreNamed) {
  for (const char* text : {"l1", "=3", "l1=", "l1=[on", "l1=[]", "steps=[1:x]", "steps=[5:1]",
                           "steps=[1:9:0]", "steps[pow3]=[1:2]", "steps=[1,,2]", "bin[pow2]=[80]"})
    EXPECT_THROW(parse_axis(text), UsageError) << text;
}

// Cases had names before CG could be preconditioned, and baselines are found by them.
TEST(Suite, ANewParameterIsNamedWhereItIsNotAtItsDefault) {
  const Suite suite = parse_suite(R"({"name": "s", "description": "",
    "problems": [{"dataset": "ml-100k", "rank": 8}],
    "measure": [{"stage": "solve", "variant": "cg", "backend": "cpu",
                 "axes": {"precondition": ["none", "jacobi"]}}]})",
                                  "test");
  std::vector<std::string> names;
  for (const Case& c : expand(suite, on({"cpu"})))
    if (c.name().starts_with("solve/")) names.push_back(c.name());
  ASSERT_EQ(names.size(), 2u);
  EXPECT_TRUE(names[0].starts_with("solve/cg/cpu/matrix=fp32,steps=6,tolerance=0,warm=on/"))
      << names[0];
  EXPECT_TRUE(names[1].starts_with(
      "solve/cg/cpu/matrix=fp32,steps=6,tolerance=0,warm=on,precondition=jacobi/"))
      << names[1];
}

TEST(Suite, AllErrorsAtOnceWithPlaceAndNearestName) {
  const std::string error = error_of(R"({"name": "bad", "description": "", "colour": 1,
    "problems": [{"dataset": "netflicks", "rank": 0}],
    "measure": [{"stage": "hermitien"}, {"stage": "solve", "variant": "cgg"},
                {"stage": "solve", "variant": "cg", "axes": {"matrx": ["fp32"], "matrix": ["fp31"]}}],
    "train": [{"name": "t", "pipeline": "exakt"}]})");
  for (const char* part : {"/colour: unknown key", "/problems/0/dataset:", "did you mean 'netflix'",
                           "/problems/0/rank:", "/measure/0/stage:", "did you mean 'hermitian'",
                           "/measure/1/variant:", "did you mean 'cg'",
                           "/measure/2/axes/matrx:", "did you mean 'matrix'",
                           "/measure/2/axes/matrix:", "/train/0/pipeline:", "did you mean 'exact'"})
    EXPECT_TRUE(contains(error, part));
}

// A suite of one problem with `rest` in it.
std::string error_beside(const std::string& rest) {
  return error_of(R"({"name": "s", "description": "d", )"
                  R"("problems": [{"dataset": "ml-100k", "rank": 8}], )" +
                  rest + "}");
}

int times_in(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Suite, TrainingRunsOfOneNameAreRefused) {
  EXPECT_TRUE(contains(error_beside(R"("train": [{"name": "a", "pipeline": "exact"},
                                      {"name": "a", "pipeline": "cg-fp32"}])"),
                       "/train/1/name: 'a' is also the name of a training run of /train/0"));
  const std::string cg = R"("pipeline": "hermitian:blocked/bias:rows/solve:cg:steps={steps}", )"
                         R"("backend": "cpu", "axes": {"steps": [2, 3]})";
  EXPECT_TRUE(contains(error_beside(R"("train": [{"name": "a", )" + cg + "}]"),
                       "/train/0/axes/steps: the name 'a' has no '{steps}'"));
  EXPECT_TRUE(contains(
      error_beside(R"("train": [{"name": "a-3", "pipeline": "exact"}, {"name": "a-{steps}", )" +
                   cg + "}]"),
      "/train/1/name: 'a-3' is also the name"));
  EXPECT_EQ(error_beside(R"("train": [{"name": "a-{steps}", )" + cg + "}]"), "");
  EXPECT_EQ(error_beside(R"("train": [{"name": "a", "pipeline": "exact", "backend": "cpu"},
                                      {"name": "a", "pipeline": "exact", "backend": "cuda"}])"),
            "");
}

TEST(Suite, WhatATrainingRunCannotMeanIsRefused) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {R"("name": "", "pipeline": "exact")", "/train/0/name: must not be empty"},
      {R"("name": "a{q}", "pipeline": "exact")", "/train/0/name: '{q}' stands for a value"},
      {R"("name": "a{stps}", "pipeline": "exact", "axes": {"steps": [1]})", "did you mean 'steps'"},
      {R"("name": "a", "pipeline": "update:blocked:steps={q}")", "/train/0/pipeline: '{q}'"},
      {R"("name": "a", "pipelines": [{"part": "x", "pipeline": "exact"},
          {"part": "theta", "pipeline": "update:blocked:steps={q}"}])",
       "/train/0/pipelines/1/pipeline: '{q}'"},
      {R"("name": "a", "pipeline": "exact", "pipelines": [{"part": "x", "pipeline": "exact"}])",
       "/train/0: has both 'pipeline' and 'pipelines'; give one of them"},
      {R"("name": "a", "pipelines": [{"part": "x", "pipeline": "exact"}])",
       "/train/0/pipelines: needs a pipeline of each part: x, theta"},
      {R"("name": "a", "pipelines": [{"part": "x", "pipeline": "exact"},
          {"part": "x", "pipeline": "exact"}])",
       "/train/0/pipelines/1/part: 'x' has a pipeline already"},
      {R"("name": "a", "pipelines": [{"part": "x", "pipeline": {"cpu": "exact"}},
          {"part": "theta", "pipeline": {"cuda": "exact"}}])",
       "/train/0: has no backend with a pipeline of each part"},
      {R"("name": "a", "algorithm": "sgd", "pipelines": [{"part": "x", "pipeline": "exact"}])",
       "/train/0/pipelines/0/part: unknown part 'x' (one of: epoch)"},
      {R"("name": "a", "pipeline_x": "exact", "pipeline_theta": "exact")",
       R"(/train/0/pipeline_x: is no key since schema 2.0; write "pipelines": [{"part": "x", )"},
      {R"("name": "a")", "/train/0: needs 'pipeline' or 'pipelines'"},
      {R"("name": "a", "pipeline": "exact", "axes": {"steps": [2, 3]})", "/train/0/axes/steps:"},
      {R"("name": "a-{steps}", "pipeline": "update:blocked:steps={steps}", "backend": "cpu",
          "axes": {"steps": [2, "many"]})",
       "has no value 'many'"},
      {R"("name": "a", "pipeline": "exact", "target": 0)",
       "/train/0/target: is 0; it must be from 1e-06 to 1000000"},
      {R"("name": "a", "pipeline": "exact", "target_rmse": 1)", "write 'target'"},
      {R"("name": "a", "pipeline": "exact", "algorithm": "alz")", "did you mean 'als'"},
      {R"("name": "a", "pipeline": "exact", "algorithm": 1)", "/train/0/algorithm: is no text: 1"},
      {R"("name": "a", "pipeline": "exact", "hyper": "rate=1")",
       "/train/0/hyper: is no object: \"rate=1\""},
      {R"("name": "a", "pipeline": "exact", "hyper": {"first_share": "1"})",
       "/train/0/hyper/first_share: must be a number"},
      {R"("name": "a", "pipeline": "exact", "hyper": {"first_share": 2})",
       "/train/0/hyper/first_share: parameter 'first_share' has no value '2'"},
      {R"("name": "a", "pipeline": "exact", "hyper": {"rate": 1})", "/train/0/hyper/rate: "}};
  for (const auto& [train, message] : wrong) {
    const std::string error = error_beside(R"("train": [{)" + train + "}]");
    EXPECT_TRUE(contains(error, message)) << train;
  }
}

TEST(Suite, EmptyListsAndNamesAreErrorsOfTheirOwn) {
  const std::string measure = R"("measure": [{"stage": "bias"}])";
  EXPECT_EQ(error_beside(measure), "");
  EXPECT_TRUE(contains(error_beside(R"("measure": [])"), "/measure: must not be empty"));
  EXPECT_TRUE(contains(error_beside(measure + R"(, "train": [])"), "/train: must not be empty"));
  EXPECT_TRUE(
      contains(error_of(R"({"name": "s", "description": "d", "problems": [], )" + measure + "}"),
               "/problems: must not be empty"));
  for (const std::string name : {"", "..", ".hidden", "a/b", "a\\u001b[31m", "a\\u0000", "a b"})
    EXPECT_TRUE(contains(error_of(R"({"name": ")" + name + R"(", "description": "d",
                         "problems": [{"dataset": "ml-100k"}], )" +
                                  measure + "}"),
                         "becomes part of file names"))
        << name;
}

TEST(Suite, AStageWithoutANameIsNone) {
  EXPECT_TRUE(contains(error_beside(R"("measure": [{"stage": ""}])"), "/measure/0/stage: "));
  EXPECT_FALSE(stage_named(""));
  for (const Stage stage : all_stages()) EXPECT_FALSE(name_of(stage).empty());
}

TEST(Suite, ARoofIsOfABaselineStage) {
  const std::string error =
      error_beside(R"("measure": [{"stage": "bias"}], "ceilings": [{"stage": "hermitian"}])");
  EXPECT_TRUE(contains(error, "/ceilings/0/stage: unknown ceiling 'hermitian'"));
  EXPECT_TRUE(contains(error, "copy"));
  EXPECT_FALSE(contains(error, "solve"));
}

TEST(Suite, AProblemHasADataSetOrAPath) {
  const auto error = [](const std::string& problem) {
    return error_of(R"({"name": "s", "description": "d", "measure": [{"stage": "bias"}],
                        "problems": [{)" +
                    problem + "}]}");
  };
  EXPECT_TRUE(contains(error(R"("dataset": "ml-100k", "path": "/")"), "has both"));
  EXPECT_TRUE(contains(error(R"("rank": 8)"), "needs 'dataset' or 'path'"));
  EXPECT_TRUE(contains(error(R"("dataset": "")"), "/problems/0/dataset: unknown"));
}

TEST(Suite, AnErrorAndANameAreListedOnce) {
  const std::string config =
      error_beside(R"("measure": [{"stage": "hermitian", "config": "foo"}])");
  EXPECT_EQ(times_in(config, "/measure/0/config:"), 1) << config;
  const std::string variant =
      error_beside(R"("measure": [{"stage": "hermitian", "variant": "x"}])");
  EXPECT_EQ(times_in(variant, "naive"), 1) << variant;
}

TEST(Suite, AFolderIsNoSuite) {
  EXPECT_TRUE(contains(thrown_by([&] { load_suite("/"); }), "'/' is a folder"));
}

TEST(Suite, SyntaxErrorNamesTheSource) { EXPECT_TRUE(contains(error_of("{\"name\": "), "test")); }

TEST(Suite, EveryShippedSuiteIsValidAndDescribed) {
  ASSERT_GE(suite_names().size(), 8u);
  for (const std::string& name : suite_names()) {
    const Suite suite = load_suite(name);
    EXPECT_EQ(suite.name, name);
    EXPECT_GT(suite.description.size(), 40u) << name;
    EXPECT_FALSE(expand(suite, on({"cpu", "0"})).empty()) << name;
  }
}

TEST(Suite, CiGatesEveryVariantOfAnIterationAsItIsByDefault) {
  std::set<std::string> gated;
  for (const Case& c : expand(load_suite("ci"), on({"cpu", "0"})))
    gated.insert(c.variant->id() + " " + c.config.text());
  for (const Variant& variant : catalog()) {
    const bool of_iteration = variant.stage == &stages::hermitian ||
                              variant.stage == &stages::bias ||
                              variant.stage == &stages::normal_equations ||
                              variant.stage == &stages::solve || variant.stage == &stages::update;
    if (!of_iteration || variant.hidden) continue;
    const std::string by_default = variant.id() + " " + variant.space.default_config().text();
    EXPECT_TRUE(gated.contains(by_default)) << by_default;
  }
}

TEST(Case, AProblemMayBeForOneBackendAlone) {
  const Suite suite = parse_suite(R"({"name": "two", "description": "d", "problems": [
      {"dataset": "ml-1m", "rank": 8, "backend": "cuda"}, {"dataset": "ml-100k", "rank": 8}],
      "measure": [{"stage": "bias", "variant": "rows"}]})",
                                  "test");
  for (const Case& c : expand(suite, on({"cpu", "0"})))
    EXPECT_TRUE(c.backend == Backend::cuda || c.problem.data.dataset == "ml-100k") << c.name();
  EXPECT_EQ(expand(suite, on({"0"})).size(), 2 * expand(suite, on({"cpu"})).size());
}

TEST(Case, NamesAreUniqueAndSurviveTheWayToTheWorker) {
  for (const std::string& name : suite_names()) {
    const Suite suite = load_suite(name);
    std::set<std::string> names;
    for (const Case& c : expand(suite, on({"cpu", "0", "1"}))) {
      EXPECT_TRUE(names.insert(c.name()).second) << c.name();
      const Json json = Json::parse(to_json(c).dump());
      const Case back = read_as<Case>(JsonField(json));
      EXPECT_EQ(back.name(), c.name());
      EXPECT_EQ(back.group(), c.group());
      EXPECT_EQ(to_json(back), to_json(c));
    }
  }
}

TEST(Case, SelectionFiltersAndOverrides) {
  const Suite suite = load_suite("quick");
  const Selection all = on({"cpu"});
  const auto cases = expand(suite, all);
  Selection cold = all;
  cold.filter = "^solve/cg.*/cold$";
  for (const Case& c : expand(suite, cold)) EXPECT_EQ(c.modes, std::vector{CacheMode::cold});
  EXPECT_EQ(expand(suite, cold).size(), 2u);
  Selection named = all;  // a case by its name, with all its cache modes
  named.filter = "^" + cases.front().name() + "$";
  ASSERT_EQ(expand(suite, named).size(), 1u);
  EXPECT_EQ(expand(suite, named).front().modes, cases.front().modes);
  Selection axis = all;
  axis.variants = {"cg"};
  axis.axes = {parse_axis("matrix=fp16"), parse_axis("steps=[3,4]")};
  EXPECT_EQ(expand(suite, axis).size(), 2u);
  std::vector<Selection> wrong(4, all);
  wrong[0].variants = {"cgg"};
  wrong[1].axes = {{"stps", {"1"}}};
  wrong[2].axes = {{"matrix", {"fp31"}}};
  wrong[3].filter = "(";
  for (const Selection& selection : wrong) EXPECT_THROW(expand(suite, selection), UsageError);
}

TEST(Case, ShardsDivideCasesButNoGroup) {
  const std::vector<Case> cases = expand(load_suite("quick"), on({"cpu"}));
  const ShardCases whole = cases_of_shard(cases, 0, 1);
  EXPECT_EQ(whole.all_cases, static_cast<int64_t>(cases.size()));
  EXPECT_EQ(whole.cases.size(), cases.size());
  const auto shards = static_cast<int>(whole.all_groups);
  ASSERT_GT(shards, 2);
  std::map<int64_t, std::string> names;  // by number
  std::map<std::string, int> shard_of;   // a group
  for (int shard = 0; shard < shards; ++shard) {
    const ShardCases shard_cases = cases_of_shard(cases, shard, shards);
    EXPECT_FALSE(shard_cases.cases.empty());
    EXPECT_EQ(shard_cases.all_names, whole.all_names);
    for (const Case& c : shard_cases.cases) {
      EXPECT_TRUE(names.emplace(c.number.value(), c.name()).second);
      EXPECT_EQ(shard_of.try_emplace(c.group(), shard).first->second, shard) << c.group();
    }
  }
  ASSERT_EQ(names.size(), cases.size());
  for (const auto& [number, name] : names)
    EXPECT_EQ(name, cases[static_cast<size_t>(number)].name());
  EXPECT_NE(cases_of_shard({cases.begin(), cases.end() - 1}, 0, 1).all_names, whole.all_names);
}

TEST(Case, AGroupOfTooManyCasesHasSections) {
  Selection many = on({"cpu"});
  many.variants = {"solve/cg"};
  many.axes = {parse_axis("steps=[1:40:1]")};
  std::map<std::string, int> sizes;
  for (const Case& c : expand(load_suite("quick"), many)) ++sizes[c.group()];
  EXPECT_GT(sizes.size(), 1u);
  for (const auto& [group, size] : sizes) EXPECT_LE(size, 32) << group;
}

}  // namespace
}  // namespace alsbench
