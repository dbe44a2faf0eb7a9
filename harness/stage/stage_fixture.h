// SPDX-License-Identifier: Apache-2.0
// StageFixture: inputs and outputs of one stage on one side of a problem, shared by all
// configurations of the same storage. The verifier and the sampler run executables on it; inputs
// are those of a mid-training state, never zeros. Each stage has its own, which make_fixture()
// finds in the table of stage_support.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/problem/device_problem.h"
#include "harness/stage/operands.h"

namespace alsbench {

// The side that a part of an algorithm updates. A part that is none, such as an epoch, updates
// both: x.
Side side_of(std::string_view part);
// The shape that a stage works on there.
Shape shape_of_part(const DeviceProblem& problem, std::string_view part);

struct FixtureRequest {
  const DeviceProblem& problem;  // must outlive the fixture
  Stage stage = nullptr;
  std::string part = {};  // whose pipelines the stage belongs to: "x" updates the users
  Storage storage = {};   // of the stage's operands
  uint64_t seed = 0;      // of the random inputs
};

class StageFixture {
 public:
  explicit StageFixture(const FixtureRequest& request)
      : request_(request), side_(side_of(request.part)), shape_(request.problem.shape(side_)) {}
  virtual ~StageFixture() = default;
  StageFixture(const StageFixture&) = delete;
  StageFixture& operator=(const StageFixture&) = delete;

  Stage stage() const { return request_.stage; }
  Side side() const { return side_; }
  const DeviceProblem& problem() const { return request_.problem; }
  Shape shape() const { return shape_; }  // with batch_rows set to what fits the device
  // The ratings by the rows of factors that the stage gathers, those of the other side.
  const Csr& gathered_ratings() const { return problem().host_ratings(other(side_)); }
  // Rows a sample covers: all, unless the stage's inputs do not fit.
  virtual int64_t measured_rows() const { return shape_.rows; }
  // Device memory of the stage's inputs and outputs.
  int64_t bytes() const { return bytes_; }
  // Work of what a sample covers.
  virtual Work work(const WorkOptions& options) const;

  // Puts back what executions change (A_u, b_u, the warm start), enqueued.
  virtual void restore(const Variant&) {}
  // Fills outputs with NaN patterns, so an unwritten element is seen.
  virtual void poison() = 0;
  // Both, so a configuration finds its operands as the check of its stage leaves them.
  virtual void make_ready(const Variant& variant, const Config&) {
    restore(variant);
    poison();
  }
  // Arguments of the batch that begins at `first_row`.
  virtual StageParams params(int64_t first_row) const = 0;
  // Memory that a variant reads and writes in that batch.
  virtual Operands operands(const Variant& variant, int64_t first_row) const = 0;
  // Makes other inputs of the same kind, enqueued; the same call once more takes that back. Before
  // restore(), which copies some of them. `part`: of a few items alone.
  void refresh(const Variant& variant, uint64_t draw, InputPart part);

  // First rows of the batches of a sample.
  std::vector<int64_t> batches() const;
  // Enqueues the executable over everything a sample covers, batch by batch. The batch that begins
  // at `last` is the last one.
  void launch(Executable& executable, int64_t last);
  void launch(Executable& executable) { launch(executable, batches().back()); }
  // Announces what runs in place of the variant, such as a reference, and "" when it is over. A
  // crash until then is not the variant's.
  void announce(const std::string& activity) const {
    if (on_activity_) on_activity_(activity);
  }
  void on_activity(std::function<void(const std::string&)> listener) {
    on_activity_ = std::move(listener);
  }
  // The same: Executable::kernel_seconds over everything a sample covers.
  std::vector<double> kernel_seconds(Executable& executable);

 private:
  FixtureRequest request_;
  Side side_;
  std::function<void(const std::string&)> on_activity_;

 protected:
  Device& device() const { return request_.problem.device(); }
  const FixtureRequest& request() const { return request_; }
  // Rows of one launch; 0: one launch covers everything.
  virtual int64_t batch() const { return 0; }
  void fill_with_nan(const Buffer& buffer);
  // Of inputs that are arguments and not in memory: those of a draw, or the first ones.
  virtual void renew(std::optional<uint64_t>) {}
  // The problem's own initial factors of a side. They count as the fixture's, whoever asked first.
  const FactorMatrix& initial(Side side, uint64_t seed);

  Shape shape_;

 private:
  friend std::unique_ptr<StageFixture> make_fixture(const FixtureRequest&);
  int64_t shared_bytes_ = 0;  // of the initial factors that others had asked for before
  int64_t bytes_ = 0;
  bool refreshed_ = false;  // the inputs are those of a draw
};

// A copy of `count` floats on the device in another storage type.
Buffer rounded_copy(Device& device, Scalar type, const void* source, int64_t count);

}  // namespace alsbench
