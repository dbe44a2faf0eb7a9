// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_ratings.h"

#include "harness/data/write_ratings.h"

namespace alsbench {

void write_peer_ratings(const Peer& peer, const RatingSet& set,
                        const std::filesystem::path& folder) {
  if (peer.ratings == Format::cumf) return write_cumf(set, folder / peer.train);
  write_ratings(set, set.by_user, peer.ratings, folder / peer.train);
  if (peer.reads_test()) write_ratings(set, set.test, peer.ratings, folder / peer.test);
}

}  // namespace alsbench
