// SPDX-License-Identifier: Apache-2.0
// Time of an update for a rating and a row: the form of the rates that were measured (rates.h).
#pragma once

#include <span>

namespace alsbench::rules {

// Of a rank, in picoseconds on the whole device that was measured: with s steps of CG, that is with
// s + 1 products of A_u with a vector, an update takes
//   launches + (s + 1) product + ratings (rating + (s + 1) rating_product)
//   + rows (row + (s + 1) row_product) + (s + 1) longest_row serial + longest_piece piece.
struct Rate {
  int rank = 0;
  double rating = 0, rating_product = 0;
  double row = 0, row_product = 0;
};
// Where rows are cut into pieces and a warp works through a piece: of a rating, in picoseconds.
struct PieceRate {
  double rating = 0, per_rank = 0;  // rating + rank per_rank
};
struct Rates {
  std::span<const Rate> by_rank;
  double launches = 0;  // seconds
  double serial = 0;    // where a row has one block
  PieceRate piece = {};
  double product = 0;  // seconds, of a warp that waits for nothing else
};

}  // namespace alsbench::rules
