// SPDX-License-Identifier: Apache-2.0
#include "harness/record/result.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "harness/record/comparison_record.h"
#include "harness/record/full_table.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

CaseRecord measured_case() {
  CaseRecord record;
  record.name = "solve/lu/cpu/x";
  record.stage = "solve";
  record.variant = "lu";
  record.outcome = Outcome::ok;
  MeasurementRecord cold;
  cold.samples = {{0.002, 0.002}};
  cold.statistics.count = 1;
  cold.statistics.median = 0.002;
  cold.statistics.median_noise = 0.01;
  cold.stop_reason = "noise";
  cold.launches = {{0.002, 1, "noise"}};
  cold.flops_per_second = 5e9;
  cold.shares = {{"fma", "fma/chains/cpu/hot", Count::useful_flops, true, 0.5},
                 {"copy", "copy/memcpy/cpu/cold", Count::compulsory_bytes, false, 0.75}};
  cold.unmeasured_ceilings = {"gather_l1"};
  record.cold = cold;
  return record;
}

ResultDocument document() {
  ResultDocument result;
  result.suite.name = "quick";
  result.cases = {measured_case()};
  return result;
}

TEST(Result, RoundTrip) {
  const Json json = to_json(document());
  EXPECT_EQ(to_json(result_from_json(Json::parse(json.dump()), "test")), json);
}

TEST(Result, TakesMinorVersionsAndRefusesOtherMajors) {
  Json json = to_json(document());
  json["schema_version"] = "2.9.3";
  json["unknown_field"] = 1;
  EXPECT_EQ(result_from_json(json, "test").cases.size(), 1u);
  for (const auto& [version, remedy] :
       {std::pair("3.0.0", "newer alsbench"), std::pair("1.9.3", "scripts/convert_results.py")}) {
    json["schema_version"] = version;
    const std::string message = thrown_by([&] { result_from_json(json, "other.json"); });
    for (const char* part : {"other.json", version, remedy}) EXPECT_TRUE(contains(message, part));
  }
}

TEST(Result, RefusesWhatIsNoResult) {
  EXPECT_THROW(result_from_json(Json::array(), "test"), UsageError);
  EXPECT_THROW(result_from_json({{"schema_version", "one"}, {"cases", Json::array()}}, "test"),
               UsageError);
  Json json = to_json(document());
  json["cases"][0]["outcome"] = "excellent";
  EXPECT_THROW(result_from_json(json, "test"), UsageError);
}

TEST(Tables, AParameterIsAColumnAndNoPartOfTheName) {
  CaseRecord first = measured_case(), second = measured_case();
  first.problem.name = second.problem.name = "ml/rank:8";
  first.name = "solve/lu/cpu/steps=4/ml/rank:8/part:x";
  second.name = "solve/lu/cpu/steps=6,warm=on/ml/rank:8/part:x";
  first.config = Config(std::vector<std::pair<std::string, std::string>>{{"steps", "4"}});
  second.config =
      Config(std::vector<std::pair<std::string, std::string>>{{"steps", "6"}, {"warm", "on"}});
  const Table summary = summary_table({first, second});
  EXPECT_EQ(summary.header[1], "median ms");
  EXPECT_EQ(summary.header[5], "steps");
  EXPECT_EQ(summary.header[6], "warm");
  EXPECT_EQ(summary.rows[0][0], "solve/lu/cpu/ml/rank:8/part:x/cold");
  EXPECT_EQ(summary.rows[0][5] + summary.rows[0][6], "4");
  EXPECT_EQ(summary.rows[1][5] + summary.rows[1][6], "6on");
}

TEST(Tables, ColumnsThatAreTheSameInAllRowsAreSaidOnce) {
  Table table{{"case", "median ms", "outcome", "l1", "% gemm", "note"},
              {{"a", "1", "ok", "on", "", "x"}, {"b", "1", "ok", "off", "", "x"}}};
  EXPECT_EQ(leave_out_constant_columns(table), "outcome ok; note x");
  EXPECT_EQ(table.header, (std::vector<std::string>{"case", "median ms", "l1"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"b", "1", "off"}));
  Table one{{"case", "median ms", "outcome", "l1"}, {{"a", "1", "ok", ""}}};
  EXPECT_EQ(leave_out_constant_columns(one), "");
  EXPECT_EQ(one.rows[0], (std::vector<std::string>{"a", "1", "ok"}));
}

TEST(Tables, RowsCarryUnitsAndEscapes) {
  CaseRecord failed = measured_case();
  failed.outcome = Outcome::crashed;
  failed.cold.reset();
  failed.detail = "signal 11, \"a|b\"\nnext";
  const std::vector<CaseRecord> cases{measured_case(), failed};
  const Table summary = summary_table(cases);
  EXPECT_EQ(summary.rows[0][0], "solve/lu/cpu/x/cold");
  EXPECT_EQ(summary.rows[0][1], "2.0000");
  EXPECT_EQ(summary.rows[0][5], "5.0");
  EXPECT_EQ(summary.rows[0][8], "50.0");  // of the nearest ceiling
  EXPECT_TRUE(contains(summary.rows[0][9], "fma"));
  EXPECT_TRUE(contains(to_markdown(summary), "a\\|b\"\\nnext"));
  ResultDocument result = document();
  result.cases = cases;
  EXPECT_TRUE(contains(to_csv(full_table(result)), "\"signal 11, \"\"a|b\"\"\nnext\""));
}

struct Sail {
  double metres_wide = 26;
};
void describe(Fields<Sail>& fields) {
  fields("metres_wide", &Sail::metres_wide, "across").column();
}

enum class Rig { road, hill_climb };
constexpr auto enum_names(Rig) {
  return std::to_array<EnumName<Rig>>({{Rig::hill_climb, "hill-climb"}});
}

struct Boat {
  std::string name = "b";
  Rig rig = Rig::road;
  bool bell = true;
  std::optional<Sail> rear;
  std::vector<std::string> parts = {"saddle", "bar"};
  double metres() const { return 1.5; }
};
void describe(Fields<Boat>& fields) {
  fields("name", &Boat::name).key_column();
  fields("rig", &Boat::rig).column("kind");
  fields("bell", &Boat::bell).column();
  fields("rear", &Boat::rear);
  fields.columns_of(&Boat::rear, "rear_");
  fields("parts", &Boat::parts).column();
  fields.computed("metres", &Boat::metres).column();
}

TEST(Columns, AFieldIsAColumnByItsDeclaration) {
  Boat boat;
  const auto row = [&] {
    std::string text;
    for (const RecordColumn& column : record_type<Boat>().columns)
      text += column.name + "=" + cell_text(column.cell(&boat)) + " ";
    return text;
  };
  EXPECT_EQ(row(), "name=b kind=road bell=yes rear_metres_wide= parts=saddle;bar metres=1.5 ");
  boat.rig = Rig::hill_climb;
  boat.rear = Sail{};
  EXPECT_EQ(row(),
            "name=b kind=hill-climb bell=yes rear_metres_wide=26 parts=saddle;bar metres=1.5 ");
  EXPECT_TRUE(record_type<Boat>().columns[0].key);
  EXPECT_EQ(record_type<Boat>().columns[3].doc, "across");
}

TEST(Columns, TheSchemaOfARowNamesThoseOfTheTable) {
  const std::vector<std::string> header = full_table(document()).header;
  std::vector<std::string> known;
  for (const RecordField& field : full_table_row().fields) known.push_back(field.name);
  EXPECT_EQ(known, header);
  EXPECT_EQ(std::count(header.begin(), header.end(), "median_seconds"), 1);
}

TEST(EnumNames, AreThoseOfTheEnumeratorsUnlessDeclared) {
  EXPECT_EQ(name_of(Outcome::launch_refused), "launch_refused");
  EXPECT_EQ(named<Verdict>("new"), Verdict::added);
  EXPECT_EQ(named<Rig>("hill-climb"), Rig::hill_climb);
  EXPECT_FALSE(named<Rig>("hill_climb").has_value());
  EXPECT_EQ(kNamesOf<Rig>.size(), 2u);
}

}  // namespace
}  // namespace alsbench
