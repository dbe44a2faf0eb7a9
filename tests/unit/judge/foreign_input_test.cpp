// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/foreign_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <ctime>
#include <optional>

#include "base/error.h"
#include "harness/record/export/export.h"
#include "harness/record/tables.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const ComparisonCase& case_named(const ComparisonInput& input, const std::string& name) {
  for (const ComparisonCase& c : input.cases)
    if (c.name == name) return c;
  ADD_FAILURE() << "no case " << name;
  return input.cases.front();
}

Json gbench(const std::string& entries) {
  return Json::parse(
      R"({"context": {"num_cpus": 8, "host_name": "h", "library_build_type": "release"},
    "benchmarks": [)" +
      entries + "]}");
}

TEST(GoogleBenchmarkInput, IsTheMedianOfTheIterationsOfAName) {
  const auto input = foreign_input_of(
      gbench(
          R"({"name": "BM", "run_name": "BM", "run_type": "iteration", "real_time": 3, "cpu_time": 1, "time_unit": "us"},
                {"name": "BM", "run_name": "BM", "run_type": "iteration", "real_time": 1, "cpu_time": 1, "time_unit": "us"},
                {"name": "BM", "run_name": "BM", "run_type": "iteration", "real_time": 2, "cpu_time": 1, "time_unit": "us"},
                {"name": "BM_mean", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 9, "time_unit": "us"},
                {"name": "old", "real_time": 5, "cpu_time": 1})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->format, "google-benchmark");
  ASSERT_EQ(input->cases.size(), 2u);
  ASSERT_EQ(case_named(*input, "BM").launches.size(), 1u);
  EXPECT_DOUBLE_EQ(case_named(*input, "BM").launches[0].seconds, 2e-6);
  EXPECT_EQ(case_named(*input, "BM").launches[0].samples, 3);
  EXPECT_DOUBLE_EQ(case_named(*input, "old").launches[0].seconds, 5e-9);  // ns is the default
}

TEST(GoogleBenchmarkInput, TakesAggregatesWhereThereIsNothingElse) {
  const auto input = foreign_input_of(
      gbench(
          R"({"name": "BM_mean", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 9, "time_unit": "s"},
                {"name": "BM_median", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "median", "real_time": 8, "time_unit": "s"},
                {"name": "BM_stddev", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "stddev", "real_time": 1, "time_unit": "s"})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_DOUBLE_EQ(case_named(*input, "BM").launches[0].seconds, 8);
  EXPECT_EQ(case_named(*input, "BM").quantity.text(), "s");
}

TEST(GoogleBenchmarkInput, SaysThatATimeIsAMean) {
  const auto input = foreign_input_of(
      gbench(
          R"({"name": "BM_mean", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 9, "time_unit": "s"})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(case_named(*input, "BM").quantity.text(), "s, mean");
}

// Of 1.4, whose rows have no run_type.
TEST(GoogleBenchmarkInput, KnowsAggregatesOfOldVersionsByTheirNames) {
  const auto row = [](const char* name, int time) {
    return fmt::format(R"({{"name": "{}", "real_time": {}, "time_unit": "s"}})", name, time);
  };
  const auto joined = [](const std::vector<std::string>& rows) {
    return gbench(fmt::format("{}", fmt::join(rows, ",")));
  };
  const auto all =
      foreign_input_of(joined({row("BM", 2), row("BM", 4), row("BM_mean", 3), row("BM_median", 3),
                               row("BM_stddev", 1), row("of_mean", 7)}),
                       "f");
  ASSERT_EQ(all->cases.size(), 2u);
  EXPECT_EQ(case_named(*all, "BM").launches[0].samples, 2);
  EXPECT_DOUBLE_EQ(case_named(*all, "of_mean").launches[0].seconds, 7) << "a benchmark's own name";
  const auto statistics =
      foreign_input_of(joined({row("BM_mean", 9), row("BM_median", 8), row("BM_stddev", 1)}), "f");
  ASSERT_EQ(statistics->cases.size(), 1u);
  EXPECT_DOUBLE_EQ(case_named(*statistics, "BM").launches[0].seconds, 8);
}

TEST(GoogleBenchmarkInput, PassesOverFittedCurvesAndRowsWithoutATime) {
  const auto input = foreign_input_of(
      gbench(
          R"({"name": "BM/8", "run_name": "BM/8", "run_type": "iteration", "real_time": 3, "time_unit": "us"},
                {"name": "BM_BigO", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "BigO", "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N", "time_unit": "us"},
                {"name": "BM_RMS", "run_name": "BM", "run_type": "aggregate", "aggregate_name": "RMS", "rms": 0.1},
                {"name": "old_BigO", "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N", "time_unit": "us"},
                {"name": "empty", "run_name": "empty", "run_type": "iteration", "real_time": 0, "time_unit": "ns"})"),
      "f");
  ASSERT_TRUE(input);
  ASSERT_EQ(input->cases.size(), 2u);
  EXPECT_DOUBLE_EQ(case_named(*input, "BM/8").launches[0].seconds, 3e-6);
  EXPECT_EQ(case_named(*input, "empty").outcome, Outcome::skipped);
}

TEST(GoogleBenchmarkInput, ARepetitionOf0CountsInTheMedian) {
  const std::string row =
      R"({"name": "BM", "run_type": "iteration", "time_unit": "us", "real_time": )";
  const auto input = foreign_input_of(
      gbench(row + "0}," + row + R"(0},{"name": "other", "real_time": 3},)" + row + "5}"), "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(case_named(*input, "BM").outcome, Outcome::skipped);
  EXPECT_TRUE(case_named(*input, "BM").launches.empty());
}

// Two functions that a program registers by one name: not repetitions of each other.
TEST(GoogleBenchmarkInput, RefusesTwoBenchmarksOfOneName) {
  const auto row = [](int family, int instance, int repetition) {
    return fmt::format(
        R"({{"name": "BM", "run_name": "BM", "run_type": "iteration", "family_index": {},
            "per_family_instance_index": {}, "repetition_index": {}, "real_time": {}}})",
        family, instance, repetition, 1 + family + instance);
  };
  const auto once = foreign_input_of(gbench(row(0, 0, 0) + "," + row(0, 0, 1)), "f");
  EXPECT_EQ(case_named(*once, "BM").launches.at(0).samples, 2);
  for (const std::string& second : {row(1, 0, 0), row(0, 1, 0)})
    EXPECT_TRUE(contains(
        thrown_by([&] { foreign_input_of(gbench(row(0, 0, 0) + "," + second), "f"); }),
        "f: has two benchmarks named 'BM' (google-benchmark JSON); give each a name of its own"));
}

TEST(GoogleBenchmarkInput, NumbersThatAreNoneBecomeTexts) {
  const std::string text = R"({"name": "a \" NaN", "x": NaN, "y": [-Infinity, Infinity, -NaN]})";
  EXPECT_EQ(without_bare_numbers(text),
            R"({"name": "a \" NaN", "x": "NaN", "y": ["-Infinity", "Infinity", "-NaN"]})");
}

TEST(GoogleBenchmarkInput, OnlyOurOwnLabelsSayWhatACaseIs) {
  const std::string entries =
      R"({"name": "BM", "run_type": "iteration", "real_time": 3, "label": "ceiling=a/b/cuda/cold device=1"})";
  EXPECT_EQ(foreign_input_of(gbench(entries), "f")->cases[0].role, CaseRole::kernel);
  EXPECT_EQ(foreign_input_of(gbench(entries), "f")->cases[0].device, "");
}

TEST(GoogleBenchmarkInput, AFailedBenchmarkHasNoTime) {
  const auto input = foreign_input_of(
      gbench(
          R"({"name": "BM", "run_type": "iteration", "error_occurred": true, "error_message": "no device",
                 "real_time": 0, "cpu_time": 0, "time_unit": "ns"})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->cases[0].outcome, Outcome::crashed);
  EXPECT_EQ(input->cases[0].detail, "no device");
  EXPECT_TRUE(input->cases[0].launches.empty());
}

TEST(GoogleBenchmarkInput, RefusesWhatItCannotRead) {
  for (const char* entries :
       {"", R"({"name": "BM"})", R"({"name": "BM", "real_time": 1, "time_unit": "weeks"})",
        R"({"name": "BM", "real_time": 0, "time_unit": "s"})", R"({"real_time": 1})", "1"})
    EXPECT_THROW(foreign_input_of(gbench(entries), "f"), UsageError) << entries;
}

TEST(NvbenchInput, ReadsMediansOrMeansAndSkips) {
  const auto value = [](const std::string& tag, const std::string& number) {
    return R"({"tag": ")" + tag + R"(", "data": [{"name": "value", "type": "float64", "value": ")" +
           number + R"("}]})";
  };
  const Json json = Json::parse(
      R"({"devices": [{"id": 0, "name": "GPU"}], "benchmarks": [{"name": "sweep", "devices": [0], "axes": [],
          "states": [
            {"name": "N=1", "device": 0, "is_skipped": false, "summaries": [)" +
      value("nv/cold/time/gpu/mean", "0.5") + "," + value("nv/cold/time/gpu/median", "0.25") + "," +
      value("nv/cold/sample_size", "12") + R"(]},
            {"name": "N=2", "device": 0, "is_skipped": false, "summaries": [)" +
      value("nv/cold/time/gpu/mean", "0.5") + "," + value("nv/batch/time/gpu/mean", "0.4") + R"(]},
            {"name": "N=3", "device": 0, "is_skipped": true, "skip_reason": "too large", "summaries": null}]}]})");
  const auto input = foreign_input_of(json, "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->format, "nvbench");
  EXPECT_DOUBLE_EQ(case_named(*input, "sweep/N=1/cold").launches[0].seconds, 0.25);
  EXPECT_EQ(case_named(*input, "sweep/N=1/cold").launches[0].samples, 12);
  EXPECT_DOUBLE_EQ(case_named(*input, "sweep/N=2/cold").launches[0].seconds, 0.5);
  EXPECT_DOUBLE_EQ(case_named(*input, "sweep/N=2/hot").launches[0].seconds, 0.4);
  EXPECT_EQ(case_named(*input, "sweep/N=1/cold").quantity.text(), "s");
  EXPECT_EQ(case_named(*input, "sweep/N=2/cold").quantity.text(), "s, mean");
  EXPECT_EQ(case_named(*input, "sweep/N=3").outcome, Outcome::skipped);
  EXPECT_EQ(case_named(*input, "sweep/N=3").detail, "too large");
}

Json nvbench(const std::vector<int>& devices, const std::vector<double>& seconds) {
  std::string list, ids, states;
  for (size_t i = 0; i < devices.size(); ++i) {
    const std::string comma = i == 0 ? "" : ",", id = std::to_string(devices[i]);
    list += comma + R"({"id": )" + id + R"(, "name": "GPU"})";
    ids += comma + id;
    for (const double time : seconds)
      states +=
          (states.empty() ? "" : ",") + std::string(R"({"name": "N=1", "device": )") + id +
          R"(, "is_skipped": false, "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [)" +
          R"({"name": "value", "type": "float64", "value": ")" +
          std::to_string(time + static_cast<double>(i)) + R"("}]}]})";
  }
  return Json::parse(R"({"devices": [)" + list + R"(], "benchmarks": [{"name": "b", "devices": [)" +
                     ids + R"(], "axes": [], "states": [)" + states + "]}]}");
}

TEST(NvbenchInput, StatesOfOneNameAreOneCase) {
  const auto input = foreign_input_of(nvbench({0}, {1, 3, 2}), "f");
  ASSERT_EQ(input->cases.size(), 1u);
  EXPECT_DOUBLE_EQ(input->cases[0].launches.at(0).seconds, 2);
  EXPECT_EQ(input->cases[0].launches[0].samples, 3);
}

TEST(NvbenchInput, TheStatesOfACommonDeviceAreCompared) {
  auto base = *foreign_input_of(nvbench({0, 1}, {1}), "base");
  for (const int device : {0, 1}) {
    auto test = *foreign_input_of(nvbench({device}, {5}), "test");
    align_devices(base, test);
    ASSERT_EQ(test.cases.size(), 1u);
    EXPECT_EQ(test.cases[0].name, base.cases[static_cast<size_t>(device)].name);
  }
}

TEST(GoogleBenchmarkInput, SaysWhenAndWhereItWasMeasured) {
  Json json = gbench(R"({"name": "BM", "real_time": 3})");
  json["context"]["date"] = "2026-03-01T00:30:00+02:00";
  const auto input = foreign_input_of(json, "f");
  EXPECT_EQ(input->times_utc, std::vector<std::string>{"2026-02-28T22:30:00Z"});
  json["context"]["date"] = "2026-03-01T00:30:00";  // of which zone?
  EXPECT_TRUE(foreign_input_of(json, "f")->times_utc.empty());
  json["context"]["host_name"] = "other";
  const auto other = foreign_input_of(json, "g");
  const auto differences = setup_differences(*input, *other);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_TRUE(differences[0].binding);
  EXPECT_EQ(difference_text(differences[0], "f", "g"), "host_name: h in f, other in g");
}

TEST(PyperfInput, ARunWithValuesIsALaunch) {
  const auto input = foreign_input_of(
      Json::parse(R"({"version": "1.0", "metadata": {"cpu_model_name": "P", "unit": "second"},
        "benchmarks": [
          {"metadata": {"name": "a"}, "runs": [{"warmups": [[1, 9]]}, {"values": [1, 3, 2]}, {"values": [4]}]},
          {"metadata": {"name": "b", "unit": "byte"}, "runs": [{"values": [5e9]}]}]})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->format, "pyperf");
  const ComparisonCase& a = case_named(*input, "a");
  ASSERT_EQ(a.launches.size(), 2u);
  EXPECT_DOUBLE_EQ(a.launches[0].seconds, 2);
  EXPECT_EQ(a.launches[0].samples, 3);
  EXPECT_TRUE(a.quantity.is_time());
  EXPECT_EQ(case_named(*input, "b").quantity.unit, "byte");
  EXPECT_EQ(input->environment.at(0), (Property{"cpu_model_name", "P"}));
}

// setenv of TZ until the end of a test.
class LocalZone {
 public:
  explicit LocalZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    set(zone);
  }
  ~LocalZone() { set(before_ ? before_->c_str() : nullptr); }

 private:
  static void set(const char* zone) {
    if (zone != nullptr)
      setenv("TZ", zone, 1);
    else
      unsetenv("TZ");
    tzset();
  }
  std::optional<std::string> before_;
};

TEST(PyperfInput, IsAsOldAsItsFirstRunInLocalTime) {
  const LocalZone zone("XXX-2");  // two hours before UTC
  const auto input = foreign_input_of(
      Json::parse(R"({"version": "1.0", "metadata": {"unit": "second"}, "benchmarks": [
        {"metadata": {"name": "a"}, "runs": [
          {"metadata": {"date": "2026-11-30 18:56:40.945028"}, "values": [1]},
          {"metadata": {"date": "2026-11-30 18:56:34"}, "values": [1]}]},
        {"metadata": {"name": "b"}, "runs": [{"values": [1]}]}]})"),
      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->times_utc, std::vector<std::string>{"2026-11-30T16:56:34Z"});
}

TEST(PytestInput, ADateWithoutAZoneIsUtc) {
  const LocalZone zone("XXX-2");
  const auto input =
      foreign_input_of(Json::parse(R"({"version": "4.0.0", "datetime": "2026-01-12T10:00:00.123456",
        "machine_info": {"node": "h"}, "benchmarks": [{"name": "t", "stats": {"median": 1}}]})"),
                       "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->times_utc, std::vector<std::string>{"2026-01-12T10:00:00Z"});
}

TEST(PytestInput, ATestIsTheMedianOfItsRounds) {
  const auto input = foreign_input_of(Json::parse(R"({"version": "5.3.1",
        "datetime": "2026-11-30T11:39:17.701973+02:00",
        "machine_info": {"node": "h", "cpu": {"brand_raw": "EPYC", "count": 2},
                         "python_version": "3.11.7"},
        "benchmarks": [
        {"name": "test_a", "fullname": "x.py::test_a", "stats": {"median": 9, "data": [1, 3, 2]}},
        {"name": "test_b", "fullname": "x.py::test_b", "stats": {"median": 4}},
        {"name": "test_c", "stats": {"median": 0}}]})"),
                                      "f");
  ASSERT_TRUE(input);
  EXPECT_EQ(input->format, "pytest-benchmark");
  EXPECT_EQ(input->times_utc, std::vector<std::string>{"2026-11-30T09:39:17Z"});
  EXPECT_DOUBLE_EQ(case_named(*input, "x.py::test_a").launches.at(0).seconds, 2);
  EXPECT_EQ(case_named(*input, "x.py::test_a").launches.at(0).samples, 3);
  EXPECT_DOUBLE_EQ(case_named(*input, "x.py::test_b").launches.at(0).seconds, 4);
  EXPECT_EQ(case_named(*input, "test_c").outcome, Outcome::skipped);
  EXPECT_TRUE(find_property(input->environment, "hostname")->binding);
  EXPECT_FALSE(find_property(input->environment, "python_version")->binding);
}

TEST(HyperfineInput, CommandsOfOneNameAreToldApartByTheirParameters) {
  const auto input = foreign_input_of(Json::parse(R"({"results": [
        {"command": "a", "times": [1, 3, 2], "parameters": {"n": "1"}},
        {"command": "a", "times": [4], "parameters": {"n": "2"}},
        {"command": "b", "median": 5, "times": null}]})"),
                                      "f");
  ASSERT_TRUE(input);
  EXPECT_DOUBLE_EQ(case_named(*input, "a n=1").launches.at(0).seconds, 2);
  EXPECT_DOUBLE_EQ(case_named(*input, "a n=2").launches.at(0).seconds, 4);
  EXPECT_DOUBLE_EQ(case_named(*input, "b").launches.at(0).seconds, 5);
}

// As `-n x 'sleep 1' -n x 'sleep 2'` writes it: the command lines are not kept.
TEST(HyperfineInput, RefusesTwoCommandsOfOneName) {
  const Json json = Json::parse(R"({"results": [
        {"command": "x", "times": [1]}, {"command": "x", "times": [2]}]})");
  EXPECT_TRUE(contains(thrown_by([&] { foreign_input_of(json, "f"); }),
                       "f: has two benchmarks named 'x' (hyperfine JSON)"));
}

TEST(HyperfineInput, KeepsHowRunsEndedAndPassesOverWhatTookNoLongerThanItsShell) {
  const auto input = foreign_input_of(Json::parse(R"({"results": [
        {"command": "a", "times": [0.0, 3, 2], "exit_codes": [0, 0, 0]},
        {"command": "b", "times": [1, 1], "exit_codes": [3, null]},
        {"command": "c", "times": [0.0, 0.0, 0.1], "exit_codes": [0, 0, 0]}]})"),
                                      "f");
  ASSERT_TRUE(input);
  EXPECT_DOUBLE_EQ(case_named(*input, "a").launches.at(0).seconds, 2);
  EXPECT_EQ(case_named(*input, "a").ends, std::set<std::string>{kGoodEnd});
  EXPECT_EQ(case_named(*input, "b").ends, (std::set<std::string>{"a signal", "exit code 3"}));
  EXPECT_EQ(case_named(*input, "c").outcome, Outcome::skipped);
  EXPECT_NE(case_named(*input, "c").detail.find("hyperfine -N"), std::string::npos);
}

TEST(ValuesInput, NumbersArraysAndObjectsAreCases) {
  const Json json = Json::parse(R"({"time": [4, 2, 3], "rate": {"a": 50, "b/c": 200}})");
  const auto input = foreign_input_of(
      json, "f",
      {ForeignFormat::json, {value_path_of("/time:ms"), value_path_of("/rate:MB/s:higher")}});
  ASSERT_TRUE(input);
  EXPECT_DOUBLE_EQ(case_named(*input, "time").launches.at(0).seconds, 3e-3);
  const ComparisonCase& rate = case_named(*input, "rate/a");
  EXPECT_DOUBLE_EQ(rate.launches.at(0).seconds, 1.0 / 50);
  EXPECT_EQ(rate.quantity, (Quantity{"MB/s", true}));
  EXPECT_DOUBLE_EQ(rate.quantity.value_of(rate.launches[0].seconds), 50);
  EXPECT_EQ(input->cases.size(), 3u);
  for (const char* path : {"/none:ms", "/rate/b~1c/d:ms"})
    EXPECT_THROW(foreign_input_of(json, "f", {ForeignFormat::json, {value_path_of(path)}}),
                 UsageError)
        << path;
}

TEST(ValuesInput, ATimeOf0IsLeftOutAlone) {
  const Json json = Json::parse(R"({"stages": {"load": 0, "run": 5, "all": [0, 1, 3]}, "n": 0})");
  const auto input =
      foreign_input_of(json, "f", {ForeignFormat::json, {value_path_of("/stages:ms")}});
  EXPECT_EQ(case_named(*input, "stages/load").outcome, Outcome::skipped);
  EXPECT_DOUBLE_EQ(case_named(*input, "stages/run").launches.at(0).seconds, 5e-3);
  EXPECT_DOUBLE_EQ(case_named(*input, "stages/all").launches.at(0).seconds, 1e-3);
  const auto error = [&](const char* path) {
    return thrown_by([&] {
      foreign_input_of(json, "f", {ForeignFormat::json, {value_path_of(path)}});
    });
  };
  EXPECT_TRUE(contains(error("/stages/load:ms"), "holds no benchmark with a time"));
  EXPECT_TRUE(contains(error("/n:MB"), "/n: is 0; only values above 0 have a ratio"));
}

TEST(ValuesInput, APathHasAPointerAndAUnit) {
  EXPECT_EQ(value_path_of("/a:b:MB/s:higher").pointer, "/a:b");
  EXPECT_EQ(value_path_of("/a:J:lower").quantity, (Quantity{"J", false}));
  for (const char* text : {"", "/a", "/a:", "a:ms", "/a:higher", "/~2:ms"})
    EXPECT_THROW(value_path_of(text), UsageError) << text;
}

TEST(ValuesInput, BlanksAroundAUnitAreNoneOfIt) {
  EXPECT_DOUBLE_EQ(value_path_of("/latency: ms").seconds, 1e-3);
  EXPECT_EQ(value_path_of("/rate: MB/s : higher ").quantity, (Quantity{"MB/s", true}));
  EXPECT_THROW(value_path_of("/a: "), UsageError);
}

TEST(ValuesInput, AMisspeltDirectionIsNoUnit) {
  for (const auto& [text, meant] : {std::pair("/rate:MB/s:higer", "did you mean 'higher'?"),
                                    std::pair("/a:J:lowr", "did you mean 'lower'?")})
    EXPECT_TRUE(contains(thrown_by([&] { value_path_of(text); }), meant)) << text;
  EXPECT_EQ(value_path_of("/a:liter:lower").quantity, (Quantity{"liter", false}));
}

TEST(ForeignInput, OurOwnFilesAreNone) {
  EXPECT_FALSE(foreign_input_of(Json::parse(R"({"schema_version": "1.0.0", "cases": []})"), "f"));
  EXPECT_FALSE(foreign_input_of(Json::array(), "f"));
}

// alsbench reads its own exports back: the same names, medians, roles and control kinds.
TEST(ForeignInput, ExportsComeBackAsTheyWere) {
  const ResultDocument result = read_result(ALSBENCH_SOURCE_DIR "/tests/golden/results/small.json");
  const ComparisonInput own = comparison_input_of(result, "own");
  for (const auto writer : {to_gbench, to_nvbench}) {
    const auto input = foreign_input_of(Json::parse(writer(result)), "f");
    ASSERT_TRUE(input);
    int64_t found = 0;
    for (const ComparisonCase& c : own.cases) {
      if (c.outcome != Outcome::ok || c.role == CaseRole::training) continue;
      SCOPED_TRACE(c.name);
      const ComparisonCase& other = case_named(*input, c.name);
      ++found;
      EXPECT_EQ(other.role, c.role);
      EXPECT_EQ(other.kind, c.kind);
      ASSERT_EQ(other.launches.size(), 1u);
      EXPECT_DOUBLE_EQ(other.launches[0].seconds, c.launches[0].seconds);
      EXPECT_EQ(other.launches[0].samples, c.launches[0].samples);
    }
    EXPECT_EQ(found, 5);
  }
}

}  // namespace
}  // namespace alsbench
