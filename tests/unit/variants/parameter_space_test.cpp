// SPDX-License-Identifier: Apache-2.0
#include "variants/core/parameter_space.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace alsbench {
namespace {

ParameterSpace tiled_space() {
  return {{"gather", {"coalesced", "strided"}},
          {"tile", {10, 5, 20}},
          {.name = "steps", .values = {6}, .open = true},
          {.name = "phase", .values = {"all", "load"}, .effect = Effect::diagnostic}};
}

std::string refusal_of(const std::string& text) {
  try {
    tiled_space().parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
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
  EXPECT_NE(refusal_of("gahter=strided").find("did you mean 'gather'"), std::string::npos);
  const std::string value = refusal_of("gather=stride");
  EXPECT_NE(value.find("'stride'"), std::string::npos) << value;
  EXPECT_NE(value.find("did you mean 'strided'"), std::string::npos) << value;
  EXPECT_NE(refusal_of("tile=7").find("one of: 10, 5, 20"), std::string::npos);
  EXPECT_NE(refusal_of("gather").find("name=value"), std::string::npos);
}

TEST(ParameterSpaceTest, AWholeOpenParameterTakesWholeNumbersFromOneAlone) {
  const ParameterSpace space{{.name = "steps", .values = {6}, .open = true, .whole = true}};
  EXPECT_EQ(space.parse("steps=17").integer("steps"), 17);
  for (const char* wrong : {"0", "2.5", "-1", "1e3", "99999999999", "six"})
    EXPECT_THROW(space.parse(std::string("steps=") + wrong), UsageError) << wrong;
}

TEST(ParameterSpaceTest, AParameterIsAssignedOnce) {
  EXPECT_NE(refusal_of("tile=5,tile=10").find("'tile' is assigned twice"), std::string::npos);
}

TEST(ParameterSpaceTest, OpenParametersTakeAnyNonNegativeNumber) {
  EXPECT_EQ(tiled_space().parse("steps=17").integer("steps"), 17);
  EXPECT_NE(refusal_of("steps=-1").find("no value '-1'"), std::string::npos);
  EXPECT_NE(refusal_of("steps=many").find("no value 'many'"), std::string::npos);
}

TEST(ConfigTest, AnAbsentParameterIsNamed) {
  const Config config = Config().with("tile", "5");
  EXPECT_EQ(config.integer("tile"), 5);
  EXPECT_EQ(config.get_or("bin", "32"), "32");
  try {
    config.get("bin");
    FAIL() << "nothing was thrown";
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("'bin'"), std::string::npos);
  }
}

}  // namespace
}  // namespace alsbench
