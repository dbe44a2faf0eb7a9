// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_ratings.h"

#include "harness/data/write_ratings.h"

namespace alsbench {

void write_peer_ratings(const Peer& peer, const RatingSet& set,
                        const std::filesystem::path& folder) {
  if (peer.ratings.format == Format::cumf) return write_cumf(set, folder / peer.ratings.train);
  write_ratings(set, set.by_user, peer.ratings.format, folder / peer.ratings.train);
  if (peer.reads_test())
    write_ratings(set, set.test, peer.ratings.format, folder / peer.ratings.test);
}

}  // namespace alsbench
