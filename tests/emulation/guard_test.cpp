// SPDX-License-Identifier: Apache-2.0
// The guard's kernels: digests and mirrored items.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/device/guard.cuh"

namespace alsbench {
namespace {

constexpr int kThreads = 64;

Digest digest_of(const Region& region, unsigned blocks) {
  Digest digest;
  emulation::launch(blocks, kThreads, false, [&] { digest_words<kThreads>({region, &digest}); });
  return digest;
}

template <class Unit>
void mirror(const ItemAxis& axis, int64_t about) {
  emulation::launch(2, kThreads, false, [&] { mirror_items<kThreads, Unit>({axis, about}); });
}

std::vector<float> numbers(int count) {
  std::vector<float> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 1.f);
  return values;
}

TEST(GuardDigest, IsOfAllBytesInTheirPlacesWhateverTheGrid) {
  std::vector<float> values = numbers(301);
  const Region whole{"", values.data(), 301 * 4};
  const Digest before = digest_of(whole, 1);
  EXPECT_EQ(before, digest_of(whole, 3));
  for (const size_t at : {size_t{0}, size_t{150}, size_t{300}}) {
    values[at] += 1;
    EXPECT_NE(before.hash, digest_of(whole, 2).hash) << at;
    values[at] -= 1;
  }
  std::swap(values[7], values[8]);
  EXPECT_NE(before.hash, digest_of(whole, 2).hash);
  std::swap(values[7], values[8]);
  auto* bytes = reinterpret_cast<unsigned char*>(values.data());
  const Region odd{"", bytes, 1201};
  const Digest of_odd = digest_of(odd, 2);
  bytes[1200] ^= 1;
  EXPECT_NE(of_odd.hash, digest_of(odd, 2).hash);
  bytes[1200] ^= 1;
  bytes[1201] ^= 1;
  EXPECT_EQ(of_odd, digest_of(odd, 2)) << "a byte behind the region counts";
}

TEST(GuardDigest, LeavesOutPaddingAndCountsNumbersThatAreNotFinite) {
  std::vector<float> values = numbers(5 * 8);
  const Region rows{"", values.data(), 6 * 4, 5, 8 * 4, Numbers::fp32};
  const Digest before = digest_of(rows, 2);
  EXPECT_EQ(before.not_finite, 0u);
  values[7] = std::numeric_limits<float>::quiet_NaN();  // padding of the first row
  EXPECT_EQ(before, digest_of(rows, 2));
  values[13] = std::numeric_limits<float>::infinity();
  values[32] = -std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(digest_of(rows, 2).not_finite, 2u);
  const std::vector<uint16_t> halves{0x3c00, 0x7c00, 0xfe01, 0x7bff};
  EXPECT_EQ(digest_of({"", halves.data(), 8, 1, 0, Numbers::fp16}, 1).not_finite, 2u);
  const std::vector<uint16_t> bfloats{0x3f80, 0x7f80, 0xffc0, 0x7f7f};
  EXPECT_EQ(digest_of({"", bfloats.data(), 8, 1, 0, Numbers::bf16}, 1).not_finite, 2u);
  const std::vector<double> doubles{1, std::nan(""), 3e300};
  EXPECT_EQ(digest_of({"", doubles.data(), 24, 1, 0, Numbers::fp64}, 1).not_finite, 1u);
}

TEST(GuardMirror, MakesItemsChangePlacesInEachRunAndTwiceIsNotAtAll) {
  const std::vector<float> before = numbers(3 * 12);
  std::vector<float> values = before;
  const ItemAxis axis{values.data(), 5, 8, 3, 12 * 4};  // 5 items of two floats, two of padding
  for (const int64_t about : {int64_t{0}, int64_t{3}, int64_t{4}}) {
    mirror<uint32_t>(axis, about);
    for (int64_t run = 0; run < 3; ++run)
      for (int64_t item = 0; item < 6; ++item) {
        const int64_t from = item < 5 ? mirrored(item, about, 5) : item;
        EXPECT_EQ(values[run * 12 + 2 * item], before[run * 12 + 2 * from]) << about << " " << item;
        EXPECT_EQ(values[run * 12 + 2 * item + 1], before[run * 12 + 2 * from + 1]);
      }
    mirror<uint32_t>(axis, about);
    EXPECT_EQ(values, before);
  }
  std::vector<uint16_t> halves{0, 1, 2, 3, 4, 5, 6};
  mirror<uint16_t>({halves.data(), 7, 2}, 6);
  EXPECT_EQ(halves, (std::vector<uint16_t>{6, 5, 4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace alsbench
