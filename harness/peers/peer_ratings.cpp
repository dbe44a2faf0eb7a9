// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_ratings.h"

#include <utility>
#include <vector>

#include "harness/data/write_ratings.h"

namespace alsbench {
namespace {

// The cells above 0. Implicit ALS takes others for cells without a rating, but programs take every
// cell that is stored for one that is liked.
Csr liked_cells(const Csr& ratings) {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<float> values;
  for (int64_t row = 0; row < ratings.rows; ++row) {
    for (int64_t i = ratings.offsets[row]; i < ratings.offsets[row + 1]; ++i) {
      if (!(ratings.values[i] > 0)) continue;
      indices.push_back(ratings.indices[i]);
      values.push_back(ratings.values[i]);
    }
    offsets.push_back(static_cast<int64_t>(indices.size()));
  }
  return {ratings.rows, ratings.cols, Array<int64_t>(std::move(offsets)),
          Array<int32_t>(std::move(indices)), Array<float>(std::move(values))};
}

}  // namespace

void write_peer_ratings(const Peer& peer, const RatingSet& set, bool implicit,
                        const std::filesystem::path& folder) {
  if (peer.ratings.format == Format::cumf) return write_cumf(set, folder / peer.ratings.train);
  const auto write = [&](const Csr& ratings, const std::string& name) {
    write_ratings(set, implicit ? liked_cells(ratings) : ratings, peer.ratings.format,
                  folder / name);
  };
  write(set.by_user, peer.ratings.train);
  if (peer.reads_test()) write(set.test, peer.ratings.test);
}

}  // namespace alsbench
