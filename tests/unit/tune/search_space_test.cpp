// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/space/search_space.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "harness/tune/search/space_file.h"
#include "tests/unit/texts.h"
#include "tests/unit/tune/tuned_entries.h"
#include "variants/als/stages.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

Shape netflix_shape() {
  Shape shape;
  shape.rows = 480189;
  shape.cols = 17770;
  shape.nnz = 99072112;
  shape.rank = 100;
  shape.row_length_quantiles = {1, 35, 84, 200, 500, 1800, 17653};
  return shape;
}

DeviceTraits cpu() {
  DeviceTraits traits;
  traits.backend = Backend::cpu;
  return traits;
}

std::vector<const Variant*> hermitian_cpu() {
  std::vector<const Variant*> list;
  for (const Variant& variant : catalog())
    if (variant.stage == &stages::hermitian && variant.backend == Backend::cpu && !variant.hidden)
      list.push_back(&variant);
  return list;
}

std::string message_of(const SpaceRequest& request) {
  return thrown_by([&] { SearchSpace(request, netflix_shape(), cpu()); });
}

TEST(SearchSpace, OfOneVariantHasItsValidPoints) {
  const Variant& tiled = variant_named(&stages::hermitian, "tiled", Backend::cuda);
  const DeviceTraits traits = traits_of_architecture(90);
  SpaceRequest request;
  request.variants = {&tiled};
  const SearchSpace space(request, netflix_shape(), traits);
  EXPECT_EQ(space.total(), tiled.space.size());
  int64_t pruned = 0;
  for (const auto& [objection, count] : space.pruned()) pruned += count;
  EXPECT_EQ(static_cast<int64_t>(space.size()) + pruned, space.total());
  EXPECT_GT(pruned, 0);
  for (const SearchPoint& point : space.points())
    EXPECT_FALSE(objection_of(tiled, point.config, netflix_shape(), traits)) << point.text();
  EXPECT_EQ(space[space.default_point()].config, tiled.space.default_config());
}

TEST(SearchSpace, HasAnEnd) {
  SpaceRequest request;
  request.variants = hermitian_cpu();
  const std::vector<std::string> alike(2000, "fp32");
  request.axes = {{"factors", alike}, {"output", alike}};
  EXPECT_THROW(check_request(request), UsageError);
  request.axes.pop_back();
  check_request(request);
}

TEST(SearchSpace, OfSeveralVariantsHasTheVariantAsADimension) {
  SpaceRequest request;
  request.variants = hermitian_cpu();
  const SearchSpace space(request, netflix_shape(), cpu());
  ASSERT_EQ(space.dimensions()[0].name, "variant");
  EXPECT_EQ(space.dimensions()[0].values.size(), request.variants.size());
  int64_t size = 0;
  for (const Variant* variant : request.variants) size += variant->space.size();
  EXPECT_EQ(space.total(), size);  // before objections
  for (size_t i = 0; i < space.size(); ++i) EXPECT_EQ(space.find(space[i].text()), i);
  EXPECT_EQ(space.find("blocked:tile=5"), space.size());
}

TEST(SearchSpace, BeginsWithTheVariantThatRunsWhereNothingWasTuned) {
  SpaceRequest request;
  for (const Variant& variant : catalog())
    if (variant.stage == &stages::update && variant.backend == Backend::cpu && !variant.hidden)
      request.variants.push_back(&variant);
  ASSERT_GT(request.variants.size(), 1u);
  const SearchSpace space(request, netflix_shape(), cpu());
  EXPECT_EQ(space[space.default_point()].variant_name, "matrix_free");
  EXPECT_EQ(space[space.default_point()].config,
            space[space.default_point()].variant->space.default_config());
}

TEST(SearchSpace, ObjectionsKeepTheNumbersInWords) {
  SpaceRequest request;
  request.variants = hermitian_cpu();
  const SearchSpace space(request, netflix_shape(), cpu());
  ASSERT_EQ(space.pruned().size(), 1u);
  EXPECT_TRUE(space.pruned().front().first.starts_with("FP16 matrices"))
      << space.pruned().front().first;
}

TEST(SearchSpace, NumbersAreInTheirOrderAndWordsAsDeclared) {
  SpaceRequest request;
  request.variants = hermitian_cpu();
  const SearchSpace space(request, netflix_shape(), cpu());
  std::map<std::string, Dimension> dimensions;
  for (const Dimension& dimension : space.dimensions()) dimensions[dimension.name] = dimension;
  EXPECT_EQ(dimensions.at("factors").values, (std::vector<std::string>{"fp32", "fp16"}));
  EXPECT_FALSE(dimensions.at("factors").ordered);
  EXPECT_EQ(dimensions.at("tile").values, (std::vector<std::string>{"4", "6", "8", "12"}));
  EXPECT_TRUE(dimensions.at("tile").ordered);
}

TEST(SearchSpace, AxesRestrictAndTiesPairAndConditionsPrune) {
  const Variant& blocked = variant_named(&stages::hermitian, "blocked", Backend::cpu);
  SpaceRequest request;
  request.variants = {&blocked};
  request.axes = {
      {"tile", {"4", "8"}}, {"bin", {"32", "64"}}, {"factors", {"fp32"}}, {"store", {"streaming"}}};
  EXPECT_EQ(SearchSpace(request, netflix_shape(), cpu()).size(), 2u * 2 * 1 * 1 * 2);
  request.tied = {{"tile", "bin"}};
  const SearchSpace tied(request, netflix_shape(), cpu());
  EXPECT_EQ(tied.size(), 2u * 2);
  for (const SearchPoint& point : tied.points())
    EXPECT_EQ(point.config.is("tile", "4"), point.config.is("bin", "32"));
  request.tied.clear();
  request.conditions = {Condition("tile * bin <= 256"), Condition("output != fp16")};
  const SearchSpace conditioned(request, netflix_shape(), cpu());
  EXPECT_EQ(conditioned.size(), 3u);
  EXPECT_EQ(conditioned.total(), 8);
}

TEST(SearchSpace, TheDefaultIsTheDefaultWithinTheAxes) {
  const Variant& blocked = variant_named(&stages::hermitian, "blocked", Backend::cpu);
  SpaceRequest request;
  request.variants = {&blocked};
  request.axes = {{"tile", {"12", "6"}}, {"bin", {"128", "32"}}};
  const SearchSpace space(request, netflix_shape(), cpu());
  const Config& config = space[space.default_point()].config;
  EXPECT_EQ(config.get("tile"), "6");
  EXPECT_EQ(config.get("bin"), "128");
}

TEST(SearchSpace, SaysWhatIsWrongWithARequest) {
  SpaceRequest request;
  request.variants = hermitian_cpu();
  request.axes = {{"tiel", {"4"}}};
  EXPECT_TRUE(contains(message_of(request), "did you mean 'tile'"));
  request.axes = {{"tile", {"5"}}};
  EXPECT_TRUE(contains(message_of(request), "no value '5'"));
  request.axes = {{"tile", {"4", "6"}}, {"bin", {"32", "64", "128"}}};
  request.tied = {{"tile", "bin"}};
  EXPECT_TRUE(contains(message_of(request), "3 values where 'tile' has 2"));
  request.tied = {{"tile", "bine"}};
  EXPECT_TRUE(contains(message_of(request), "did you mean 'bin'"));
  request.tied.clear();
  request.conditions = {Condition("tyle < 8")};
  EXPECT_TRUE(contains(message_of(request), "unknown parameter or value 'tyle'"));
  request.conditions = {Condition("tile < 8 and factors == fp8")};
  EXPECT_TRUE(contains(message_of(request), "unknown parameter or value 'fp8'"));
  request.conditions = {Condition("1 > 2")};
  EXPECT_TRUE(contains(message_of(request), "the commonest objection: condition 1 > 2"));
}

TEST(Condition, HasAnEnd) {
  const auto list = [](const char* separator, int count) {
    std::string text = "1";
    for (int i = 1; i < count; ++i) text += separator + std::to_string(i);
    return text;
  };
  for (const std::string& text :
       {list(" + ", 30000) + " > 1", list(" < ", 30000),
        list("+", 400) + " in [" + list(",", 400) + "]", "a == " + list(" or a == ", 5000),
        std::string(90, '(') + list("+", 2000)})
    EXPECT_THROW(Condition{text}, UsageError);
  EXPECT_TRUE(Condition("tile in [" + list(",", 200) + "]").holds({}));
}

TEST(Condition, ComparesNumbersAndWords) {
  const Config config({{"tile", "8"}, {"bin", "32"}, {"l1", "on"}});
  EXPECT_TRUE(Condition("tile * bin <= 256").holds(config));
  EXPECT_FALSE(Condition("tile * bin < 256").holds(config));
  EXPECT_TRUE(Condition("bin >= 4 * tile").holds(config));
  EXPECT_TRUE(Condition("tile != bin").holds(config));
  EXPECT_TRUE(Condition("l1 == on").holds(config));
  EXPECT_FALSE(Condition("l1 != on").holds(config));
  EXPECT_TRUE(Condition("absent == on").holds(config));
  EXPECT_TRUE(Condition("absent * 2 <= 1").holds(config));
}

TEST(Condition, IsOfPythonsGrammar) {
  const Config config({{"tile", "8"}, {"bin", "32"}, {"l1", "on"}});
  const auto holds = [&](const char* text) { return Condition(text).holds(config); };
  EXPECT_TRUE(holds("tile <= 8 and bin <= 64"));
  EXPECT_FALSE(holds("tile <= 4 and bin <= 64"));
  EXPECT_TRUE(holds("tile <= 4 or bin <= 64"));
  EXPECT_FALSE(holds("not (tile <= 4 or bin <= 64)"));
  EXPECT_TRUE(holds("tile < 4 and tile < 4 or tile == 8")) << "and goes before or";
  EXPECT_TRUE(holds("4 < tile <= 8 < bin"));
  EXPECT_FALSE(holds("4 < tile < 8"));
  EXPECT_TRUE(holds("bin % tile == 0 and bin // 5 == 6 and bin / tile == 4"));
  EXPECT_TRUE(holds("bin - tile - tile == 16 and 2 + 3 * tile == 26 and -tile < -7"));
  EXPECT_TRUE(holds("-7 // 2 == -4 and -7 % 4 == 1")) << "as Python rounds";
  EXPECT_TRUE(holds("tile in [4, 8] and tile not in (16, 32)"));
  EXPECT_TRUE(holds("l1 == 'on' and l1 in [\"off\", on]"));
  EXPECT_TRUE(holds("True and not False"));
}

TEST(Condition, WhatTheConfigurationLacksDecidesNothing) {
  const Config config = Config().with("tile", "8");
  EXPECT_TRUE(Condition("absent <= 4").holds(config));
  EXPECT_TRUE(Condition("not absent <= 4").holds(config));
  EXPECT_TRUE(Condition("absent == 4096").holds(config));
  EXPECT_TRUE(Condition("tile * absent <= 4").holds(config));
  EXPECT_FALSE(Condition("tile < 8 and absent <= 4").holds(config));
  EXPECT_TRUE(Condition("tile < 8 or absent <= 4").holds(config));
}

TEST(Condition, WhatIsNoConditionIsRefusedWithItsColumn) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"tile 8", "column 6: '8' ends what has no comparison"},
      {"tile * <= 8", "column 8: '<=' is no number, name or text in quotes"},
      {"tile <= 4 and", "column 14: the end is no number"},
      {"tile <= 4 and bin", "column 18: the end ends what has no comparison"},
      {"(tile <= 4", "column 11: the end is not expected here, but ')'"},
      {"tile <= 4)", "column 10: ')' is not expected here"},
      {"tile ** 2 <= 4", "column 6: '**' ends what has no comparison"},
      {"tile <= 4 && bin <= 2", "column 11: "},
      {"(tile < 4) + 1 < 3", "column 12: '+' follows a condition"},
      {"l1 == 'on", "column 7: "},
      {"tile <= 4x", "column 9: '4x' is no number"},
      {"or tile < 3", "column 1: 'or' is expected between values"},
      {"", "column 1: the end"}};
  for (const auto& [text, message] : wrong)
    EXPECT_TRUE(contains(thrown_by([&] { const Condition condition(text); }), message));
  EXPECT_THROW(Condition(std::string(100000, '(')), UsageError);
}

TEST(Condition, WhatCannotBeCalculatedIsAnError) {
  const Config config({{"tile", "8"}, {"l1", "on"}});
  EXPECT_THROW(Condition("l1 < 4").holds(config), UsageError);
  EXPECT_THROW(Condition("tile / (tile - 8) < 4").holds(config), UsageError);
}

TEST(SpaceFile, ReadsT1) {
  const SpaceFile file = parse_space_file(R"({
    "General": {"BenchmarkName": "hermitian"},
    "ConfigurationSpace": {
      "TuningParameters": [{"Name": "tile", "Type": "int", "Values": "[4, 8]", "Default": 4},
                           {"Name": "l1", "Values": ["on"]}],
      "Conditions": [{"Expression": "tile * bin <= 512", "Parameters": ["tile", "bin"]}],
      "Tied": [["tile", "bin"]]},
    "Search": {"Name": "random", "Attributes": [{"Name": "seed", "Value": 7}]},
    "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 50},
               {"Type": "TuningDuration", "BudgetValue": 2.5}]})",
                                          "space.json");
  ASSERT_EQ(file.axes.size(), 2u);
  EXPECT_EQ(file.axes[0].values, (std::vector<std::string>{"4", "8"}));
  EXPECT_EQ(file.axes[1].values, (std::vector<std::string>{"on"}));
  EXPECT_EQ(file.conditions.size(), 1u);
  EXPECT_EQ(file.tied, (std::vector<std::vector<std::string>>{{"tile", "bin"}}));
  EXPECT_EQ(file.strategy, "random");
  EXPECT_EQ(file.seed, 7u);
  EXPECT_EQ(file.evaluations, 50);
  EXPECT_EQ(file.seconds, 2.5);
}

TEST(SpaceFile, ListsEveryErrorWithItsPlace) {
  const std::string text = thrown_by([&] {
    parse_space_file(R"({
      "ConfigurationSpac": {},
      "ConfigurationSpace": {"TuningParameters": [{"Name": "tile", "Values": "4 to 8"}, {}],
                             "Conditions": [{"Expression": "tile 8"}]},
      "Search": {"Name": "rndom"},
      "Budget": [{"Type": "Minutes", "BudgetValue": 5},
                 {"Type": "ConfigurationCount", "BudgetValue": 0}]})",
                     "space.json");
  });
  for (const char* part :
       {"space.json", "/ConfigurationSpac: unknown key", "/TuningParameters/0/Values",
        "/TuningParameters/1: lacks 'Name'", "/Conditions/0", "did you mean 'random'",
        "/Budget/0/Type", "/Budget/1/BudgetValue"})
    EXPECT_TRUE(contains(text, part));
  EXPECT_THROW(parse_space_file("{", "space.json"), UsageError);
}

TEST(SpaceFile, ListsAnUnknownParameterOnce) {
  const SpaceFile file = parse_space_file(
      R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "tilee", "Values": [4, 8, 10]}]}})",
      "space.json");
  const std::string text = thrown_by([&] {
    check_space_file(file, {&variant_named(&stages::hermitian, "tiled", Backend::cuda)},
                     "space.json");
  });
  EXPECT_TRUE(contains(text, "did you mean 'tile'"));
  EXPECT_EQ(text.find("tilee"), text.rfind("tilee")) << text;
}

TEST(SearchSpace, ExpectsLessOfFewerBytesAndOfThoseOnTheChip) {
  SpaceRequest request;
  request.variants = {find_variant(&stages::solve, "cg", Backend::cuda)};
  request.axes = {{"steps", {"6", "4"}}};
  SearchSpace space(request, netflix_shape(), gpu());
  const auto expected = [&](const std::string& settings) {
    const Config config = request.variants.front()->space.parse(settings);
    return space.expected(space.find("cg:" + config.text()));
  };
  for (const char* less : {"matrix=fp16", "steps=4", "warm=off", "cache=registers"})
    EXPECT_LT(expected(less), expected("")) << less;
  EXPECT_EQ(expected("l1=off"), expected(""));

  request = {};
  request.variants = {find_variant(&stages::update, "fused", Backend::cuda)};
  space = SearchSpace(request, netflix_shape(), gpu());
  const auto of_fused = [&](const std::string& settings) {
    return space.expected(
        space.find("fused:" + request.variants.front()->space.parse(settings).text()));
  };
  EXPECT_LT(of_fused("matrix=fp16"), of_fused(""));
}

}  // namespace
}  // namespace alsbench
