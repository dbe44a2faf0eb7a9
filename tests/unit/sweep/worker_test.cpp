// SPDX-License-Identifier: Apache-2.0
// A real worker process on the CPU: this program again, running the disabled test below.
#include "harness/sweep/worker/worker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/error.h"
#include "harness/files/command_line.h"
#include "harness/sweep/suite/expansion.h"
#include "harness/sweep/worker/worker_client.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

TEST(WorkerProcess, DISABLED_serve) {
  const std::vector<std::string> arguments = process_command_line();
  ASSERT_EQ(arguments.at(arguments.size() - 2), "--socket");
  Worker(std::stoi(arguments.back())).serve();
}

class RealWorker : public testing::Test {
 protected:
  RealWorker()
      : client({"/proc/self/exe", "--gtest_also_run_disabled_tests",
                "--gtest_filter=WorkerProcess.DISABLED_serve"}) {
    const auto cache = std::filesystem::path(testing::TempDir()) / "worker_cache";
    setenv("ALSBENCH_CACHE_DIR", cache.c_str(), 1);
  }

  // The only case of a suite with this one measurement or training.
  static Case only_case(const std::string& what) {
    const Suite suite = parse_suite(R"({"name": "t", "description": "t", "problems":
        [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}], )" +
                                        what + "}",
                                    "test");
    Selection selection;
    selection.devices = {"cpu"};
    const std::vector<Case> cases = expand(suite, selection);
    EXPECT_EQ(cases.size(), 1u);
    return cases.at(0);
  }
  static Case chaos(const std::string& defect) {
    return only_case(R"("measure": [{"stage": "hermitian", "variant": "chaos", "backend": "cpu",
        "part": "x", "config": "defect=)" +
                     defect + R"("}])");
  }

  template <class R>
  typename R::Answer ask(const R& request) {
    return client.ask(request, 60);
  }
  // How a training on the CPU fails; the test fails with `unless` where it does not.
  WorkerFailure failure_of_training(const Case& c, const char* unless) {
    ask(worker::Open{"cpu"});
    try {
      ask(worker::Train{c});
    } catch (const WorkerFailure& failure) {
      return failure;
    }
    throw std::logic_error(unless);
  }
  worker::Prepared prepare(const Case& c) {
    ask(worker::Open{"cpu"});
    return ask(worker::Prepare{c});
  }

  WorkerClient client;
};

TEST_F(RealWorker, DescribesItsDevice) {
  const DeviceRecord device = ask(worker::Open{"cpu"});
  EXPECT_EQ(device.id, "cpu");
  EXPECT_EQ(device.traits.backend, Backend::cpu);
  EXPECT_FALSE(device.traits.name.empty());
  EXPECT_FALSE(device.nvml);
  EXPECT_FALSE(device.nominal);
}

// Rules choose the type of A_u by it.
TEST_F(RealWorker, TellsHowMuchLambdaDamps) {
  const Case c =
      only_case(R"("measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu",
      "part": "x"}])");
  ask(worker::Open{"cpu"});
  const auto damping = [&](float lambda) {
    ProblemSpec problem = c.problem;
    problem.lambda = lambda;
    return ask(worker::GetShape{problem, "x"}).damping;
  };
  const double small = damping(1e-4F);
  EXPECT_GT(small, 0);
  EXPECT_NEAR(damping(0.1F), 1000 * small, 1e-3 * 1000 * small);
}

TEST_F(RealWorker, VerifiesSamplesAndChecksAgain) {
  const Case c = chaos("none");
  const worker::Prepared prepared = prepare(c);
  EXPECT_EQ(prepared.verification.outcome, Outcome::ok);
  EXPECT_EQ(prepared.shape.value().rank, 4);
  for (const CacheMode mode : kCacheModes)
    EXPECT_GT(ask(worker::TakeSample{c.name(), mode}).seconds, 0.0);
  EXPECT_EQ(ask(worker::Recheck{c.name()}).verification.outcome, Outcome::ok);
  EXPECT_EQ(client.generation(), 1);
}

TEST_F(RealWorker, ThePeakOfMemoryIsTheCasesOwn) {
  const auto solve = [](const std::string& variant) {
    return only_case(R"("measure": [{"stage": "solve", "variant": ")" + variant +
                     R"(", "backend": "cpu", "part": "x"}])");
  };
  const Case cholesky = solve("cholesky"), cg = solve("cg");  // the former destroys its inputs
  const int64_t alone = prepare(cg).peak_device_bytes.value();
  EXPECT_GT(alone, 0);
  const int64_t before = ask(worker::Prepare{cholesky}).peak_device_bytes.value();
  ask(worker::Release{});
  EXPECT_EQ(ask(worker::Prepare{cholesky}).peak_device_bytes, before);
  EXPECT_EQ(ask(worker::Prepare{cg}).peak_device_bytes, alone);
}

TEST_F(RealWorker, WrongAndNonFiniteResultsAreFoundBeforeTiming) {
  EXPECT_EQ(prepare(chaos("wrong")).verification.outcome, Outcome::wrong);
  EXPECT_EQ(prepare(chaos("nan")).verification.outcome, Outcome::nan);
  EXPECT_EQ(client.generation(), 1);
}

TEST_F(RealWorker, CrashIsAnOutcomeAndTheNextCaseGetsAFreshWorker) {
  try {
    prepare(chaos("segfault"));
    FAIL() << "the worker survived";
  } catch (const WorkerFailure& failure) {
    EXPECT_EQ(failure.outcome, Outcome::crashed);
    EXPECT_TRUE(failure.worker_lost);
  }
  EXPECT_EQ(prepare(chaos("none")).verification.outcome, Outcome::ok);
  EXPECT_EQ(client.generation(), 2);
}

TEST_F(RealWorker, OutOfMemoryKeepsTheWorker) {
  try {
    prepare(chaos("oom"));
    FAIL() << "there was memory";
  } catch (const WorkerFailure& failure) {
    EXPECT_EQ(failure.outcome, Outcome::oom);
    EXPECT_FALSE(failure.worker_lost);
  }
}

TEST_F(RealWorker, TrainingReportsEachIterationAsTheTrainerDoes) {
  const Case c = only_case(
      R"("train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 3}])");
  ask(worker::Open{"cpu"});
  std::vector<IterationRecord> iterations;
  const worker::Trained answer =
      client.ask(worker::Train{c}, 60,
                 [&](const IterationRecord& iteration) { iterations.push_back(iteration); });
  ASSERT_EQ(iterations.size(), 3u);
  EXPECT_GT(iterations[2].seconds, 0.0);
  EXPECT_LT(iterations[2].train_metric, iterations[0].train_metric);
  EXPECT_EQ(answer.training.failed_rows, 0);
  EXPECT_GT(answer.peak_device_bytes, 0);
}

TEST_F(RealWorker, ATrainingThatLeavesTheFiniteNumbersKeepsTheWorker) {
  const ScratchFolder folder;
  std::string ratings;
  for (int user = 1; user <= 20; ++user)
    for (int item = 1; item <= 10; ++item) ratings += fmt::format("{},{},1e30\n", user, item);
  Case c = only_case(
      R"("train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 3}])");
  c.problem.data.dataset.clear();
  c.problem.data.path = folder.write("huge.csv", ratings);
  c.problem.lambda = 1e27F;  // a smaller one is refused
  const WorkerFailure failure = failure_of_training(c, "factors of 1e30 stay finite");
  EXPECT_EQ(failure.outcome, Outcome::nan) << failure.what();
  EXPECT_FALSE(failure.worker_lost);
}

// Its message begins otherwise than that of a factor, which is not what the outcome goes by.
TEST_F(RealWorker, ATrainingWhoseMetricIsNotFiniteIsNoCrash) {
  const Case c = only_case(
      R"("train": [{"name": "far", "algorithm": "sgd", "hyper": {"rate": 50}, "backend": "cpu",
                    "pipeline": "blocked", "iterations": 3}])");
  const WorkerFailure failure = failure_of_training(c, "a rate of 50 stays finite");
  EXPECT_EQ(failure.outcome, Outcome::nan) << failure.what();
  EXPECT_TRUE(std::string(failure.what()).find("RMSE") != std::string::npos) << failure.what();
  EXPECT_FALSE(failure.worker_lost);
}

TEST_F(RealWorker, MissingDeviceAndMissingFileEndTheRun) {
  EXPECT_THROW(ask(worker::Open{"nonsense"}), UsageError);
  Case c = chaos("none");
  c.problem.data.dataset.clear();
  c.problem.data.path = "/nowhere/ratings.csv";
  ask(worker::Open{"cpu"});
  EXPECT_THROW(ask(worker::Load{c.problem}), UsageError);
}

}  // namespace
}  // namespace alsbench
