// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuner_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "harness/tune/search/replay.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

// A cache file as kernel_tuner writes it: times in milliseconds, the words of failures, Infinity.
const std::string kCache = R"({
"device_name": "A card", "kernel_name": "copy", "problem_size": [64, 64],
"tune_params_keys": ["block", "unroll"], "tune_params": {"block": [16, 32, 64], "unroll": [0, 1]},
"objective": "time",
"cache": {
"16,0": {"block": 16, "unroll": 0, "time": 4.0, "times": [4.1, 3.9], "compile_time": 500.0,
         "verification_time": 1, "benchmark_time": 8.0, "GFLOP/s": 1.5, "framework_time": 2.0},
"16,1": {"block": 16, "unroll": 1, "time": "RuntimeFailedConfig", "times": []},
"32,0": {"block": 32, "unroll": 0, "time": 2.0, "compile_time": 400.0, "benchmark_time": 4.0},
"32,1": {"block": 32, "unroll": 1, "time": "CompilationFailedConfig", "compile_time": "x"},
"64,0": {"block": 64, "unroll": 0, "time": Infinity},
"64,1": {"block": 64, "unroll": 1, "time": "InvalidConfig"}}})";

std::string t4(const std::string& unit, const std::string& results) {
  return R"({"schema_version": "1.0.0", "metadata": {"timeunit": ")" + unit +
         R"("}, "results": [)" + results + "]}";
}

std::string result(const std::string& block, const std::string& value,
                   const std::string& invalidity) {
  return R"({"timestamp": "", "configuration": {"block": )" + block +
         R"(, "kind": "a"}, "objectives": ["time"], "times": {"compilation": 10, "framework": 0,
      "search_algorithm": 0, "validation": 0, "runtimes": [2, 3]}, "invalidity": ")" +
         invalidity + R"(", "correctness": 1, "measurements": [{"name": "time", "value": )" +
         value + R"(, "unit": ""}]})";
}

const Evaluation& at(const Recording& recording, const std::string& point) {
  return recording.evaluations.at(recording.space.find(point));
}

std::string error_of(const std::string& text) {
  return thrown_by([&] { read_tuner_file(text, "file.json"); });
}

TEST(TunerFile, ACacheFileIsARecording) {
  const Recording recording = read_tuner_file(kCache, "cache.json");
  EXPECT_EQ(recording.head.search.device, "A card");
  EXPECT_EQ(recording.head.search.stage, "copy");
  EXPECT_FALSE(recording.head.provenance);
  ASSERT_EQ(recording.space.size(), 6u);
  const Evaluation& first = at(recording, "block=16,unroll=0");
  EXPECT_DOUBLE_EQ(first.median(), 4e-3);
  EXPECT_DOUBLE_EQ(first.wait_seconds, 0.5);
  EXPECT_DOUBLE_EQ(first.prepare_seconds, 3e-3);
  EXPECT_DOUBLE_EQ(first.measure_seconds, 8e-3);
  EXPECT_EQ(at(recording, "block=16,unroll=1").outcome, Outcome::crashed);
  EXPECT_EQ(at(recording, "block=32,unroll=1").outcome, Outcome::compile_error);
  EXPECT_EQ(at(recording, "block=64,unroll=0").outcome, Outcome::crashed);
  EXPECT_EQ(at(recording, "block=64,unroll=1").outcome, Outcome::skipped);
}

// kernel_tuner 1.5.0 writes a failure so, without a time.
TEST(TunerFile, AFailureMayHaveAMemberOfItsOwn) {
  std::string text = kCache;
  const std::string entry =
      R"("unroll": 1, "time": "CompilationFailedConfig", "compile_time": "x")";
  const std::string failed =
      R"("unroll": 1, "__error__": "CompilationFailedConfig", "compile_time": 0.5)";
  const Recording recording =
      read_tuner_file(text.replace(text.find(entry), entry.size(), failed), "cache.json");
  EXPECT_EQ(recording.space.size(), 6u);
  EXPECT_EQ(at(recording, "block=32,unroll=1").outcome, Outcome::compile_error);
  const std::string word = "\"CompilationFailedConfig\"";
  EXPECT_TRUE(contains(error_of(text.replace(text.find(word), word.size(), "\"Oops\"")),
                       "/cache/32,1/__error__: is no time: \"Oops\""));
}

TEST(TunerFile, TheDefaultIsInTheMiddleOfTheParameters) {
  const Recording recording = read_tuner_file(kCache, "cache.json");
  EXPECT_EQ(recording.space[recording.space.default_point()].text(), "block=32,unroll=0");
}

TEST(TunerFile, ACacheFileThatWasNotClosedIsRead) {
  const std::string open = kCache.substr(0, kCache.find("\"64,1\""));
  EXPECT_EQ(read_tuner_file(open, "cache.json").space.size(), 5u);
}

// kernel_tuner writes "time" or, since it knows several objectives (1.5.0), ["time"].
TEST(TunerFile, TheObjectiveOfACacheFileIsATextOrAList) {
  const auto with = [](const std::string& objective) {
    std::string text = kCache;
    const std::string place = "\"objective\": ";
    text.replace(text.find(place) + place.size(), std::string("\"time\"").size(), objective);
    return text;
  };
  EXPECT_EQ(read_tuner_file(with(R"(["time"])"), "cache.json").space.size(), 6u);
  const std::string error = error_of(with(R"(["time", "energy"])"));
  EXPECT_TRUE(contains(error, "file.json: /objective/1: is 'energy'; alsbench minimises times"));
}

TEST(TunerFile, T4IsReadInItsUnit) {
  for (const auto& [unit, factor] : {std::pair("miliseconds", 1e-3), std::pair("seconds", 1.0),
                                     std::pair("microseconds", 1e-6)}) {
    const Recording recording =
        read_tuner_file(t4(unit, result("16", "2.5", "correct") + "," +
                                     result("32", "\"RuntimeFailedConfig\"", "runtime") + "," +
                                     result("64", "1e20", "timeout")),
                        "t4.json");
    EXPECT_DOUBLE_EQ(at(recording, "block=16,kind=a").median(), 2.5 * factor);
    EXPECT_DOUBLE_EQ(at(recording, "block=16,kind=a").measure_seconds, 5 * factor);
    EXPECT_EQ(at(recording, "block=32,kind=a").outcome, Outcome::crashed);
    EXPECT_EQ(at(recording, "block=64,kind=a").outcome, Outcome::hung);
  }
}

// It was the best point where its time was the shortest.
TEST(TunerFile, AResultWithoutCorrectnessIsWrong) {
  std::string wrong = result("16", "1", "correct");
  const std::string word = "\"correctness\": 1";
  wrong.replace(wrong.find(word), word.size(), "\"correctness\": 0");
  const Recording recording =
      read_tuner_file(t4("ms", wrong + "," + result("32", "2", "correct")), "t4.json");
  EXPECT_EQ(at(recording, "block=16,kind=a").outcome, Outcome::wrong);
  EXPECT_EQ(at(recording, "block=32,kind=a").outcome, Outcome::ok);
}

// "compilation" is kernel_tuner's word for it, and "compilation_time" the schema's.
TEST(TunerFile, TheTimeOfCompilingHasTwoNames) {
  std::string text = t4("ms", result("16", "1", "correct"));
  for (const char* word : {"\"compilation\"", "\"compilation_time\""}) {
    EXPECT_DOUBLE_EQ(at(read_tuner_file(text, "t4.json"), "block=16,kind=a").compile_seconds, 0.01)
        << word;
    const std::string first = "\"compilation\"";
    if (const size_t place = text.find(first); place != text.npos)
      text.replace(place, first.size(), "\"compilation_time\"");
  }
}

TEST(TunerFile, AMeasurementOfT4HasAUnitOfItsOwn) {
  const auto with = [](const std::string& unit) {
    std::string text = t4("seconds", result("16", "2.5", "correct"));
    const std::string none = R"("unit": "")";
    return text.replace(text.find(none), none.size(), R"("unit": ")" + unit + "\"");
  };
  EXPECT_DOUBLE_EQ(at(read_tuner_file(with("us"), "t4.json"), "block=16,kind=a").median(), 2.5e-6);
  EXPECT_DOUBLE_EQ(at(read_tuner_file(with(""), "t4.json"), "block=16,kind=a").median(), 2.5);
  EXPECT_TRUE(contains(error_of(with("parsec")),
                       "/results/0/measurements/0/unit: is no unit of time: 'parsec'; write sec"));
}

TEST(TunerFile, AFailedRowOfT4NeedsNoTime) {
  std::string failed = result("32", "1", "compile");
  const size_t begin = failed.find("[{\"name\"");
  failed.replace(begin, failed.rfind(']') + 1 - begin, "[]");
  const Recording recording =
      read_tuner_file(t4("ms", result("16", "1", "correct") + "," + failed), "t4.json");
  EXPECT_EQ(at(recording, "block=32,kind=a").outcome, Outcome::compile_error);
  failed.replace(failed.find("compile\""), 7, "correct");
  EXPECT_TRUE(contains(error_of(t4("ms", failed)), "/measurements: has no entry named 'time'"));
}

TEST(TunerFile, ErrorsNamePlaceValueAndRemedy) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_TRUE(contains(error_of(text), part));
  };
  std::string wrong = kCache;
  wrong.replace(wrong.find("4.0"), 3, "\"quick\"");
  expect(wrong, "file.json: /cache/16,0/time: is no time: \"quick\"; write a number");
  expect(t4("fortnights", result("16", "1", "correct")),
         "/metadata/timeunit: is no unit of time: 'fortnights'; write seconds");
  expect(t4("ms", ""), "/results: has no configuration to replay");
  expect(t4("ms", result("16", "-1", "correct")), "/results/0/measurements/0/value: is -0.001 s;");
  expect(t4("ms", result("16", "1", "lost")),
         "/results/0/invalidity: has the unknown value 'lost'");
  for (const char* version : {"\"2.0.0\"", "\"1.0\"", "\"banana\"", "1"}) {
    const std::string known = "\"1.0.0\"", place = "\"schema_version\": ";
    std::string text = t4("ms", result("16", "1", "correct"));
    text.replace(text.find(known), known.size(), version);
    expect(text, std::string("file.json: /schema_version: is ") + version +
                     ", which alsbench does not know; convert the file to version 1.0.0");
    expect("{" + place + version + "," + kCache.substr(1), "/schema_version: is ");
  }
  std::string less = result("32", "1", "correct");
  const std::string kind = ", \"kind\": \"a\"";
  less.erase(less.find(kind), kind.size());
  for (const std::string& rows :
       {result("16", "1", "correct") + "," + less, less + "," + result("16", "1", "correct")}) {
    const bool first = rows.starts_with(less);
    expect(
        t4("ms", rows),
        fmt::format("/results/{}/configuration: is {{\"block\":32}}, without the parameter 'kind' "
                    "that /results/{} has; add its value",
                    first ? 0 : 1, first ? 1 : 0));
  }
  expect(R"({"results": [{"configuration": {}, "invalidity": "correct",
            "measurements": [{"name": "time", "value": 1}]}]})",
         "/results/0/configuration: has no parameters");
  expect(R"({"ConfigurationSpace": {}})", "name it with --space");
  expect(R"({"other": 1})", "is no recording; name a journal");
}

TEST(TunerFile, ASpaceFileRestrictsARecordingAndNamesItsDefault) {
  const SpaceFile file = parse_space_file(
      R"({"ConfigurationSpace": {"TuningParameters": [
            {"Name": "block", "Type": "int", "Values": "[16, 32]", "Default": 16},
            {"Name": "unroll", "Type": "int", "Values": [0, 1], "Default": 0}],
          "Conditions": [{"Expression": "block * unroll < 32", "Parameters": ["block"]}]}})",
      "t1.json");
  const Recording part = restricted(read_tuner_file(kCache, "cache.json"), file, "t1.json");
  ASSERT_EQ(part.space.size(), 3u);
  EXPECT_EQ(part.space[part.space.default_point()].text(), "block=16,unroll=0");
  EXPECT_DOUBLE_EQ(at(part, "block=32,unroll=0").median(), 2e-3);
}

// numpy records 1.0 where a space has 1, and Python's booleans are written 1 and 0 in a space.
TEST(TunerFile, ASpaceFileAdmitsNumbersByTheirValue) {
  const std::string cache = R"({"tune_params_keys": ["f", "flag"], "cache": {
      "a": {"f": 0.5, "flag": true, "time": 1}, "b": {"f": 1.0, "flag": true, "time": 2},
      "c": {"f": 1.0, "flag": false, "time": 3}, "d": {"f": 2.0, "flag": false, "time": 4}}})";
  const auto points = [&](const std::string& space) {
    const SpaceFile file = parse_space_file(space, "t1.json");
    const Recording part = restricted(read_tuner_file(cache, "cache.json"), file, "t1.json");
    std::string text = part.space[part.space.default_point()].text() + ";";
    for (const SearchPoint& point : part.space.points()) text += " " + point.text();
    return text;
  };
  const auto space = [](const std::string& parameters, const std::string& condition) {
    return R"({"ConfigurationSpace": {"TuningParameters": [)" + parameters +
           R"(], "Conditions": [{"Expression": ")" + condition + "\"}]}}";
  };
  EXPECT_EQ(points(space(R"({"Name": "f", "Values": [0.5, 1], "Default": 1},
                            {"Name": "flag", "Values": [1, 0], "Default": 1})",
                         "f <= 1")),
            "f=1.0,flag=True; f=0.5,flag=True f=1.0,flag=True f=1.0,flag=False");
  EXPECT_EQ(points(space("", "flag == 1 and f == 1")), "f=1.0,flag=True; f=1.0,flag=True");
  EXPECT_EQ(points(space("", "flag == 'False' and f < 2")), "f=1.0,flag=False; f=1.0,flag=False");
}

TEST(TunerFile, ADefaultThatIsNotRecordedIsTold) {
  const auto problem = [](const std::string& usual) {
    const SpaceFile file = parse_space_file(
        R"({"ConfigurationSpace": {"TuningParameters": [
            {"Name": "block", "Values": [16, 32], "Default": )" +
            usual + "}]}}",
        "t1.json");
    return default_problem(restricted(read_tuner_file(kCache, "cache.json"), file, "t1.json"),
                           file);
  };
  EXPECT_EQ(problem("16"), "");
  EXPECT_TRUE(contains(problem("64"),
                       "no recorded point that it admits has its defaults block=64; "
                       "block="));
}

TEST(TunerFile, ASpaceFileMayNameNothingThatIsNotRecorded) {
  const SpaceFile file = parse_space_file(
      R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "blok", "Values": [16]}]}})", "t1");
  const std::string text =
      thrown_by([&] { restricted(read_tuner_file(kCache, "cache.json"), file, "t1.json"); });
  EXPECT_TRUE(contains(text, "t1.json"));
  EXPECT_TRUE(contains(text, "/ConfigurationSpace/TuningParameters/0"));
  EXPECT_TRUE(contains(text, "block"));
}

}  // namespace
}  // namespace alsbench
