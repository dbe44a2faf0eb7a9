// SPDX-License-Identifier: Apache-2.0
#include "harness/custom/kernel_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/custom/host_kernel.h"
#include "harness/custom/launch.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench::custom {
namespace {

const char* const kDouble = R"file({
  "name": "doubled",
  "description": "y = 2 x",
  "problems": [{"N": 1000}, {"N": 17}],
  "arguments": [
    {"name": "x", "type": "float32", "shape": ["N"], "fill": "uniform"},
    {"name": "y", "type": "float32", "shape": ["N"], "use": "output"},
    {"name": "n", "type": "int32", "value": "N"}
  ],
  "reference": "plain",
  "tolerance": {"relative": 1e-6},
  "work": {"bytes": "8 * N"},
  "kernels": [
    {"name": "plain", "file": "doubled.cpp", "function": "doubled"},
    {"name": "rows", "file": "doubled.cu", "function": "doubled",
     "ConfigurationSpace": {
       "TuningParameters": [
         {"Name": "THREADS", "Type": "int", "Values": "[64, 128, 256]", "Default": 128},
         {"Name": "EACH", "Values": [1, 2]}
       ],
       "Conditions": [{"Expression": "THREADS * EACH <= 256"}]
     },
     "grid": "(N + THREADS * EACH - 1) // (THREADS * EACH)", "block": "THREADS"}
  ]
})file";

KernelFile read(const Json& json) {
  const ScratchFolder folder;
  folder.write("doubled.cpp", "void doubled(const float* x, float* y, int n) {}\n");
  folder.write("doubled.cu", "");
  folder.write("kernel.json", json.dump());
  return read_kernel_file(folder.path());
}

// The error of the file with the value at `place` replaced.
std::string error_with(const std::string& place, const Json& value) {
  Json json = Json::parse(kDouble);
  json[Json::json_pointer(place)] = value;
  return thrown_by([&] { read(json); });
}

void expect_error(const std::string& place, const Json& value, const std::string& where,
                  const std::string& what) {
  const std::string error = error_with(place, value);
  EXPECT_TRUE(contains(error, where + ": "));
  EXPECT_TRUE(contains(error, what));
}

TEST(KernelFile, IsReadWhole) {
  const KernelFile file = read(Json::parse(kDouble));
  EXPECT_EQ(file.problems.size(), 2u);
  EXPECT_EQ(file.problems[0].text(), "N=1000");
  const Kernel* kernel = file.kernel("rows", Backend::cuda);
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->parameter_space().default_config().text(), "THREADS=128,EACH=1");
  EXPECT_EQ(kernel->parameter_space().size(), 6);
  EXPECT_EQ(file.hash.size(), 64u);
}

TEST(KernelFile, SaysWhereItIsWrongAndWhatToWrite) {
  expect_error("/arguments/0/type", "float", "/arguments/0/type", "float32");
  expect_error("/arguments/0/shape", Json::array({"M"}), "/arguments/0/shape", "'M'");
  expect_error("/arguments/0/shape", Json::array({"N - 17"}), "/arguments/0/shape", "is 0");
  expect_error("/arguments/0/shape", Json::array({"N * N * N * N * N"}), "/arguments/0/shape",
               "2^44");
  expect_error("/arguments/0", {{"name", "x"}, {"type", "float32"}, {"shape", {"N"}}},
               "/arguments/0", "needs 'fill'");
  expect_error("/arguments/2/fill", "uniform", "/arguments/2/fill", "it is a scalar");
  expect_error("/problems/1", {{"M", 3}}, "/problems/1", "lacks the size 'N'");
  expect_error("/problems/0/N", 0, "/problems/0/N", "is no size");
  expect_error("/reference", "plane", "/reference", "did you mean 'plain'");
  expect_error("/work/flops", "3 * K", "/work/flops", "'K'");
  expect_error("/kernels/0/grid", 1, "/kernels/0/grid", "has no effect on the CPU");
  expect_error("/kernels/0/file", "gone.cpp", "/kernels/0/file", "'gone.cpp' is no file");
  expect_error("/kernels/1/grid", "N // 1024", "/kernels/1/grid", "is 0");
  expect_error("/kernels/1/block", "1025", "/kernels/1/block", "at most 1024");
  expect_error("/kernels/1/options", Json::array({"fast"}), "/kernels/1/options/0", "with its '-'");
  expect_error("/kernels/1/ConfigurationSpace/Conditions/0/Expression", "THREAD < 3",
               "/kernels/1/ConfigurationSpace/Conditions/0/Expression", "'THREADS'");
  expect_error("/kernels/1/ConfigurationSpace/Conditions/0/Expression", "THREADS < 64",
               "/kernels/1/ConfigurationSpace/Conditions/0", "no point meets the condition");
  expect_error("/kernels/1/ConfigurationSpace/TuningParameters/0/Default", 32,
               "/kernels/1/ConfigurationSpace/TuningParameters/0/Default", "none of the Values");
  expect_error("/kernels/1/ConfigurationSpace/TuningParameters/0/Values", "64 to 256",
               "/kernels/1/ConfigurationSpace/TuningParameters/0/Values", "is no list");
  expect_error("/kernels/1/ConfigurationSpace/TuningParameters/0/Values", "[True, False]",
               "/kernels/1/ConfigurationSpace/TuningParameters/0/Values", "write 1 for True");
  expect_error("/kernels/1/ConfigurationSpace/TuningParameters/0/Values", Json::array({true}),
               "/kernels/1/ConfigurationSpace/TuningParameters/0/Values/0", "write 1 for true");
  expect_error("/kernel", 1, "/kernel", "kernels");
}

TEST(KernelFile, WithoutAReferenceNeedsTheRightOutputs) {
  Json json = Json::parse(kDouble);
  json.erase("reference");
  const std::string text = thrown_by([&] { read(json); });
  EXPECT_TRUE(contains(text, "/arguments/1: needs 'expected'"));
  EXPECT_TRUE(contains(text, "/arguments/0: is random"));
}

TEST(CustomLaunch, IsMadeOfSizesAndParameters) {
  const KernelFile file = read(Json::parse(kDouble));
  const Kernel& kernel = *file.kernel("rows", Backend::cuda);
  const Config config({{"THREADS", "64"}, {"EACH", "2"}});
  const KernelLaunch launch = plan(file, kernel, config, file.problems[0]).launches[0];
  EXPECT_EQ(launch.source, "doubled/doubled.cu");
  EXPECT_EQ(launch.instance, "doubled -DTHREADS=64 -DEACH=2");
  EXPECT_EQ(launch.grid, 8);
  EXPECT_EQ(launch.block, 64);
  const DeviceTraits traits = traits_of_architecture(90);
  const auto objection_of = [&](const char* threads, const char* each) {
    const Config point({{"N", "1000"}, {"THREADS", threads}, {"EACH", each}});
    return objection(file, kernel, point, traits).value_or("");
  };
  EXPECT_EQ(objection_of("128", "2"), "");
  EXPECT_EQ(objection_of("256", "2"), "the condition THREADS * EACH <= 256 does not hold");
  EXPECT_TRUE(contains(objection(file, kernel, config, traits).value_or(""), "such as N=1000"));
}

TEST(CustomLaunch, GivesTemplatesTheirValues) {
  Json json = Json::parse(kDouble);
  json["kernels"][1]["parameters"] = "template";
  json["kernels"][1]["options"] = {"-use_fast_math"};
  const KernelFile file = read(json);
  const Kernel& kernel = *file.kernel("rows", Backend::cuda);
  EXPECT_EQ(instance_of(kernel, kernel.parameter_space().default_config()),
            "doubled<128, 1> -use_fast_math");
}

TEST(HostKernel, IsCalledByItsSlots) {
  const KernelFile file = read(Json::parse(kDouble));
  const std::string source = host_source(file, *file.kernel("plain", Backend::cpu), {});
  EXPECT_TRUE(contains(source, "*static_cast<const float**>(a[0])"));
  EXPECT_TRUE(contains(source, "*static_cast<int32_t*>(a[2])"));
}

}  // namespace
}  // namespace alsbench::custom
