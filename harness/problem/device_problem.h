// SPDX-License-Identifier: Apache-2.0
// DeviceProblem: a rating set on a device at one rank and lambda: what the trainer, the verifier
// and the sampler work on. In a team every member has one, and its own rows of each side.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "harness/data/csr.h"
#include "harness/data/dataset.h"
#include "harness/data/side.h"
#include "harness/device/device.h"
#include "harness/device/team.h"
#include "harness/problem/row_partition.h"
#include "harness/problem/row_range.h"
#include "harness/problem/streamed_ratings.h"
#include "kernels/shared/partials.h"

namespace alsbench {

// A float factor matrix of rows x rank with padded pitch on a device; the padding is zero.
class FactorMatrix {
 public:
  FactorMatrix() = default;
  FactorMatrix(Device& device, int64_t rows, int32_t rank);  // zeros
  FactorsView view() const { return {buffer_.data(), rows_, rank_, pitch_}; }
  void upload(const std::vector<float>& dense);  // rows x rank
  std::vector<float> download() const;           // rows x rank
  // The same, and leaves this empty. Of a device whose memory is the host's, what was read is given
  // back on the way, so it is never there twice.
  std::vector<float> take();
  int64_t bytes() const { return buffer_.bytes(); }

 private:
  // Appends so many rows to `dense`.
  void append(int64_t first, int64_t count, std::vector<float>& dense) const;
  int64_t rows_at_once() const;

  Device* device_ = nullptr;
  Buffer buffer_;
  int64_t rows_ = 0;
  int32_t rank_ = 0;
  int32_t pitch_ = 0;
};

// Theta's start: uniform in [0, 0.2), from a counter-based generator, so it is the same on every
// backend. rows x rank.
std::vector<float> initial_factors(int64_t rows, int32_t rank, uint64_t seed);

// Whether a device holds all ratings of a problem, or those of the member's own rows alone. Where
// these do not fit, it reads some of them from the host again and again.
enum class RatingsResidency { whole, as_fits };

// Throws OutOfMemoryError where a factor matrix of each side and the ratings do not fit, or the
// training ratings if all are held. Any use of a problem takes at least these; on a device that
// reads the host's memory, the factors alone.
void require_device_memory(const Device& device, const SetSize& size, int32_t rank,
                           RatingsResidency residency);

class DeviceProblem {
 public:
  // Throws as require_device_memory does, before it takes anything. A device is a member that is
  // alone.
  DeviceProblem(const Member& member, const RatingSet& set, int32_t rank, float lambda,
                RatingsResidency residency = RatingsResidency::whole);

  const Member& member() const { return member_; }
  Device& device() const { return member_.device(); }
  // The rows of a side that this member updates: all of them where it is alone.
  RowRange rows(Side side) const;
  // Where each member's rows of a side begin, and the last one's end.
  const std::vector<int64_t>& bounds(Side side) const {
    return side == Side::x ? x_bounds_ : theta_bounds_;
  }
  // The parts of sums over the rows of X that are of this member's rows.
  Partials partials() const;
  // How rows of a side would be dealt to so many.
  RowPartition row_partition(Side side, int members) const;
  const RatingSet& set() const { return *set_; }
  int32_t rank() const { return rank_; }
  float lambda() const { return lambda_; }
  // Of all rows; with indices and values of those that it holds, and none where they are streamed.
  RatingsView ratings(Side side) const { return side == Side::x ? x_side_.view : theta_side_.view; }
  RatingsView test() const { return test_.view; }
  // Whether the device holds the ratings of all rows.
  bool holds_all() const { return holds_all_; }
  // Null where the device holds what it reads. Not for two threads at a time.
  StreamedRatings* streamed() const { return streamed_.get(); }
  const Csr& host_ratings(Side side) const {
    return side == Side::x ? set_->by_user : set_->by_item;
  }
  Shape shape(Side side) const { return side == Side::x ? x_shape_ : theta_shape_; }
  int64_t bytes() const { return bytes_; }  // of device memory, without what the host has anyway
  Shape test_shape() const { return test_shape_; }
  // A side's initial_factors() on the device: made when first asked for, kept with the problem.
  // Not for two threads at a time.
  const FactorMatrix& initial(Side side, uint64_t seed) const;

 private:
  struct Uploaded {
    Buffer offsets, offsets32;
    RatingCells cells;
    RatingsView view;
  };
  // On a device that reads the host's memory the view is of the matrix itself.
  Uploaded upload(const Csr& matrix);  // without its cells
  // With those of these rows.
  Uploaded upload(const Csr& matrix, RowRange rows);
  void stream(int64_t spare);

  Member member_;
  const RatingSet* set_;
  int32_t rank_;
  float lambda_;
  Uploaded x_side_, theta_side_, test_;
  bool holds_all_ = true;
  std::unique_ptr<StreamedRatings> streamed_;
  Shape x_shape_, theta_shape_, test_shape_;
  std::vector<int64_t> x_bounds_, theta_bounds_;
  int64_t bytes_ = 0;
  mutable std::map<std::pair<Side, uint64_t>, FactorMatrix> initial_;
};

// Rows that a launch may treat when it needs `bytes_per_row` of scratch memory. They fit in `share`
// of the free memory less `spare` bytes.
int64_t batch_rows_for(const Device& device, int64_t rows, int64_t bytes_per_row,
                       double share = 0.8, int64_t spare = 0);

}  // namespace alsbench
