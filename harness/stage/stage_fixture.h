// StageFixture: inputs and outputs of one stage on one side of a problem, shared by all
// configurations of the same storage. The verifier and the sampler run executables on it; inputs
// are those of a mid-training state, never zeros.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/problem/device_problem.h"

namespace alsbench {

class StageFixture {
 public:
  // `problem` must outlive the fixture. Inputs: factors random as initial_factors; for solve, the
  // A_u and b_u of those factors (made by the simplest trusted variant of the backend) and a warm
  // start near the solution.
  StageFixture(const DeviceProblem& problem, Stage stage, Side side, Scalar factors,
               Scalar matrices, uint64_t seed);
  ~StageFixture();

  Stage stage() const;
  Side side() const;
  const DeviceProblem& problem() const;
  Shape shape() const;            // with batch_rows set to what fits the device
  int64_t measured_rows() const;  // rows a sample covers: all, unless the stage's inputs do not fit
  int64_t bytes() const;          // of device memory: the stage's inputs and outputs
  Work work(const WorkOptions& options) const;  // of what a sample covers

  // Puts destroyed inputs back (A_u, b_u, the warm start), enqueued; a no-op for stages that
  // destroy nothing.
  void restore(const Variant& variant);
  // Fills outputs with NaN patterns, so that an unwritten element is seen.
  void poison();
  // Enqueues the executable over everything a sample covers (batch by batch).
  void launch(Executable& executable);
  // The same: Executable::kernel_seconds over everything a sample covers.
  std::vector<double> kernel_seconds(Executable& executable);
  // The fixed side as it is before a configuration's storage type rounds it.
  FactorsView fixed_factors() const;
  // Arguments of the batch that begins at `first_row`.
  StageParams params(int64_t first_row) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace alsbench
