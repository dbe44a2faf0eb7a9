// SPDX-License-Identifier: Apache-2.0
// Devices that open while the caller goes on. What opens here is the CPU, by the name of a GPU.
#include "harness/device/opening_team.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "base/error.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using namespace std::chrono_literals;

// Whether it is set soon. Where nothing runs at once it never is.
bool is_set(std::promise<void>& moment) {
  return moment.get_future().wait_for(20s) == std::future_status::ready;
}

TEST(OpeningTeam, OpensWhileRatingsAreRead) {
  std::promise<void> begun, read;
  bool overlapped = false;
  OpeningTeam opening("0", [&](const std::string&) {
    begun.set_value();
    overlapped = is_set(read);
    return open_team("cpu");
  });
  EXPECT_TRUE(is_set(begun));
  read.set_value();
  EXPECT_EQ(opening.get().size(), 1);
  EXPECT_TRUE(overlapped);
}

TEST(OpeningTeam, OpensWhatItsTextNames) {
  std::string text;
  OpeningTeam opening("0+1", [&](const std::string& asked) {
    text = asked;
    return open_team("cpu+cpu");
  });
  EXPECT_EQ(opening.get().size(), 2);
  EXPECT_EQ(text, "0+1");
}

TEST(OpeningTeam, LeavesTheCpuToWhoAsks) {
  for (const char* text : {"cpu", "cpu+cpu"}) {
    EXPECT_FALSE(OpeningTeam::is_ahead(text));
    std::thread::id opener;
    OpeningTeam opening(text, [&](const std::string& asked) {
      opener = std::this_thread::get_id();
      return open_team(asked);
    });
    EXPECT_EQ(opener, std::thread::id());
    EXPECT_EQ(opening.backend(), Backend::cpu);
    EXPECT_EQ(opener, std::this_thread::get_id());
  }
  for (const char* text : {"auto", "all", "0", "0+1"}) EXPECT_TRUE(OpeningTeam::is_ahead(text));
}

TEST(OpeningTeam, GivesTheCpuThatAutoFindsTheCallersThreads) {
  std::thread([] {
    omp_set_num_threads(3);
    OpeningTeam opening("auto", [](const std::string&) { return open_team("cpu"); });
    EXPECT_EQ(opening.get().device().traits().multiprocessors, 3);
  }).join();
}

TEST(OpeningTeam, ThrowsWhatOpeningThrewWhereItIsAskedFor) {
  OpeningTeam opening("0", [](const std::string&) -> std::unique_ptr<Team> {
    throw EnvironmentError("no CUDA device 0");
  });
  for (int asked = 0; asked < 2; ++asked)
    EXPECT_EQ(thrown_by<EnvironmentError>([&] { opening.get(); }), "no CUDA device 0");
}

TEST(OpeningTeam, LetsAnErrorOfTheRatingsPassOnceItsThreadHasEnded) {
  std::promise<void> failed;
  std::atomic<bool> ended{false};
  const auto load = [&] {
    OpeningTeam opening("0", [&](const std::string&) -> std::unique_ptr<Team> {
      is_set(failed);
      std::this_thread::sleep_for(20ms);  // still at it when the other error is thrown
      ended = true;
      throw EnvironmentError("no CUDA device 0");
    });
    failed.set_value();
    throw UsageError("ratings.csv:3: no number");
  };
  EXPECT_THROW(load(), UsageError);
  EXPECT_TRUE(ended);
}

TEST(OpeningTeam, KnowsTheBackendOfAGpuBeforeItIsOpen) {
  std::promise<void> asked;
  OpeningTeam opening("1", [&](const std::string&) {
    EXPECT_TRUE(is_set(asked));
    return open_team("cpu");
  });
  EXPECT_EQ(opening.backend(), Backend::cuda);
  asked.set_value();
}

class UsedDevice : public ForwardingDevice {
 public:
  explicit UsedDevice(std::thread::id& user) : user_(user) {}
  void use() override { user_ = std::this_thread::get_id(); }

 private:
  std::thread::id& user_;
};

TEST(OpeningTeam, MakesTheAskingThreadTheOneThatUsesTheDevice) {
  std::thread::id user;
  OpeningTeam opening("0", [&](const std::string&) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<UsedDevice>(user));
    return std::make_unique<Team>(std::move(devices));
  });
  opening.get();
  EXPECT_EQ(user, std::this_thread::get_id());
}

TEST(OpeningTeam, MayBeOfATeamThatIsOpen) {
  OpeningTeam opening(open_team("cpu"));
  EXPECT_EQ(opening.backend(), Backend::cpu);
  EXPECT_EQ(opening.get().size(), 1);
}

}  // namespace
}  // namespace alsbench
