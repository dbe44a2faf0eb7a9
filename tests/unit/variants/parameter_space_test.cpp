// SPDX-License-Identifier: Apache-2.0
#include "variants/core/parameter_space.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

ParameterSpace tiled_space() {
  return {{"gather", {"coalesced", "strided"}},
          {"tile", {10, 5, 20}},
          {.name = "steps", .values = {6}, .open = true},
          {.name = "phase", .values = {"all", "load"}, .effect = Effect::diagnostic}};
}

std::string refusal_of(const std::string& text) {
  return thrown_by([&] { tiled_space().parse(text); });
}

TEST(ParameterSpaceTest, TheFirstValuesAreTheDefault) {
  EXPECT_EQ(tiled_space().default_config().text(), "gather=coalesced,tile=10,steps=6,phase=all");
}

TEST(ParameterSpaceTest, ParsedTextIsCanonicalWhateverTheOrder) {
  EXPECT_EQ(tiled_space().parse("tile=5,gather=strided").text(),
            "gather=strided,tile=5,steps=6,phase=all");
  EXPECT_EQ(tiled_space().parse(""), tiled_space().default_config());
}

TEST(ParameterSpaceTest, VisitsEachPointOnceWithDiagnosticsAtTheirDefault) {
  std::set<std::string> texts;
  int64_t visits = 0;
  tiled_space().for_each([&](const Config& config) {
    texts.insert(config.text());
    EXPECT_EQ(config.get("phase"), "all");
    ++visits;
  });
  EXPECT_EQ(visits, 6);
  EXPECT_EQ(tiled_space().size(), 6);
  EXPECT_EQ(texts.size(), 6u);
}

TEST(ParameterSpaceTest, ErrorsNameTheNearestValidName) {
  EXPECT_TRUE(contains(refusal_of("gahter=strided"), "did you mean 'gather'"));
  const std::string value = refusal_of("gather=stride");
  EXPECT_TRUE(contains(value, "'stride'"));
  EXPECT_TRUE(contains(value, "did you mean 'strided'"));
  EXPECT_TRUE(contains(refusal_of("tile=7"), "one of: 10, 5, 20"));
  EXPECT_TRUE(contains(refusal_of("gather"), "name=value"));
}

TEST(ParameterSpaceTest, AWholeOpenParameterTakesWholeNumbersFromOneAlone) {
  const ParameterSpace space{{.name = "steps", .values = {6}, .open = true, .whole = true}};
  EXPECT_EQ(space.parse("steps=17").integer("steps"), 17);
  for (const char* wrong : {"0", "2.5", "-1", "1e3", "99999999999", "six"})
    EXPECT_THROW(space.parse(std::string("steps=") + wrong), UsageError) << wrong;
}

TEST(ParameterSpaceTest, AParameterIsAssignedOnce) {
  EXPECT_TRUE(contains(refusal_of("tile=5,tile=10"), "'tile' is assigned twice"));
}

TEST(ParameterSpaceTest, OpenParametersTakeAnyNonNegativeNumber) {
  EXPECT_EQ(tiled_space().parse("steps=17").integer("steps"), 17);
  EXPECT_TRUE(contains(refusal_of("steps=-1"), "no value '-1'"));
  EXPECT_TRUE(contains(refusal_of("steps=many"), "no value 'many'"));
}

TEST(ConfigTest, AnAbsentParameterIsNamed) {
  const Config config = Config().with("tile", "5");
  EXPECT_EQ(config.integer("tile"), 5);
  EXPECT_EQ(config.get_or("bin", "32"), "32");
  EXPECT_TRUE(contains(thrown_by<std::out_of_range>([&] { config.get("bin"); }), "'bin'"));
}

}  // namespace
}  // namespace alsbench
