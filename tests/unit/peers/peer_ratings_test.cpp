// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_ratings.h"

#include <gtest/gtest.h>

#include <vector>

#include "harness/data/raw_ratings.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

// Programs of implicit feedback take each cell that is stored for one that is liked.
TEST(PeerRatings, OfImplicitFeedbackAreTheCellsAbove0) {
  const ScratchFolder folder;
  Peer peer;
  peer.ratings = {Format::libmf, "train.txt", ""};
  RatingSet set;
  set.by_user = build_csr(std::vector<Rating>{{0, 0, 2}, {0, 1, 0}, {1, 1, -1}, {1, 2, 3}}, 2, 3);
  const auto written = [&](bool implicit) {
    write_peer_ratings(peer, set, implicit, folder.path());
    const RawRatings raw = load_raw(folder.path() / "train.txt", Format::libmf, {});
    return std::vector<float>(raw.values.begin(), raw.values.end());
  };
  EXPECT_EQ(written(false), (std::vector<float>{2, 0, -1, 3}));
  EXPECT_EQ(written(true), (std::vector<float>{2, 3}));
}

}  // namespace
}  // namespace alsbench
