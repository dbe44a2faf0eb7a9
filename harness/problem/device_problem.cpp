// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/device_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "harness/data/data_shape.h"
#include "harness/device/named_memory.h"
#include "harness/device/uploaded.h"
#include "harness/files/host_memory.h"

namespace alsbench {
namespace {

constexpr int64_t kMaxNarrowRatings = int64_t{1} << 31;  // ratings that 32-bit offsets are kept for

// Waking threads takes longer than copying fewer.
constexpr int64_t kFloatsOfThreads = 1 << 18;
constexpr int64_t kCellBytes = sizeof(int32_t) + sizeof(float);

int64_t offset_bytes(int64_t rows, int64_t ratings) {
  const int64_t offset = ratings < kMaxNarrowRatings ? 12 : 8;  // with the narrow one, and without
  return offset * (rows + 1);
}

int64_t uploaded_bytes(int64_t rows, int64_t ratings) {
  return offset_bytes(rows, ratings) + kCellBytes * ratings;
}

// Of the device memory that is free, what stays for scratch memory of stages when ratings are
// streamed.
constexpr int64_t kScratchPart = 8;  // an eighth
// Ratings of a block: warps wait at the end of each, and the windows of large ones leave less room
// for ratings that are kept.
constexpr int64_t kMaxBlockRatings = int64_t{1} << 26;
constexpr int64_t kBlocks = 16;  // that what there is room for makes at least

// Memory of a training in addition to ratings: two factor matrices in FP32, their copies of two
// bytes, the start of Theta, and two words a row.
int64_t training_bytes(const SetSize& size, int32_t rank) {
  const int64_t rows = size.users + size.items;
  return rows * (int64_t{6} * factor_pitch(rank) + 8) + size.items * factor_pitch(rank) * 4;
}

Buffer allocate_factors(Device& device, int64_t bytes) {
  const NamedMemory named("factors");
  return device.allocate(bytes);
}

// splitmix64 (Steele, Lea, Flood, 2014): one independent draw per counter value.
uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Of the largest magnitude: floats that are not negative are ordered as their bits are.
uint32_t largest_bits(const Array<float>& values) {
  uint32_t largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)  // cannot throw
  for (int64_t i = 0; i < values.size(); ++i)
    largest = std::max(largest, std::bit_cast<uint32_t>(values[i]) & 0x7fffffffu);
  return largest;
}

}  // namespace

void require_device_memory(const Device& device, const SetSize& size, int32_t rank,
                           RatingsResidency residency) {
  int64_t bytes = (size.users + size.items) * factor_pitch(rank) * int64_t{4};
  if (!device.reads_host_memory()) {
    bytes += offset_bytes(size.users, size.train) + offset_bytes(size.items, size.train) +
             uploaded_bytes(size.users, size.test);
    if (residency == RatingsResidency::whole) bytes += 2 * kCellBytes * size.train;
  }
  const int64_t free = device.free_bytes();
  if (bytes > free)
    throw OutOfMemoryError(
        fmt::format("out of device memory: {} x {} with {} ratings at rank {} takes at least {} "
                    "bytes, and {} are free; choose a smaller problem, --rank or --scale",
                    size.users, size.items, size.train + size.test, rank, bytes, free));
}

FactorMatrix::FactorMatrix(Device& device, int64_t rows, int32_t rank)
    : device_(&device),
      buffer_(allocate_factors(device, rows * factor_pitch(rank) * int64_t{sizeof(float)})),
      rows_(rows),
      rank_(rank),
      pitch_(factor_pitch(rank)) {
  device.fill(buffer_.data(), 0, buffer_.bytes());
}

void FactorMatrix::upload(const std::vector<float>& dense) {
  const int64_t at_once = rows_at_once();
  std::vector<float> padded(static_cast<size_t>(std::min(rows_, at_once) * pitch_), 0.0f);
  for (int64_t first = 0; first < rows_; first += at_once) {
    const int64_t count = std::min(at_once, rows_ - first);
#pragma omp parallel for schedule(static) if (count * rank_ > kFloatsOfThreads)  // cannot throw
    for (int64_t row = 0; row < count; ++row)
      std::copy_n(dense.data() + (first + row) * rank_, rank_, padded.data() + row * pitch_);
    device_->upload(buffer_.as<float>() + first * pitch_, padded.data(), count * pitch_ * 4);
  }
}

// Fresh memory for all of them takes longer to get than they to copy.
int64_t FactorMatrix::rows_at_once() const {
  constexpr int64_t kFloats = int64_t{1} << 22;
  return std::max<int64_t>(1, kFloats / pitch_);
}

void FactorMatrix::append(int64_t first, int64_t count, std::vector<float>& dense) const {
  std::vector<float> padded(static_cast<size_t>(count * pitch_));
  device_->download(padded.data(), buffer_.as<float>() + first * pitch_,
                    count * pitch_ * static_cast<int64_t>(sizeof(float)));
  for (int64_t row = 0; row < count; ++row) {
    const auto begin = padded.begin() + row * pitch_;
    dense.insert(dense.end(), begin, begin + rank_);
  }
}

std::vector<float> FactorMatrix::download() const {
  require_host_memory(rows_ * rank_ * static_cast<int64_t>(sizeof(float)));
  std::vector<float> dense;
  dense.reserve(static_cast<size_t>(rows_ * rank_));
  for (int64_t first = 0; first < rows_; first += rows_at_once())
    append(first, std::min(rows_at_once(), rows_ - first), dense);
  return dense;
}

std::vector<float> FactorMatrix::take() {
  if (!device_->reads_host_memory()) {
    std::vector<float> dense = download();
    buffer_.reset();
    return dense;
  }
  std::vector<float> dense;
  dense.reserve(static_cast<size_t>(rows_ * rank_));  // no memory before it is written to
  for (int64_t first = 0; first < rows_; first += rows_at_once()) {
    const int64_t count = std::min(rows_at_once(), rows_ - first);
    append(first, count, dense);
    device_->discard(buffer_.as<float>() + first * pitch_,
                     count * pitch_ * static_cast<int64_t>(sizeof(float)));
  }
  buffer_.reset();
  return dense;
}

std::vector<float> initial_factors(int64_t rows, int32_t rank, uint64_t seed) {
  require_host_memory(rows * rank * static_cast<int64_t>(sizeof(float)));
  std::vector<float> factors(static_cast<size_t>(rows * rank));
  const uint64_t stream = mix(seed);
#pragma omp parallel for  // cannot throw
  for (size_t i = 0; i < factors.size(); ++i)
    factors[i] = static_cast<float>(mix(stream + i) >> 40) * (0.2f / 16777216.0f);
  return factors;
}

DeviceProblem::DeviceProblem(const Member& member, const RatingSet& set, int32_t rank, float lambda,
                             RatingsResidency residency)
    : member_(member),
      set_(&set),
      rank_(rank),
      lambda_(lambda),
      x_bounds_(partition_rows(set.by_user.offsets, row_partition(Side::x, member.count()))),
      theta_bounds_(
          partition_rows(set.by_item.offsets, row_partition(Side::theta, member.count()))) {
  Device& device = member.device();
  const SetSize size = size_of(set);
  require_device_memory(device, size, rank, residency);
  const int64_t before = device.allocated_bytes(), free = device.free_bytes();
  const int64_t spare = training_bytes(size, rank) + free / kScratchPart;
  const bool own = residency == RatingsResidency::as_fits;
  const RowRange x_rows = own ? rows(Side::x) : RowRange{0, set.by_user.rows};
  const RowRange theta_rows = own ? rows(Side::theta) : RowRange{0, set.by_item.rows};
  const int64_t held = ratings_of(set.by_user, x_rows) + ratings_of(set.by_item, theta_rows);
  const bool streams = own && !device.reads_host_memory() && kCellBytes * held + spare > free;
  holds_all_ = !streams && held == 2 * size.train;
  x_side_ = streams ? upload(set.by_user) : upload(set.by_user, x_rows);
  theta_side_ = streams ? upload(set.by_item) : upload(set.by_item, theta_rows);
  test_ = upload(set.test, {0, set.test.rows});
  if (streams) stream(spare);
  bytes_ = device.allocated_bytes() - before;
  x_shape_ = shape_of(set.by_user, rank);
  theta_shape_ = shape_of(set.by_item, rank);
  test_shape_ = shape_of(set.test, rank);
  x_shape_.damping = theta_shape_.damping = damping_of(lambda, set.mean);
  x_shape_.sizes = theta_shape_.sizes = set.sizes;
  x_shape_.distinct_ratings = theta_shape_.distinct_ratings = distinct_ratings_of(set.by_user);
}

RowRange DeviceProblem::rows(Side side) const {
  const int64_t* const bound = bounds(side).data() + member_.index();
  return {bound[0], bound[1] - bound[0]};
}

// Its ranges of X begin where parts do, so no part is of two members.
Partials DeviceProblem::partials() const {
  const RowRange rows = this->rows(Side::x);
  const int64_t step = Partials::rows_of_each(set_->by_user.rows);
  if (member_.alone()) return {};
  const auto part = [&](int64_t row) { return static_cast<int32_t>((row + step - 1) / step); };
  return {part(rows.first), part(rows.end())};
}

// Solving a row takes about what 190 ratings of it do at rank 100: so say the times of both sides
// of results/nvidia-h200-x2, which have equally many ratings in unequally many rows.
RowPartition DeviceProblem::row_partition(Side side, int members) const {
  const int64_t step = side == Side::x ? Partials::rows_of_each(set_->by_user.rows) : 1;
  return {members, int64_t{2} * rank_, std::max<int64_t>(1, step)};
}

const FactorMatrix& DeviceProblem::initial(Side side, uint64_t seed) const {
  const auto [entry, added] = initial_.try_emplace({side, seed});
  if (added) {
    const int64_t rows = ratings(side).rows;
    FactorMatrix factors(device(), rows, rank_);
    factors.upload(initial_factors(rows, rank_, seed));
    entry->second = std::move(factors);
  }
  return entry->second;
}

// Two windows, and what else there is room for stays.
void DeviceProblem::stream(int64_t spare) {
  const int64_t room = std::max<int64_t>(0, device().free_bytes() - spare) / kCellBytes;
  StreamedSide x{&set_->by_user, x_side_.view, rows(Side::x),
                 Partials::rows_of_each(set_->by_user.rows)};  // parts of sums are of one block
  StreamedSide theta{&set_->by_item, theta_side_.view, rows(Side::theta)};
  const int64_t minimum =
      std::max(min_block_ratings(set_->by_user.offsets, x.rows, x.step),
               min_block_ratings(set_->by_item.offsets, theta.rows, theta.step));
  const int64_t window = std::max(std::min(room / kBlocks, kMaxBlockRatings), minimum);
  if (2 * window > room)
    throw OutOfMemoryError(fmt::format(
        "out of device memory: at rank {} {} ratings at a time need {} bytes more than are free; "
        "choose a smaller problem or --rank, or give it more memory",
        rank_, window, (2 * window - room) * kCellBytes));
  const int64_t kept = room - 2 * window;
  x.kept = theta.kept = std::max(kept / 2, kept - ratings_of(set_->by_user, x.rows));
  streamed_ = std::make_unique<StreamedRatings>(device(), x, theta, window);
}

DeviceProblem::Uploaded DeviceProblem::upload(const Csr& matrix) {
  Uploaded side;
  const bool on_host = device().reads_host_memory();
  if (!on_host) side.offsets = uploaded(device(), matrix.offsets);
  if (!on_host && matrix.nnz() < kMaxNarrowRatings) {
    const std::vector<int32_t> narrow(matrix.offsets.begin(), matrix.offsets.end());
    side.offsets32 = uploaded(device(), narrow);
  }
  side.view = {on_host ? matrix.offsets.data() : side.offsets.as<int64_t>(),
               side.offsets32.as<int32_t>(),
               nullptr,
               nullptr,
               matrix.rows,
               matrix.cols,
               matrix.nnz(),
               std::bit_cast<float>(half_scale_bits(largest_bits(matrix.values)))};
  return side;
}

DeviceProblem::Uploaded DeviceProblem::upload(const Csr& matrix, RowRange rows) {
  Uploaded side = upload(matrix);
  const int64_t first = ratings_before(matrix, rows.first);
  const int64_t end = ratings_before(matrix, rows.end());
  if (device().reads_host_memory()) {
    side.view.indices = matrix.indices.data();
    side.view.values = matrix.values.data();
    side.view.nnz = end;
    return side;
  }
  side.cells = uploaded_cells(device(), matrix, first, end);
  side.view = with_cells(side.view, side.cells, first, end);
  return side;
}

int64_t batch_rows_for(const Device& device, int64_t rows, int64_t bytes_per_row, double share,
                       int64_t spare) {
  const int64_t free = device.free_bytes();
  const auto budget =
      static_cast<int64_t>(static_cast<double>(std::max<int64_t>(0, free - spare)) * share);
  const int64_t row_bytes = std::max<int64_t>(1, bytes_per_row);
  const int64_t fit = budget / row_bytes;
  if (fit < 1 && rows > 0)
    throw OutOfMemoryError(fmt::format(
        "at least {} bytes of device memory are needed, but only {} are free; lower the rank or "
        "free memory on the device",
        spare + static_cast<int64_t>(std::ceil(static_cast<double>(row_bytes) / share)), free));
  return std::min(rows, fit);
}

}  // namespace alsbench
