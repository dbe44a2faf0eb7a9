// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/stage_fixture.h"

#include <algorithm>

namespace alsbench {

Side side_of(std::string_view part) { return side_named(part).value_or(Side::x); }

Shape shape_of_part(const DeviceProblem& problem, std::string_view part) {
  return problem.shape(side_of(part));
}

Work StageFixture::work(const WorkOptions& options) const {
  Shape shape = shape_;
  shape.rows = measured_rows();
  return stage()->work(shape, options);
}

void StageFixture::refresh(const Variant& variant, uint64_t draw, InputPart part) {
  if (part == InputPart::whole) {
    refreshed_ = !refreshed_;
    renew(refreshed_ ? std::optional(draw) : std::nullopt);
  }
  mirror(device(), operands(variant, 0).axes, draw, part);
}

std::vector<int64_t> StageFixture::batches() const {
  std::vector<int64_t> first{0};
  if (batch() > 0)
    for (int64_t row = batch(); row < measured_rows(); row += batch()) first.push_back(row);
  return first;
}

void StageFixture::launch(Executable& executable, int64_t last) {
  const std::vector<int64_t> all = batches();
  const auto place = static_cast<size_t>(std::ranges::find(all, last) - all.begin());
  for (size_t i = 1; i <= all.size(); ++i) executable.launch(params(all[(place + i) % all.size()]));
}

std::vector<double> StageFixture::kernel_seconds(Executable& executable) {
  const int64_t rows = measured_rows();
  if (batch() == 0) return executable.kernel_seconds(params(0));
  std::vector<double> sum(executable.kernels().size());
  for (int64_t first = 0; first < rows; first += batch()) {
    const std::vector<double> seconds = executable.kernel_seconds(params(first));
    for (size_t i = 0; i < seconds.size(); ++i) sum[i] += seconds[i];
  }
  return sum;
}

void StageFixture::fill_with_nan(const Buffer& buffer) {
  constexpr int kNanByte = 0xFF;
  if (buffer) device().fill(buffer.data(), kNanByte, buffer.bytes());
}

const FactorMatrix& StageFixture::initial(Side side, uint64_t seed) {
  const int64_t before = device().allocated_bytes();
  const FactorMatrix& factors = problem().initial(side, seed);
  shared_bytes_ += factors.bytes() - (device().allocated_bytes() - before);
  return factors;
}

Buffer rounded_copy(Device& device, Scalar type, const void* source, int64_t count) {
  Buffer copy = device.allocate(count * size_of(type));
  device.convert(copy.data(), type, source, count, nullptr);
  return copy;
}

}  // namespace alsbench
