// SPDX-License-Identifier: Apache-2.0
// Teams of CPU devices: what their collectives do, and that an error ends all members.
#include "harness/device/team.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"

namespace alsbench {
namespace {

Team& team_of_three() {
  static const std::unique_ptr<Team> team = open_team("cpu+cpu+cpu");
  return *team;
}

TEST(Team, GathersTheBytesOfEveryMember) {
  std::vector<std::string> seen(3);
  team_of_three().run([&](const Member& member) {
    const Buffer buffer = member.device().allocate(6);
    const std::string own(6, static_cast<char>('a' + member.index()));
    member.device().upload(buffer.data(), own.data(), 6);
    member.send(buffer.data(), {{0, 1}, {1, 0}, {3, 3}});  // the second has none
    member.send(buffer.data(), {{0, 0}, {0, 0}, {1, 2}});
    member.wait_for_blocks();
    seen[member.index()].resize(6);
    member.device().download(seen[member.index()].data(), buffer.data(), 6);
  });
  for (const std::string& text : seen) EXPECT_EQ(text, "accccc");
}

TEST(Team, RaisesWordsToTheLargest) {
  team_of_three().run([&](const Member& member) {
    const auto index = static_cast<uint32_t>(member.index());
    const Buffer buffer = member.device().allocate(8);
    const std::vector<uint32_t> own{index, 7 - index};
    member.device().upload(buffer.data(), own.data(), 8);
    member.all_reduce_max(buffer.as<uint32_t>(), 2);
    std::vector<uint32_t> words(2);
    member.device().download(words.data(), buffer.data(), 8);
    EXPECT_EQ(words, (std::vector<uint32_t>{2, 7}));
  });
}

TEST(Team, WritesIntoEachOthersMemory) {
  team_of_three().run([&](const Member& member) {
    const Buffer buffer = member.device().allocate(3);
    const std::vector<void*> others = member.others_of(buffer.data());
    ASSERT_EQ(others.size(), 2u);
    const int index = member.index();
    for (void* const data : {buffer.data(), others[0], others[1]})
      static_cast<char*>(data)[index] = static_cast<char>('a' + index);
    member.wait_for_all();
    EXPECT_EQ(std::string(buffer.as<char>(), 3), "abc");
    member.barrier();  // else a buffer may go that others still write
  });
}

TEST(Team, SumsInTheOrderOfItsMembers) {
  team_of_three().run([&](const Member& member) {
    std::vector<double> values{member.index() == 0 ? 1e16 : 1.0};
    member.sum(values);
    EXPECT_EQ(values[0], 1e16 + 1.0 + 1.0);
    EXPECT_EQ(member.sum(int64_t{member.index()}), 3);
    EXPECT_EQ(member.each(member.index() + 0.5), (std::vector<double>{0.5, 1.5, 2.5}));
    EXPECT_TRUE(member.any(member.index() == 1));
    EXPECT_FALSE(member.any(false));
  });
}

TEST(Team, OfOneDeviceRunsInTheCallersThread) {
  const auto device = open_cpu_device(1);
  Team team(*device);
  const auto caller = std::this_thread::get_id();
  team.run([&](const Member& member) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_TRUE(member.alone());
    EXPECT_EQ(member.sum(int64_t{5}), 5);
  });
}

TEST(Team, EndsWithTheErrorOfAnyMember) {
  for (int failing = 0; failing < 3; ++failing) {
    EXPECT_THROW(team_of_three().run([&](const Member& member) {
      member.any(false);
      if (member.index() == failing) throw OutOfMemoryError("planted");
      for (;;) member.any(false);
    }),
                 OutOfMemoryError);
  }
  team_of_three().run([](const Member& member) { EXPECT_EQ(member.sum(int64_t{1}), 3); });
}

TEST(Team, MeasuresItsLink) {
  team_of_three().run([](const Member& member) {
    const TeamLink link = measure_link(member);
    EXPECT_GT(link.latency_seconds, 0);
    EXPECT_GT(link.bytes_per_second, 0);
  });
}

}  // namespace
}  // namespace alsbench
