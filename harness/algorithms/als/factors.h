// SPDX-License-Identifier: Apache-2.0
// Factors: the two factor matrices of a training, with the rounded copies that pipelines read. In a
// team each member updates its own rows; of those of the others it has what was exchanged last.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/algorithms/als/half_iteration.h"
#include "harness/train/algorithm.h"
#include "harness/train/training.h"

namespace alsbench {

// Of a copy in bytes: those of the solutions themselves, or those of the solutions before them
// where they suit (CarriedScales). With the latter rows become bytes while the update goes on.
enum class CopyScales { own, carried };

class Factors {
 public:
  // X = 0 and Theta = `initial_theta`, which must outlive it. `weights`: of copies in bytes.
  Factors(const DeviceProblem& problem, const FactorMatrix& initial_theta,
          const Int8Weights& weights = {});
  // To how it began.
  void reset();

  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  FactorMatrix& of(Side side) { return side == Side::x ? x_ : theta_; }
  // Operands of an update of `side`.
  HalfIteration::Operands operands(Side side);

  // Makes a side's copy of a type other than fp32 of all rows, enqueued; with a clock, as its stage
  // "convert".
  void round(Side side, Scalar type);
  void convert(Side side, Scalar type, StageClock& clock);
  // Brings the other members' rows of a side here, in fp32 or in the copy of a type. A collective,
  // enqueued. With a clock it is its stage "exchange".
  void exchange(Side side, Scalar type);  // at once
  void exchange(Side side, Scalar type, StageClock& clock);
  // Bytes of all rows that the exchange after a half-iteration brings, in a team of so many. Of
  // bytes whose scales are carried over, those that are not sent while the update goes on.
  int64_t exchanged_bytes(const HalfIteration& half, Scalar type, int members) const;
  // How the pipeline of the other side will read what an update solves.
  struct Reading {
    Scalar type = Scalar::fp32;  // fp32 where a copy of another type would be made in vain
    CopyScales scales = CopyScales::own;
  };
  // Runs a half-iteration and exchanges what the other side reads. Carried scales are those of the
  // update before, which must have had the same reading type.
  void update(HalfIteration& half, HalfIteration::Operands operands, Reading reading,
              StageClock& clock);

  // Collectives. Factors that became infinite in a copy.
  int64_t overflows() const;
  // Throws NonFiniteError, which names the first element that is not finite, and `remedy`. Returns
  // where all are finite.
  void throw_non_finite(int iteration, std::string_view remedy);
  // Of the first member; empty of others.
  std::vector<ModelMatrix> model();
  std::vector<ModelMatrix> last_model();  // takes the matrices
  // Of a side's copy in bytes, whose last update had such scales: the largest magnitudes that they
  // hold. Empty of other types.
  std::vector<float> magnitudes(Side side, Scalar type, CopyScales scales) const;
  // Sets what model() gave.
  void restore(const std::vector<ModelMatrix>& model);
  void restore_overflows(int64_t overflows);  // once copies are made again, which counts theirs
  // Makes a side's copy again, with the scales of such magnitudes where there are any.
  void restore_copy(Side side, Scalar type, const std::vector<float>& magnitudes);

 private:
  // A side's factors in another type.
  struct Copy {
    Buffer data;
    Buffer carried;  // a CarriedScales, of bytes without weights
    // Likewise, where the devices of a team write into each other's memory: what the members found
    // to be largest, here and everywhere, and the others' copies.
    Buffer largest;
    ShareLargestParams shared;
    CopiesElsewhere elsewhere;
  };
  struct StoredBytes {
    ByteScales scales;
    bool everywhere = false;  // in the others' copies, too
  };
  // Matrices with what `values` reads of each side.
  std::vector<ModelMatrix> model_of(std::vector<float> (*values)(FactorMatrix&));
  void make_copy(Side side, Scalar type);
  CarryScalesParams carrying(const Copy& copy) const;
  // The largest magnitudes in a copy become those of all members, at the latest when bytes are
  // stored everywhere.
  void raise_largest(Side side, StageClock& clock);
  void store_bytes(Side side, Scalar type, RowRange rows, StoredBytes how);
  // Makes this member's rows of a copy and brings those of the others here. Of bytes the largest
  // magnitudes of this member's rows are known.
  void share_own(Side side, Scalar type, StageClock& clock);
  void share_bytes(Side side, Scalar type, ByteScales scales, StageClock& clock);
  void update_with_carried(HalfIteration& half, const HalfIteration::Operands& operands,
                           Scalar type, StageClock& clock);
  int parts_for(const HalfIteration& half, Scalar type, int members) const;
  void send(Side side, Scalar type, int part, int parts);
  Copy& copy_of(Side side) { return side == Side::x ? x_copy_ : theta_copy_; }
  const Copy& copy_of(Side side) const { return side == Side::x ? x_copy_ : theta_copy_; }

  const DeviceProblem* problem_;
  Device* device_;
  FactorMatrix x_, theta_;
  const FactorMatrix* initial_theta_;
  Int8Weights weights_;
  Copy x_copy_, theta_copy_;
  Buffer overflows_;
};

// Bytes of the initial Theta where the problem had it before; makes it.
int64_t initial_bytes_reused(const DeviceProblem& problem, uint64_t seed);

// The parts of a model of two factor matrices are its sides.
inline const std::vector<std::string> kSideNames{"x", "theta"};
Side side_of(const std::string& part);
Shape part_shape(const DeviceProblem& problem, const std::string& part);
Shape part_shape_of_set(const RatingSet& set, int32_t rank, const std::string& part);
// The largest share of an iteration of both sides that falls to one of so many members.
double largest_share_of_sides(const DeviceProblem& problem, int members);
// Of a part in an iteration. The conversion of factors to another type counts for the side that
// reads them.
double part_seconds(const IterationRecord& record, const std::string& part);

}  // namespace alsbench
