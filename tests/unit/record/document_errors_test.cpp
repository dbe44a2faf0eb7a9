// SPDX-License-Identifier: Apache-2.0
// Documents that people write: every error at once, and nothing in them is ignored.
#include <gtest/gtest.h>

#include "harness/record/document.h"
#include "harness/record/fields/forms.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

struct Wheel {
  int32_t spokes = 0;
  std::string colour;
};
void describe(Fields<Wheel>& fields) {
  fields("spokes", &Wheel::spokes).range(8, 64);
  fields("colour", &Wheel::colour).omitted().names("colour", [] {
    return std::vector<std::string>{"red", "green"};
  });
  fields.check([](const JsonField& json, Wheel& wheel) {
    if (wheel.colour == "red" && wheel.spokes == 13) json.fail("brings bad luck");
  });
}

struct Bicycle {
  std::string name, maker;
  std::vector<Wheel> wheels;
  OneOrMore<TextOrNumber> gears;
};
void describe(Fields<Bicycle>& fields) {
  describe_hand_written(fields);
  fields("name", &Bicycle::name).omitted().pattern("[a-z]+", "may have a to z alone");
  fields("maker", &Bicycle::maker).omitted();
  fields("wheels", &Bicycle::wheels).range(Range::Kind::not_empty);
  fields("gears", &Bicycle::gears).omitted();
  fields.one_of({"name", "maker"});
  fields.replaced(
      [](const std::string& key) { return std::string(key == "title" ? "'name'" : ""); });
}

using Texts = std::vector<std::string>;

Texts errors_of(const std::string& text) {
  const Json json = Json::parse(text);
  DocumentErrors errors;
  read_as<Bicycle>(JsonField(json, "", &errors));
  return errors.texts();
}

TEST(DocumentErrors, AllAreFoundEachWithItsPlace) {
  EXPECT_EQ(
      errors_of(R"({"name": 7, "wheels": [{"spokes": 5}, {"colour": "gren"}, 3], "gears": []})"),
      (Texts{"/name: is no text: 7", "/wheels/0/spokes: is 5; it must be from 8 to 64",
             "/wheels/1: lacks 'spokes'",
             "/wheels/1/colour: unknown colour 'gren'; did you mean 'green'? (one of: red, "
             "green)",
             "/wheels/2: is no object: 3", "/gears: must not be empty"}));
}

TEST(DocumentErrors, UnknownMembersAreRefusedWithTheNearestName) {
  const Texts errors =
      errors_of(R"({"name": "a", "weels": [], "title": "b", "wheels": [{"spokes": 9}]})");
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_TRUE(errors[0].starts_with("/weels: unknown key 'weels'; did you mean 'wheels'?"));
  EXPECT_EQ(errors[1], "/title: is no key since schema 2.0; write 'name'");
}

TEST(DocumentErrors, AlternativesExcludeEachOther) {
  const std::string wheels = R"("wheels": [{"spokes": 9}])";
  EXPECT_EQ(errors_of("{" + wheels + "}"), Texts{"/: needs 'name' or 'maker'"});
  EXPECT_EQ(errors_of(R"({"name": "a", "maker": "b", )" + wheels + "}"),
            Texts{"/: has both 'name' and 'maker'; give one of them"});
  EXPECT_EQ(errors_of(R"({"name": "A1", )" + wheels + "}"),
            Texts{"/name: 'A1' may have a to z alone"});
}

TEST(DocumentErrors, WhatOneMemberCannotTellIsAskedOfSoundOnesAlone) {
  EXPECT_EQ(errors_of(R"({"name": "a", "wheels": [{"spokes": 13, "colour": "red"}]})"),
            Texts{"/wheels/0: brings bad luck"});
  EXPECT_EQ(
      errors_of(R"({"name": "a", "wheels": [{"spokes": 13, "colour": "red", "rim": 1}]})").size(),
      1u);
}

TEST(DocumentErrors, AnotherVersionIsRefused) {
  const std::string rest = R"(, "name": "a", "wheels": [{"spokes": 9}]})";
  EXPECT_EQ(errors_of(R"({"$schema": "bicycle.json", "schema_version": "2.1.0")" + rest), Texts{});
  const Texts errors = errors_of(R"({"schema_version": "1.0.0")" + rest);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(contains(errors[0], "/schema_version: '1.0.0' is no version"));
}

TEST(DocumentErrors, ADocumentOfAProgramEndsAtTheFirstAndMayHaveMore) {
  const Json newer = Json::parse(R"({"name": "a", "weels": 1, "wheels": [{"spokes": 9}]})");
  EXPECT_EQ(read_as<Bicycle>(JsonField(newer)).wheels.size(), 1u);
  const Json wrong = Json::parse(R"({"name": 7, "wheels": [{"spokes": 5}]})");
  EXPECT_THROW(read_as<Bicycle>(JsonField(wrong)), FieldError);
}

TEST(DocumentErrors, TheSchemaSaysTheSame) {
  const Json schema = document_schema(record_type<Bicycle>(), "bicycle");
  const Json& wheel = schema["properties"]["wheels"]["items"]["properties"];
  EXPECT_EQ(wheel["spokes"].dump(), R"({"type":"integer","minimum":8,"maximum":64})");
  EXPECT_EQ(wheel["colour"].dump(), R"({"enum":["red","green"]})");
  EXPECT_EQ(schema["properties"]["name"]["pattern"], "^[a-z]+$");
  EXPECT_EQ(schema["oneOf"].dump(), R"([{"required":["name"]},{"required":["maker"]}])");
  EXPECT_EQ(schema["additionalProperties"], false);
}

}  // namespace
}  // namespace alsbench
