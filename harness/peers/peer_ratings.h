// SPDX-License-Identifier: Apache-2.0
// Ratings as files that a peer reads.
#pragma once

#include <filesystem>

#include "harness/data/csr.h"
#include "harness/peers/peer.h"

namespace alsbench {

// Into the folder that it runs in. Test ratings are written only where its command names them, or
// where its format is of a whole set. Of `implicit` feedback they are the cells above 0. Throws
// UsageError, EnvironmentError.
void write_peer_ratings(const Peer& peer, const RatingSet& set, bool implicit,
                        const std::filesystem::path& folder);

}  // namespace alsbench
