// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/record/device_record.h"

namespace alsbench {
namespace {

TEST(DeviceSlug, IsTheSpellingOfResultFolders) {
  EXPECT_EQ(device_slug("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(device_slug("NVIDIA A100-SXM4-40GB"), "nvidia-a100-sxm4-40gb");
  EXPECT_EQ(device_slug("NVIDIA H200 MIG 1g.18gb"), "nvidia-h200-mig-1g-18gb");
  EXPECT_EQ(device_slug("Intel(R) Xeon(R) CPU @ 2.20GHz"), "intel-r-xeon-r-cpu-2-20ghz");
}

TEST(DeviceSlug, FindsTheDeviceAgainFromItsOwnResult) {
  std::vector<std::string> names{"NVIDIA H200",
                                 "NVIDIA H200 NVL",
                                 "NVIDIA H100 80GB HBM3",
                                 "NVIDIA H100 PCIe",
                                 "NVIDIA A100-SXM4-40GB",
                                 "NVIDIA A100-SXM4-80GB",
                                 "NVIDIA GeForce RTX 4090",
                                 "NVIDIA GeForce RTX 4090 D",
                                 "Tesla T4",
                                 "",
                                 std::string(500, 'x'),
                                 std::string(501, 'x'),
                                 "..",
                                 "///",
                                 "日本"};
  std::set<std::string> slugs;
  for (const std::string& name : names) {
    const std::string slug = device_slug(name);
    EXPECT_EQ(device_slug(slug), slug) << name;
    EXPECT_TRUE(slugs.insert(slug).second) << name << " met another name at " << slug;
  }
}

TEST(DeviceSlug, HostileNamesAreFileNames) {
  std::vector<std::string> names{"../../etc/passwd",
                                 "/",
                                 ".",
                                 "..",
                                 "a/b",
                                 "con:\\x",
                                 "-rf",
                                 "--",
                                 "x\ny",
                                 std::string("nul\0byte", 8),
                                 " lead",
                                 "trail ",
                                 "~",
                                 "$(id)",
                                 std::string(5000, 'a') + "/" + std::string(5000, '-')};
  for (int byte = 0; byte < 256; ++byte) names.emplace_back(3, static_cast<char>(byte));
  for (const std::string& name : names) {
    const std::string slug = device_slug(name);
    ASSERT_FALSE(slug.empty());
    EXPECT_LE(slug.size(), 96u);
    EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos)
        << slug;
    EXPECT_NE(slug.front(), '-');
    EXPECT_NE(slug.back(), '-');
  }
}

}  // namespace
}  // namespace alsbench
