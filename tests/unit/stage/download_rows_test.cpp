// SPDX-License-Identifier: Apache-2.0
// Rows that a check reads back from a device, near each other and far apart.
#include <gtest/gtest.h>

#include "harness/stage/check.h"
#include "tests/unit/forwarding_device.h"

namespace alsbench {
namespace {

// Counts its downloads.
struct CountingDevice : ForwardingDevice {
  void download(void* target, const void* source, int64_t bytes) override {
    ++downloads;
    ForwardingDevice::download(target, source, bytes);
  }
  int downloads = 0;
};

class DownloadRowsTest : public testing::Test {
 protected:
  static constexpr int64_t kPitch = 4, kWidth = 3, kRows = 100000;
  DownloadRowsTest() {
    for (size_t i = 0; i < elements_.size(); ++i) elements_[i] = static_cast<float>(i);
  }
  void expect_rows(const std::vector<int64_t>& items) {
    const auto rows =
        download_rows(device_, {elements_.data(), Scalar::fp32, kPitch, kWidth}, items);
    ASSERT_EQ(rows.size(), items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      const auto first = static_cast<double>(items[i] * kPitch);
      EXPECT_EQ(rows[i], (std::vector<double>{first, first + 1, first + 2}));
    }
  }
  CountingDevice device_;
  std::vector<float> elements_ = std::vector<float>(kRows * kPitch);
};

TEST_F(DownloadRowsTest, NeighboursComeInOneTransfer) {
  expect_rows({7, 8, 9, 20});
  EXPECT_EQ(device_.downloads, 1);
}

TEST_F(DownloadRowsTest, RowsFarApartComeOneByOne) {
  expect_rows({0, kRows - 1});
  EXPECT_EQ(device_.downloads, 2);
}

TEST_F(DownloadRowsTest, NoRowsNeedNoTransfer) {
  expect_rows({});
  EXPECT_EQ(device_.downloads, 0);
}

TEST_F(DownloadRowsTest, IntegersAreZeroWhereThereIsNoArray) {
  const std::vector<int32_t> steps{5, 6, 7};
  EXPECT_EQ(download_integers(device_, steps.data(), {0, 2}), (std::vector<int32_t>{5, 7}));
  EXPECT_EQ(download_integers(device_, nullptr, {0, 2}), (std::vector<int32_t>{0, 0}));
}

}  // namespace
}  // namespace alsbench
