// SPDX-License-Identifier: Apache-2.0
// The planner's end against fake workers: shell scripts that misbehave in one way each.
#include "harness/sweep/worker/worker_client.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/files/file_descriptor.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

// A worker that runs `body` for each request; "$2" is the socket.
std::vector<std::string> fake(const std::string& body) {
  return {"/bin/bash", "-c", "while read -r request <&$2; do " + body + "; done", "fake"};
}

Case any_training() {
  Case c;
  c.train = TrainCase{"t", exact_recipe(default_algorithm(), Backend::cpu), 2, {}, {}};
  return c;
}

WorkerFailure failure_of(WorkerClient& client, double limit_seconds = 10) {
  try {
    client.ask(worker::Release{}, limit_seconds);
  } catch (const WorkerFailure& failure) {
    return failure;
  }
  ADD_FAILURE() << "the request succeeded";
  return {Outcome::ok, "", {}, false};
}

TEST(WorkerClient, JunkOnStdoutIsOnlyALog) {
  WorkerClient client(
      fake(R"(echo '{"ok":true,"junk":1}'; echo junk >&2; echo '{"ok":true,"threads":7}' >&$2)"));
  EXPECT_EQ(client.ask(worker::ExportRatings{any_training(), "folder"}, 10).threads, 7);
  EXPECT_EQ(client.ask(worker::ExportRatings{any_training(), "folder"}, 10).threads, 7);
  EXPECT_EQ(client.generation(), 1);
}

// Of another process, which logs: this one has read ALSBENCH_LOG already.
TEST(WorkerClient, LogsWholeLinesHoweverTheyAreWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto log = [] {
    setenv("ALSBENCH_LOG", "debug", 1);
    WorkerClient client(fake("printf 'in tw'; sleep 0.1; echo 'o pieces'; printf 'no end'; exit"));
    failure_of(client);
  };
  EXPECT_EXIT((log(), std::exit(0)), testing::ExitedWithCode(0),
              "worker: in two pieces\n.*worker: no end\n");
}

TEST(WorkerClient, AKilledWorkerIsNotSaidToLackMemory) {
  WorkerClient client(fake("kill -KILL $$"));
  const WorkerFailure failure = failure_of(client);
  EXPECT_EQ(failure.outcome, Outcome::crashed);
  EXPECT_TRUE(contains(failure.what(), "signal 9"));
}

TEST(WorkerClient, CrashHasItsSignalAndLogAndTheNextRequestAFreshWorker) {
  WorkerClient client(fake("echo last words; kill -SEGV $$"));
  const WorkerFailure failure = failure_of(client);
  EXPECT_EQ(failure.outcome, Outcome::crashed);
  EXPECT_TRUE(contains(failure.what(), "signal 11"));
  EXPECT_EQ(failure.log_tail, std::vector<std::string>{"last words"});
  EXPECT_TRUE(failure.worker_lost);
  failure_of(client);
  EXPECT_EQ(client.generation(), 2);
}

TEST(WorkerClient, ExitAndNonsenseAreCrashes) {
  WorkerClient quits(fake("exit 3"));
  EXPECT_TRUE(contains(failure_of(quits).what(), "exit code 3"));
  WorkerClient babbles(fake("echo nonsense >&$2"));
  EXPECT_EQ(failure_of(babbles).outcome, Outcome::crashed);
}

TEST(WorkerClient, ACrashOrAHangIsBlamedOnWhatTheWorkerSaysItRuns) {
  const std::string says = R"(echo '{"activity":"the reference"}' >&$2; )";
  WorkerClient crashes(fake(says + "kill -SEGV $$"));
  EXPECT_TRUE(std::string(failure_of(crashes).what()).ends_with(", in the reference"));
  WorkerClient hangs(fake(says + "sleep infinity"));
  EXPECT_TRUE(std::string(failure_of(hangs, 0.2).what()).ends_with(", in the reference"));
  WorkerClient goes_on(fake(says + R"(echo '{"activity":""}' >&$2; kill -SEGV $$)"));
  EXPECT_FALSE(contains(failure_of(goes_on).what(), "the reference"));
}

// The processes of the worker would go on for ever: a client that waited for them would, too.
TEST(WorkerClient, HangEndsAtItsLimitAndTakesTheGroupWithIt) {
  const ScratchFolder folder;
  const std::string pipe = folder.path() / "pipe";  // held open by every process of the worker
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const FileDescriptor ends(open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  WorkerClient client(fake("exec 9>" + pipe + "; sleep infinity & wait"));
  const WorkerFailure failure = failure_of(client, 0.5);
  EXPECT_EQ(failure.outcome, Outcome::hung);
  EXPECT_STREQ(failure.what(), "no answer within 0.5 s; --hang-timeout S allows more");
  EXPECT_FALSE(client.running());
  fcntl(ends.get(), F_SETFL, 0);
  char byte = 0;
  EXPECT_EQ(read(ends.get(), &byte, 1), 0) << "read waits until no process holds the pipe";
}

TEST(WorkerClient, ReportedFailureKeepsTheWorker) {
  WorkerClient client(fake(R"(echo '{"ok":false,"outcome":"oom","detail":"too big"}' >&$2)"));
  const WorkerFailure failure = failure_of(client);
  EXPECT_EQ(failure.outcome, Outcome::oom);
  EXPECT_FALSE(failure.worker_lost);
  failure_of(client);
  EXPECT_EQ(client.generation(), 1);
  WorkerClient refuses(fake(R"(echo '{"ok":false,"error":"usage","detail":"no file"}' >&$2)"));
  EXPECT_THROW(refuses.ask(worker::Release{}, 10), UsageError);
}

TEST(WorkerClient, EventsComeBeforeTheAnswer) {
  const auto say = [](Json message, bool ok) {
    if (ok) message["ok"] = true;
    return "echo '" + message.dump() + "' >&$2";
  };
  IterationRecord first, second;
  first.iteration = 1;
  second.iteration = 2;
  WorkerClient client(fake(say(to_json(first), false) + "; " + say(to_json(second), false) + "; " +
                           say(to_json(worker::Trained{}), true)));
  std::vector<int> iterations;
  client.ask(worker::Train{any_training()}, 10,
             [&](const IterationRecord& record) { iterations.push_back(record.iteration); });
  EXPECT_EQ(iterations, (std::vector<int>{1, 2}));
}

TEST(WorkerClient, InterruptKillsTheWorker) {
  std::atomic<bool> interrupted{false};
  WorkerClient client(fake(R"(echo '{"ok":true}' >&$2)"), &interrupted);
  client.ask(worker::Release{}, 10);
  interrupted = true;
  EXPECT_THROW(client.ask(worker::Release{}, 10), Interrupted);
}

}  // namespace
}  // namespace alsbench
