// SPDX-License-Identifier: Apache-2.0
// Large copies between host and GPU go through pinned buffers: no byte is lost or out of its turn.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/device.h"

namespace alsbench {
namespace {

TEST(CopiesOnGpu, KeepEveryByte) {
  std::string reason;
  if (cuda_device_count(&reason) == 0) GTEST_SKIP() << reason;
  const auto gpu = open_device("0");
  constexpr int64_t kCount = (int64_t{100} << 20) + 4321;  // no multiple of a pinned buffer
  std::vector<uint32_t> sent(kCount), received(kCount);
  for (int64_t i = 0; i < kCount; ++i) sent[i] = static_cast<uint32_t>(i) * 2654435761u;
  const Buffer first = gpu->allocate(kCount * 4), second = gpu->allocate(kCount * 4);
  for (int round = 0; round < 3; ++round) {
    gpu->fill(first.data(), 0xff, first.bytes());  // must end before the upload begins
    gpu->upload(first.data(), sent.data(), first.bytes());
    gpu->copy(second.data(), first.data(), first.bytes());  // must end before the download begins
    gpu->download(received.data(), second.data(), second.bytes());
    ASSERT_EQ(received, sent) << round;
    for (uint32_t& word : sent) word = ~word;
  }
}

}  // namespace
}  // namespace alsbench
