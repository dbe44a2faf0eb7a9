// SPDX-License-Identifier: Apache-2.0
// HalfIteration: one side's pipeline, compiled and with its batch buffers, ready to run again and
// again, over the rows of its member. The trainer alternates two of these.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/problem/device_problem.h"
#include "harness/train/stage_clock.h"
#include "kernels/shared/params/als.h"
#include "variants/pipeline.h"

namespace alsbench {

class HalfIteration {
 public:
  // Arguments of a stage, made of the operands of a batch.
  using Arguments = std::function<StageParams(Stage stage, const UpdateParams& batch)>;

  // Throws ObjectionError naming the step that cannot run, OutOfMemoryError when not even one row
  // fits. Without `arguments` every stage takes the UpdateParams.
  HalfIteration(const DeviceProblem& problem, Side side, const Pipeline& pipeline,
                Arguments arguments = {});

  struct Operands {
    // Of the side to update: all, or a subsample of each row. Without indices and values those of
    // the problem, which streams them.
    RatingsView ratings;
    const FactorMatrix& factors;   // of the fixed side
    void* rounded_factors;         // the same in factors_type(); null where that is fp32
    const FactorMatrix& solution;  // of the side to update
    // Where rounds(): the same in factors_type(). Where measures(): room for that. May be null.
    void* rounded_solution;
    uint32_t* overflows;  // see UpdateParams
  };
  // Says which iteration of the training run() is part of, from 1: CG's late_steps count from
  // parameters::kEarlyIterations on.
  void begin(int iteration);
  // Enqueued; the clock has the stages' times under the side's name.
  void run(const Operands& operands, StageClock& clock);
  // The same of the member's rows, or of some if runs_parts(). Largest magnitudes in a copy go on.
  void run_rows(const Operands& operands, RowRange rows, StageClock& clock);
  bool runs_parts() const { return runs_parts_; }
  // Enqueues what comes before the first rows, as a part of the first stage.
  void prepare(StageClock& clock, const std::function<void()>& work) const;

  // Runs a few rows once, so library handles and scratch memory exist before anything is timed.
  // Leaves those rows of the solution changed.
  void warm_up(const Operands& operands);

  Side side() const { return side_; }
  Scalar factors_type() const { return factors_type_; }  // other than fp32 where a step reads it
  // Whether run() keeps a rounded copy of what it solves.
  bool rounds() const;
  // Whether it finds the largest magnitudes there, of which the scales of a copy in bytes are made.
  bool measures() const;
  // Rows of the last run whose factorisation reported an error, of all members: a collective.
  int64_t failed_rows() const;
  // Adds the solver steps of the last run, over the rows of this member, to the word; enqueued.
  void add_steps(int64_t* total) const;
  int64_t batch_rows() const { return batch_rows_; }

 private:
  struct Step {
    const Variant* variant = nullptr;
    Config config;
    std::unique_ptr<Executable> executable;
    std::unique_ptr<Executable> late;  // for late iterations; null: as for all
  };
  // Rows that have ratings, where most of a CPU's have none: systems are formed and solved of these
  // alone. The solutions of others are zero.
  struct RatedRows {
    std::vector<int64_t> rows;     // ascending
    std::vector<int64_t> offsets;  // of their ratings in the last run
    FactorMatrix solution;         // one after another
  };
  static std::optional<RatedRows> rated_rows(const DeviceProblem& problem, Side side,
                                             const Pipeline& pipeline);
  // `rows` of the operands; the first of `all` is that of the arrays of steps and status.
  UpdateParams params_for(const Step& step, const Operands& operands, RowRange rows,
                          RowRange all) const;
  void launch(const Step& step, Executable& executable, const UpdateParams& batch) const;
  void update(const Operands& operands, RowRange rows, RowRange all, StageClock& clock);
  void update_rated(const Operands& operands, StageClock& clock);
  StreamedRatings* streamed_by(const Operands& operands) const;  // null: they are all there

  const DeviceProblem* problem_;
  Side side_;
  Arguments arguments_;
  std::vector<Step> steps_;
  RowRange rows_;  // that are updated
  std::optional<RatedRows> rated_;
  Scalar factors_type_ = Scalar::fp32;
  int64_t batch_rows_ = 0;
  bool late_ = false;
  bool runs_parts_ = false;  // all members do so, or none
  Buffer matrices_, bias_, cg_steps_, status_;
};

// Counts the steps of solvers.
class StepCounter {
 public:
  explicit StepCounter(const DeviceProblem& problem);
  // Steps a row in the last runs of both sides, over the rows of all members. A collective.
  double mean(const HalfIteration& x, const HalfIteration& theta) const;

 private:
  const DeviceProblem* problem_;
  Buffer total_;
};

// The stages of an iteration, recorded once, for the device to run as a whole. Launching kernels
// one by one takes longer than running them where ratings are few.
class RecordedIterations {
 public:
  // Enqueues the stages of an iteration by a clock. The same ones in all early iterations and in
  // all late ones (HalfIteration::begin).
  using Stages = std::function<void(int iteration)>;

  // Records where the device can. Nothing in a team, whose members wait for each other, and where
  // ratings are streamed.
  RecordedIterations(const DeviceProblem& problem, StageClock& clock, const Stages& stages);
  // Enqueues an iteration. False, and nothing is done, where it was not recorded.
  bool run(int iteration);

 private:
  StageClock& clock_;
  std::unique_ptr<StageClock::Recording> early_, late_;
};

}  // namespace alsbench
