// SPDX-License-Identifier: Apache-2.0
// Real programs: shell scripts that end, or do not end, in one way each.
#include "harness/process/process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <limits>

#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using Event = Process::Event;
using Lines = std::vector<std::string>;

constexpr double kForEver = std::numeric_limits<double>::infinity();

std::vector<std::string> script(const std::string& body) { return {"/bin/sh", "-c", body}; }

// A pipe whose reading end tells when every process that holds the writing end is gone.
struct Lifeline {
  Lifeline() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) ADD_FAILURE() << "no pipe";
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
  FileDescriptor read, write;
};

TEST(Process, EndsWithItsExitCode) {
  Process process(script("exit 3"));
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  const ProcessEnd end = process.kill_group().value();
  EXPECT_TRUE(end.exited_with(3));
  EXPECT_FALSE(end.exited_with(0));
  EXPECT_EQ(end.text(), "ended with exit code 3");
  EXPECT_FALSE(process.running());
}

TEST(Process, EndsWithItsSignal) {
  Process process(script("kill -SEGV $$"));
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  const ProcessEnd end = process.kill_group().value();
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_FALSE(end.exited_with(0));
  EXPECT_TRUE(contains(end.text(), "died of signal 11"));
}

TEST(Process, AProgramThatIsNotThereEndsWith127) {
  Process process({"/no/such/program"});
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  EXPECT_TRUE(process.kill_group()->exited_with(127));
}

TEST(Process, KeepsTheTailOfItsOutput) {
  Process process(
      script("i=0; while [ $i -lt 50000 ]; do i=$((i+1)); echo line $i; done; "
             "echo from stderr >&2; printf unfinished"));
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  process.kill_group();
  const Lines log = process.log_tail();
  ASSERT_EQ(log.size(), LogTail::kLines + 1);
  EXPECT_EQ(log[log.size() - 3], "line 50000");
  EXPECT_EQ(log[log.size() - 2], "from stderr");
  EXPECT_EQ(log.back(), "unfinished");
}

TEST(Process, HasNoInput) {
  Process process(script("cat; echo done"));
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  EXPECT_EQ(process.log_tail(), Lines{"done"});
}

// A shell keeps what it inherits: "ignored" stays so in all that it starts.
TEST(Process, AProgramEndsOfTheSignalsThatThisOneIgnores) {
  for (const auto& [signal, name] : {std::pair(SIGPIPE, "PIPE"), std::pair(SIGXFSZ, "XFSZ")}) {
    const auto before = std::signal(signal, SIG_IGN);
    Process process(script(std::string("kill -") + name + " $$; echo ignored"));
    EXPECT_EQ(process.wait(kForEver), Event::ended);
    EXPECT_EQ(process.kill_group()->signal, signal);
    std::signal(signal, before);
  }
}

TEST(Process, ALimitEndsTheWaitAndNotTheProgram) {
  Process process(script("exec sleep 1000"));
  EXPECT_EQ(process.wait(0), Event::timeout);
  EXPECT_TRUE(process.running());
  EXPECT_EQ(process.kill_group()->signal, SIGKILL);
  EXPECT_EQ(process.kill_group()->signal, SIGKILL);  // again: nothing changes
}

TEST(Process, AnInterruptEndsTheWaitAndNotTheProgram) {
  const std::atomic<bool> interrupted = true;
  Process process(
      script("trap 'echo asked; exit 7' INT; echo ready; while :; do sleep 0.01; done"));
  while (process.log_tail().empty()) process.wait(0.01);
  EXPECT_EQ(process.wait(kForEver, {.interrupted = &interrupted}), Event::interrupted);
  process.send(SIGINT);
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  EXPECT_TRUE(process.kill_group()->exited_with(7));
  EXPECT_EQ(process.log_tail(), (Lines{"ready", "asked"}));
}

TEST(Process, AnInheritedDescriptorIsReadBeforeTheEndIsTold) {
  Lifeline line;
  Process process(script("printf x >&" + std::to_string(line.write.get())), line.write.get());
  line.write.reset();
  EXPECT_EQ(process.wait(kForEver, {.descriptor = line.read.get()}), Event::readable);
  char byte = 0;
  EXPECT_EQ(read(line.read.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_EQ(process.wait(kForEver), Event::ended);
}

// Processes that a program leaves behind neither delay the news of its end nor outlive it.
TEST(Process, TakesWhatItLeftBehindWithIt) {
  Lifeline line;
  Process process(script("sleep 1000 & exit 5"), line.write.get());
  line.write.reset();
  EXPECT_EQ(process.wait(kForEver), Event::ended);
  pollfd gone{line.read.get(), POLLIN, 0};
  EXPECT_EQ(poll(&gone, 1, 0), 0);  // sleep still holds the other end, and the output
  EXPECT_TRUE(process.kill_group()->exited_with(5));
  EXPECT_EQ(poll(&gone, 1, -1), 1);
  EXPECT_NE(gone.revents & POLLHUP, 0);
}

TEST(Process, DoesNotOutliveItsOwner) {
  Lifeline line;
  {
    const Process process(script("sleep 1000 & sleep 1000"), line.write.get());
    line.write.reset();
  }
  pollfd gone{line.read.get(), POLLIN, 0};
  EXPECT_EQ(poll(&gone, 1, -1), 1);
  EXPECT_NE(gone.revents & POLLHUP, 0);
}

}  // namespace
}  // namespace alsbench
