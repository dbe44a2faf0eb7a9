// SPDX-License-Identifier: Apache-2.0
// How the tiled hermitian divides A_u among the threads of a block and what its shared memory
// holds. Plain constants, seen by the kernel (tiled.cuh) and by its plan
// (variants/als/hermitian/hermitian_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

struct TiledLayout {
  int rank = 0;
  int tile = 0;     // T: a thread accumulates T x T elements of A_u
  int bin = 0;      // factor rows in the shared buffer
  int threads = 0;  // of a block
  bool symmetric = true;
  int output_bytes = 4;  // of an element of A_u
  int buffers = 1;       // shared buffers of `bin` rows: 2 gathers one while it accumulates another

  // Elements that a thread reads from shared memory at once.
  ALSBENCH_HOST_DEVICE constexpr int vector() const {
    return tile % 4 == 0 ? 4 : tile % 2 == 0 ? 2 : 1;
  }
  // A_u's indices are divided into `side` sets of T. Set i holds the vectors i, i + side, i + 2
  // side, ...: threads of neighbouring sets then read neighbouring vectors, without bank conflicts.
  ALSBENCH_HOST_DEVICE constexpr int side() const { return (rank + tile - 1) / tile; }
  ALSBENCH_HOST_DEVICE constexpr int segments() const { return tile / vector(); }
  ALSBENCH_HOST_DEVICE constexpr int segment_rows() const { return side() * vector(); }
  // Pairs of sets, a thread each: with symmetry, those with column set <= row set.
  ALSBENCH_HOST_DEVICE constexpr int tiles() const {
    return symmetric ? side() * (side() + 1) / 2 : side() * side();
  }
  // Where the tiles outnumber the threads, `passes` blocks share a row of ratings.
  ALSBENCH_HOST_DEVICE constexpr int passes() const { return (tiles() + threads - 1) / threads; }
  ALSBENCH_HOST_DEVICE constexpr int tiles_per_pass() const {
    return (tiles() + passes() - 1) / passes();
  }
  // Where the threads outnumber the tiles, groups of threads share the factor rows of a bin.
  ALSBENCH_HOST_DEVICE constexpr int groups() const {
    const int fit = threads / tiles_per_pass();
    return fit < bin ? fit : bin;
  }
  // Floats from one factor row in shared memory to the next: an odd number of 16-byte vectors, so
  // threads which each write their own row do not meet in a bank.
  ALSBENCH_HOST_DEVICE constexpr int pitch() const {
    const int padded = (rank + 7) / 8 * 8;
    const int wanted = side() * tile > padded ? side() * tile : padded;
    const int vectors = (wanted + 3) / 4;
    return 4 * (vectors % 2 == 0 ? vectors + 1 : vectors);
  }
  // Tile rows that are exchanged at once when groups are summed.
  ALSBENCH_HOST_DEVICE constexpr int reduced_rows() const {
    const int rows = bin * pitch() * buffers / (groups() / 2 * tiles_per_pass() * tile + 1);
    return rows < 1 ? 1 : rows > tile ? tile : rows;
  }
  // Bytes of shared memory: the factor rows; reused for the sum over groups and for a segment of
  // A_u. The indices of two bins follow.
  ALSBENCH_HOST_DEVICE constexpr int buffer_bytes() const {
    int bytes = 4 * bin * pitch() * buffers;
    const int reduction = 4 * (groups() / 2) * tiles_per_pass() * tile * reduced_rows();
    const int segment = segment_rows() * rank * output_bytes;
    if (reduction > bytes) bytes = reduction;
    if (passes() == 1 && segment > bytes) bytes = segment;
    return (bytes + 15) / 16 * 16;
  }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return buffer_bytes() + 2 * 4 * bin; }
  // Blocks an SM should hold: bounds the registers (paper, section III: 6 blocks of 64 threads at T
  // = 10).
  ALSBENCH_HOST_DEVICE constexpr int blocks_per_multiprocessor() const {
    const int resident = tile >= 10 ? 384 : tile >= 8 ? 448 : 768;
    return resident / threads > 0 ? resident / threads : 1;
  }
};

}  // namespace alsbench
