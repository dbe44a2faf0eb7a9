// SPDX-License-Identifier: Apache-2.0
// Training on the GPU against training on the CPU: the same split and seed give the same curve.
#include "harness/train/train.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/algorithms/algorithms.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/rating_sets.h"
#include "variants/als/pipelines.h"

namespace alsbench {
namespace {

TrainOptions options_of(const std::string& pipeline, Backend backend, int32_t rank) {
  TrainOptions options;
  options.recipe =
      uniform_recipe(default_algorithm(), parse_pipeline(als_pipelines(), pipeline, backend));
  options.rank = rank;
  options.lambda = 0.05f;
  options.iterations = 6;
  return options;
}

void expect_same_curves(const TrainResult& a, const TrainResult& b, double tolerance) {
  ASSERT_EQ(a.iterations.size(), b.iterations.size());
  for (size_t i = 0; i < a.iterations.size(); ++i) {
    EXPECT_NEAR(a.iterations[i].test_metric, b.iterations[i].test_metric, tolerance)
        << "iteration " << i + 1;
    EXPECT_NEAR(a.iterations[i].train_metric, b.iterations[i].train_metric, tolerance)
        << "iteration " << i + 1;
  }
}

#define SKIP_WITHOUT_GPU() \
  std::string reason;      \
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason

TEST(PrepareOnGpu, FindsKernelsThatAreLoaded) {
  SKIP_WITHOUT_GPU();
  const auto gpu = open_device("0");
  const PipelineStep step =
      parse_pipeline(als_pipelines(), "update:fused", Backend::cuda).steps.front();
  Shape shape;
  shape.rows = shape.cols = 100;
  shape.rank = 32;
  shape.nnz = 1000;
  shape.row_length_quantiles.fill(10);
  const auto first = gpu->prepare(*step.variant, step.config, shape);
  const auto second = gpu->prepare(*step.variant, step.config, shape);
  ASSERT_FALSE(first->kernels().empty());
  ASSERT_EQ(second->kernels().size(), first->kernels().size());
  for (size_t i = 0; i < first->kernels().size(); ++i) {
    EXPECT_EQ(second->kernels()[i].code_hash, first->kernels()[i].code_hash);
    EXPECT_EQ(second->kernels()[i].occupancy, first->kernels()[i].occupancy);
    EXPECT_TRUE(second->kernels()[i].from_cache);
    EXPECT_EQ(second->kernels()[i].compile_seconds, 0);
  }
}

class TrainOnGpu : public testing::TestWithParam<int32_t> {};

TEST_P(TrainOnGpu, FollowsTheCpuWithTheExactSolver) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  expect_same_curves(train(*gpu, set, options_of("exact", Backend::cuda, GetParam())),
                     train(*cpu, set, options_of("exact", Backend::cpu, GetParam())), 1e-3);
}

TEST_P(TrainOnGpu, FollowsTheCpuWithCg) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  expect_same_curves(train(*gpu, set, options_of("cg-fp32", Backend::cuda, GetParam())),
                     train(*cpu, set, options_of("cg-fp32", Backend::cpu, GetParam())), 1e-3);
}

TEST_P(TrainOnGpu, FollowsTheCpuInARotatedBasis) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  TrainOptions rotated = options_of("cg-fp32", Backend::cuda, GetParam());
  rotated.recipe.hyper = parse_hyper(*rotated.recipe.algorithm, "rotated_iterations=3");
  const TrainResult turned = train(*gpu, set, rotated);
  EXPECT_TRUE(turned.iterations[2].stage_seconds.contains("x/rotate"));
  rotated.recipe = options_of("cg-fp32", Backend::cpu, GetParam()).recipe;
  rotated.recipe.hyper = parse_hyper(*rotated.recipe.algorithm, "rotated_iterations=3");
  expect_same_curves(turned, train(*cpu, set, rotated), 1e-3);
}

TEST_P(TrainOnGpu, RepeatsARotatedTrainingBitByBit) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0");
  TrainOptions options =
      options_of("update:fused:steps=2,precondition=jacobi", Backend::cuda, GetParam());
  options.recipe.hyper = parse_hyper(*options.recipe.algorithm, "rotated_iterations=3");
  const TrainResult a = train(*gpu, set, options), b = train(*gpu, set, options);
  ASSERT_EQ(a.model.size(), b.model.size());
  for (size_t i = 0; i < a.model.size(); ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
}

// Records nothing: every kernel is launched by itself.
class UnrecordingDevice : public ForwardingDevice {
 public:
  UnrecordingDevice() : ForwardingDevice(open_device("0")) {}
  std::unique_ptr<RecordedWork> record(const std::function<void()>&) override { return nullptr; }
};

TEST_P(TrainOnGpu, TrainsTheSameModelByARecordingBitByBit) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto recording = open_device("0");
  UnrecordingDevice unrecording;
  ASSERT_NE(recording->record([] {}), nullptr);
  for (const std::string pipeline :
       {"hermitian:tiled/bias:rows/solve:cg", "update:fused:steps=4,late_steps=2"}) {
    const TrainOptions options = options_of(pipeline, Backend::cuda, GetParam());
    const TrainResult a = train(*recording, set, options), b = train(unrecording, set, options);
    ASSERT_EQ(a.model.size(), b.model.size()) << pipeline;
    for (size_t i = 0; i < a.model.size(); ++i)
      EXPECT_EQ(a.model[i].values, b.model[i].values) << pipeline;
    for (size_t i = 0; i < a.iterations.size(); ++i) {
      EXPECT_EQ(a.iterations[i].mean_solver_steps, b.iterations[i].mean_solver_steps) << pipeline;
      EXPECT_EQ(a.iterations[i].test_metric, b.iterations[i].test_metric) << pipeline;
      EXPECT_EQ(a.iterations[i].stage_seconds.size(), b.iterations[i].stage_seconds.size());
    }
  }
}

// Trains by the exact pipeline with these hyper-parameters on both devices. `stage`: one that the
// first iteration has on the GPU.
void expect_same_start(const RatingSet& set, int32_t rank, const std::string& hyper,
                       const std::string& stage, double tolerance) {
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  const auto curve = [&](Device& device, Backend backend) {
    TrainOptions options = options_of("exact", backend, rank);
    options.recipe.hyper = parse_hyper(*options.recipe.algorithm, hyper);
    return train(device, set, options);
  };
  const TrainResult result = curve(*gpu, Backend::cuda);
  EXPECT_TRUE(result.iterations[0].stage_seconds.contains(stage));
  expect_same_curves(result, curve(*cpu, Backend::cpu), tolerance);
}

TEST_P(TrainOnGpu, FollowsTheCpuWhenAccelerated) {
  SKIP_WITHOUT_GPU();
  expect_same_start(planted_set(300, 200, 0.5, 5), GetParam(),
                    "over_relaxation=0.6,first_share=0.5", "x/subsample", 1e-3);
}

// The sketch's sums differ in their last bits, and so does what grows of them: the curves are near.
TEST_P(TrainOnGpu, FollowsTheCpuFromASketch) {
  SKIP_WITHOUT_GPU();
  expect_same_start(planted_set(600, 400, 0.5, 5), GetParam(), "start=sketch", "start/bias", 5e-3);
}

TEST_P(TrainOnGpu, RepeatsATrainingFromASketchBitByBit) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(600, 400, 0.5, 5);
  const auto gpu = open_device("0");
  TrainOptions options = options_of("update:fused:steps=3", Backend::cuda, GetParam());
  options.recipe.hyper = parse_hyper(*options.recipe.algorithm, "start=sketch,over_relaxation=0.6");
  const TrainResult a = train(*gpu, set, options), b = train(*gpu, set, options);
  ASSERT_EQ(a.model.size(), b.model.size());
  for (size_t i = 0; i < a.model.size(); ++i) EXPECT_EQ(a.model[i].values, b.model[i].values);
}

TEST_P(TrainOnGpu, FollowsTheCpuWithBiases) {
  SKIP_WITHOUT_GPU();
  if (GetParam() < 3) GTEST_SKIP() << "biases take two columns";
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  const auto curve = [&](Device& device, const std::string& pipeline) {
    TrainOptions options = options_of(pipeline, device.traits().backend, GetParam());
    options.recipe.hyper = parse_hyper(default_algorithm(), "biases=on");
    return train(device, set, options);
  };
  const TrainResult exact = curve(*cpu, "exact");
  expect_same_curves(curve(*gpu, "exact"), exact, 1e-3);
  const double error = exact.iterations.back().train_metric;
  EXPECT_NEAR(curve(*gpu, "fused").iterations.back().train_metric, error, 0.1 * error);
}

TEST_P(TrainOnGpu, FollowsTheCpuByCoordinateDescent) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  const auto curve = [&](Device& device, const std::string& pipeline) {
    TrainOptions options;
    const Algorithm& algorithm = algorithm_named("ccd");
    options.recipe =
        uniform_recipe(algorithm, algorithm.parse("x", pipeline, device.traits().backend));
    options.rank = GetParam();
    return train(device, set, options);
  };
  const TrainResult expected = curve(*cpu, "exact");
  for (const char* pipeline : {"exact", "fused", "ccd_update:fused:long=512,lanes=8"})
    expect_same_curves(curve(*gpu, pipeline), expected, 1e-3);
}

TEST_P(TrainOnGpu, FollowsTheCpuByGradientDescent) {
  SKIP_WITHOUT_GPU();
  constexpr double kNear = 0.04;  // the ratings' own deviation is 0.6
  const RatingSet set = planted_set(600, 400, 0.3, 5);
  const auto gpu = open_device("0"), cpu = open_cpu_device();
  const auto curve = [&](Device& device, const std::string& pipeline) {
    TrainOptions options;
    const Algorithm& algorithm = algorithm_named("sgd");
    const Pipeline parsed = algorithm.parse("epoch", pipeline, device.traits().backend);
    options.recipe = uniform_recipe(algorithm, parsed);
    options.rank = GetParam();
    return train(device, set, options);
  };
  const TrainResult serial = curve(*cpu, "sgd_epoch:blocked:grid=128,factors=fp32");
  expect_same_curves(curve(*gpu, "sgd_epoch:blocked:grid=128,factors=fp32"), serial, 1e-3);
  const double error = serial.iterations.back().train_metric;
  for (const char* pipeline : {"lock-free", "sgd_epoch:lock_free:run=1,factors=fp32", "blocked"})
    EXPECT_NEAR(curve(*gpu, pipeline).iterations.back().train_metric, error, kNear) << pipeline;
}

INSTANTIATE_TEST_SUITE_P(Ranks, TrainOnGpu, testing::Values(1, 10, 33, 64, 70, 100, 128, 200, 256),
                         [](const auto& rank) { return "rank" + std::to_string(rank.param); });

class Preset : public testing::TestWithParam<std::string> {};

TEST_P(Preset, ReachesTheExactRmse) {
  SKIP_WITHOUT_GPU();
  const RatingSet set = planted_set(300, 200, 0.3, 5);
  const auto gpu = open_device("0");
  const TrainResult exact = train(*gpu, set, options_of("exact", Backend::cuda, 32));
  const TrainResult result = train(*gpu, set, options_of(GetParam(), Backend::cuda, 32));
  EXPECT_NEAR(result.iterations.back().test_metric, exact.iterations.back().test_metric, 5e-3);
  EXPECT_EQ(result.failed_rows, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Preset,
                         testing::Values("exact", "cg-fp32", "cumf-als", "gpu-als", "tensor-cores",
                                         "fused"),
                         [](const auto& preset) {
                           std::string name = preset.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace alsbench
