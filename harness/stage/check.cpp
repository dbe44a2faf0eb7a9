// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "kernels/cpu/element.h"
#include "kernels/cpu/first_error.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench {
namespace {

float element(const char* source, size_t i, Scalar scalar) {
  switch (scalar) {
    case Scalar::fp16:
      return half_to_float(reinterpret_cast<const uint16_t*>(source)[i]);
    case Scalar::bf16:
      return bfloat_to_float(reinterpret_cast<const uint16_t*>(source)[i]);
    case Scalar::int8:
      return static_cast<float>(reinterpret_cast<const int8_t*>(source)[i]);
    case Scalar::fp8:
      return e4m3_to_float(reinterpret_cast<const uint8_t*>(source)[i]);
    default:
      break;
  }
  return reinterpret_cast<const float*>(source)[i];
}

}  // namespace

void RowCheck::element(const Place& place, double value, double expected, double scale) {
  const double difference = std::abs(value - expected);
  double relative = 0;
  if (difference != 0) relative = difference / scale;  // infinite where nothing may be added
  // Of an expected value that is no number, which nothing agrees with.
  if (std::isnan(relative)) relative = std::numeric_limits<double>::infinity();
  const bool nan = !std::isfinite(value);
  if (is_nan || (!nan && relative <= error)) return;
  is_nan = nan;
  error = nan ? std::numeric_limits<double>::infinity() : relative;
  const std::string index =
      place.j < 0 ? fmt::to_string(place.i) : fmt::format("{}, {}", place.i, place.j);
  detail = fmt::format("{}({}) is {:.9g} instead of {:.9g}", place.name, index, value, expected);
}

void RowCheck::fail(std::string why) {
  error = std::numeric_limits<double>::infinity();
  detail = std::move(why);
}

void Tally::add(const std::string& what, const RowCheck& row) {
  Verification& v = verification_;
  ++v.rows_checked;
  if (row.wrong() && !any_wrong_)
    v.detail = fmt::format("{}: {} (error {:.3g}, tolerance {:.3g})", what, row.detail, row.error,
                           row.tolerance);
  if (row.wrong() && !any_wrong_) v.rule = row.is_nan ? Rule::not_finite : row.rule;
  any_wrong_ = any_wrong_ || row.wrong();
  any_nan_ = any_nan_ || row.is_nan;
  error_sum_ += row.error;
  cg_steps_sum_ += row.cg_steps;
  v.storage_error = std::max(v.storage_error, row.storage_error);
  v.max_residual = std::max(v.max_residual, row.residual);
  const double share = row.tolerance > 0 ? row.error / row.tolerance : row.error;
  if (share <= worst_share_) return;
  worst_share_ = share;
  v.max_error = row.error;
  v.tolerance = row.tolerance;
}

void Tally::add_all(size_t count, const std::function<std::string(size_t)>& what,
                    const std::function<void(size_t, RowCheck&)>& check) {
  std::vector<RowCheck> rows(count);
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < count; ++i) error.run([&] { check(i, rows[i]); });
  error.rethrow();
  for (size_t i = 0; i < count; ++i) add(what(i), rows[i]);
}

Verification Tally::result() const {
  Verification v = verification_;
  if (v.rows_checked == 0) {
    v.detail = "there is nothing to check: no rows";
    return v;
  }
  const auto count = static_cast<double>(v.rows_checked);
  v.outcome = any_nan_ ? Outcome::nan : any_wrong_ ? Outcome::wrong : Outcome::ok;
  v.mean_error = error_sum_ / count;
  v.mean_solver_steps = cg_steps_sum_ / count;
  return v;
}

std::vector<int64_t> rows_to_check(const Csr& ratings, int64_t rows, int32_t rank,
                                   const ReferenceCache& references) {
  constexpr double kSmallProblem = 3e8;  // multiply-adds of the reference, about 0.2 s
  std::vector<int64_t> all(static_cast<size_t>(rows));
  std::iota(all.begin(), all.end(), int64_t{0});
  const double work = static_cast<double>(ratings.nnz() + rows * rank) * rank * rank / 2;
  constexpr int64_t kFewRows = 20000;
  const int64_t sampled_rows = references.sampled();
  if (references.draw()) {
    std::vector<int64_t> drawn;
    std::mt19937_64 generator(*references.draw());
    std::sample(all.begin(), all.end(), std::back_inserter(drawn), sampled_rows, generator);
    return drawn;
  }
  if (rows <= sampled_rows || (rows <= kFewRows && work <= kSmallProblem)) return all;

  const auto length = [&](int64_t row) { return ratings.offsets[row + 1] - ratings.offsets[row]; };
  std::vector<int64_t> chosen;
  int64_t longest = 0, shortest = -1, empty = 0;
  constexpr int64_t kEmptyRows = 4;
  for (const int64_t row : all) {
    if (length(row) > length(longest)) longest = row;
    if (length(row) == 0 && empty++ < kEmptyRows) chosen.push_back(row);
    if (length(row) > 0 && (shortest < 0 || length(row) < length(shortest))) shortest = row;
  }
  chosen.insert(chosen.end(), {longest, std::max<int64_t>(shortest, 0), rows - 1});
  std::mt19937_64 generator(1);
  std::sample(all.begin(), all.end(), std::back_inserter(chosen), sampled_rows, generator);
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

Verification check_rows(const CheckRequest& request,
                        const std::function<RowCheck(int64_t row)>& check) {
  const DeviceProblem& problem = request.fixture.problem();
  const Csr& ratings = problem.host_ratings(request.fixture.side());
  Tally tally;
  for (const int64_t row : rows_to_check(ratings, ratings.rows, problem.rank(), request.references))
    tally.add(fmt::format("row {}", row), check(row));
  return tally.result();
}

RatingsView host_view(const Csr& matrix) {
  return {matrix.offsets.data(), nullptr,     matrix.indices.data(), matrix.values.data(),
          matrix.rows,           matrix.cols, matrix.nnz()};
}

std::vector<double> download_values(Device& device, const void* source, int64_t begin,
                                    int64_t count, Scalar scalar) {
  std::vector<char> raw(static_cast<size_t>(count * size_of(scalar)));
  device.download(raw.data(), static_cast<const char*>(source) + begin * size_of(scalar),
                  static_cast<int64_t>(raw.size()));
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = element(raw.data(), i, scalar);
  return values;
}

namespace {

// Items of `item_bytes` each, which lie `pitch_bytes` apart, one after the other.
std::vector<char> download_items(Device& device, const void* source, int64_t item_bytes,
                                 int64_t pitch_bytes, const std::vector<int64_t>& items) {
  std::vector<char> found(items.size() * static_cast<size_t>(item_bytes));
  if (items.empty()) return found;
  constexpr int64_t kTransferStartBytes = 40000;  // pass while a transfer starts
  const auto count = static_cast<int64_t>(items.size());
  const int64_t span = (items.back() - items.front()) * pitch_bytes + item_bytes;
  const bool at_once = span <= count * (item_bytes + kTransferStartBytes);
  const auto* first = static_cast<const char*>(source) + items.front() * pitch_bytes;
  std::vector<char> all(static_cast<size_t>(at_once ? span : 0));
  if (at_once) device.download(all.data(), first, span);
  for (int64_t i = 0; i < count; ++i) {
    char* target = found.data() + i * item_bytes;
    const int64_t at = (items[i] - items.front()) * pitch_bytes;
    if (at_once)
      std::copy_n(all.data() + at, item_bytes, target);
    else
      device.download(target, first + at, item_bytes);
  }
  return found;
}

}  // namespace

std::vector<std::vector<double>> download_rows(Device& device, const DeviceRows& rows,
                                               const std::vector<int64_t>& items) {
  const int64_t element_bytes = size_of(rows.type);
  const std::vector<char> raw = download_items(device, rows.data, rows.width * element_bytes,
                                               rows.pitch * element_bytes, items);
  const auto width = static_cast<size_t>(rows.width);
  std::vector<std::vector<double>> values(items.size(), std::vector<double>(width));
#pragma omp parallel for schedule(static)  // cannot throw
  for (size_t i = 0; i < items.size(); ++i)
    for (size_t j = 0; j < width; ++j) values[i][j] = element(raw.data(), i * width + j, rows.type);
  return values;
}

std::vector<int32_t> download_integers(Device& device, const int32_t* source,
                                       const std::vector<int64_t>& items) {
  std::vector<int32_t> values(items.size());
  if (source == nullptr) return values;
  const std::vector<char> raw = download_items(device, source, 4, 4, items);
  std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

FactorReader::FactorReader(Device& device, const FactorsView& factors, Scalar scalar)
    : device_(&device),
      factors_(factors),
      scalar_(scalar),
      row_bytes_(factors.pitch * size_of(scalar)) {
  if (has_scales(scalar)) {
    const ByteFactors layout{factors.rank};
    rows_at_ = layout.rows_at();
    row_bytes_ = layout.row_bytes();
    scales_ = download_values(device, factors.data, 0, factors.rank, Scalar::fp32);
  }
  constexpr int64_t kMaxBytes = int64_t{2} << 30;
  const int64_t bytes = factors.rows * row_bytes_;
  if (bytes > kMaxBytes) return;
  copy_ = ArrayBuilder<char>(bytes);
  if (bytes > 0)
    device.download(copy_.data(), static_cast<const char*>(factors.data) + rows_at_, bytes);
}

void FactorReader::read(int64_t index, float* target) const {
  const bool copied = copy_.size() > 0;
  std::vector<char> row(copied ? 0 : static_cast<size_t>(row_bytes_));
  const char* source = copied ? &copy_[index * row_bytes_] : row.data();
  if (!copied) {
    const char* rows = static_cast<const char*>(factors_.data) + rows_at_;
    device_->download(row.data(), rows + index * row_bytes_, row_bytes_);
  }
  const ByteFactors layout{factors_.rank};
  for (int32_t i = 0; i < factors_.rank; ++i)
    target[i] =
        element(source, static_cast<size_t>(has_scales(scalar_) ? layout.place(i) : i), scalar_);
}

FactorReader::Row FactorReader::row(const Csr& ratings, int64_t row) const {
  return part_of_row(ratings, row, 0, ratings.offsets[row + 1] - ratings.offsets[row]);
}

FactorReader::Row FactorReader::part_of_row(const Csr& ratings, int64_t row, int64_t begin,
                                            int64_t end) const {
  const int64_t first = ratings.offsets[row] + begin, count = end - begin;
  Row result;
  result.rank = factors_.rank;
  result.indices.resize(static_cast<size_t>(count));
  std::iota(result.indices.begin(), result.indices.end(), 0);
  result.values.assign(ratings.values.data() + first, ratings.values.data() + first + count);
  result.factors.resize(static_cast<size_t>(count * factors_.rank));
  FirstError error;
#pragma omp parallel for schedule(static) if (allows_threads())
  for (int64_t k = 0; k < count; ++k)
    error.run([&] { read(ratings.indices[first + k], result.factors.data() + k * factors_.rank); });
  error.rethrow();
  return result;
}

}  // namespace alsbench
