// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/quantize.h"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

constexpr int kMaxRank = CarriedScales::kMaxRank;

// As bits, so a NaN is larger than any number.
void raise(uint32_t& largest, float value) {
  largest = std::max(largest, std::bit_cast<uint32_t>(value) & 0x7fffffffu);
}

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

uint32_t* largest_in(void* copy, int32_t rank) {
  return reinterpret_cast<uint32_t*>(static_cast<char*>(copy) + ByteFactors{rank}.largest_at());
}

// The members' largest magnitudes become those of the copy.
void join_largest(const QuantizeParams& params) {
  if (params.shared == nullptr) return;
  uint32_t* const largest = largest_in(params.target, params.source.rank);
  for (int32_t i = 0; i < params.source.rank; ++i) {
    largest[i] = 0;
    for (int32_t member = 0; member < params.members; ++member)
      largest[i] = std::max(largest[i], params.shared->of[member][i]);
  }
}

bool carried_scales_suit(const QuantizeParams& params) {
  const uint32_t* const largest = largest_in(params.target, params.source.rank);
  for (int32_t i = 0; i < params.source.rank; ++i)
    if (!CarriedScales::suits(params.carried->largest[i], std::bit_cast<float>(largest[i])))
      return false;
  return true;
}

}  // namespace

void find_largest(const QuantizeParams& params, int threads) {
  const FactorsView& source = params.source;
  uint32_t* const largest = largest_in(params.target, source.rank);
#pragma omp parallel num_threads(threads)  // cannot throw
  {
    std::array<uint32_t, kMaxRank> own{};
#pragma omp for schedule(static)
    for (int64_t row = 0; row < source.rows; ++row)
      for (int32_t i = 0; i < source.rank; ++i) raise(own[i], row_of(source, row)[i]);
#pragma omp critical
    for (int32_t i = 0; i < source.rank; ++i) largest[i] = std::max(largest[i], own[i]);
  }
}

void quantize_factors(const QuantizeParams& params, int threads) {
  const FactorsView& source = params.source;
  const ByteFactors layout{source.rank};
  auto* const copy = static_cast<char*>(params.target);
  join_largest(params);
  const bool asks = params.scales == ByteScales::suitable || params.scales == ByteScales::renewed;
  const bool carried =
      params.scales == ByteScales::carried || (asks && carried_scales_suit(params));
  if (carried && params.scales == ByteScales::renewed) return;
  const uint32_t* const largest = largest_in(params.target, source.rank);
  auto* const scales = reinterpret_cast<float*>(copy);
  std::array<float, kMaxRank> inverses{};
  std::fill_n(scales, layout.scales(), 0.0f);
  for (int32_t i = 0; i < source.rank; ++i) {
    const float maximum = carried ? params.carried->largest[i]
                                  : std::bit_cast<float>(largest[i]) * params.weights.largest();
    if (maximum > 0) inverses[i] = Int8::kLargest / maximum;
    scales[i] = maximum / Int8::kLargest;
  }
  scales[layout.columns() - 2] = Int8::kRatingHigh;
  scales[layout.columns() - 1] = Int8::kRatingLow;
  const int64_t row_bytes = layout.row_bytes();
  const int32_t count = params.weights.count;
  auto* const rows =
      reinterpret_cast<int8_t*>(copy + layout.rows_at()) + params.first_row * count * row_bytes;
#pragma omp parallel for schedule(static) num_threads(threads)  // cannot throw
  for (int64_t row = 0; row < source.rows; ++row)
    for (int32_t i = 0; i < count; ++i) {
      int8_t* const bytes = rows + (row * count + i) * row_bytes;
      simd().to_bytes(row_of(source, row), params.weights.values[i], inverses.data(), source.rank,
                      bytes);
      const int64_t used = (int64_t{source.rank} + 15) / 16 * 16;
      std::fill(bytes + used, bytes + row_bytes, int8_t{0});
      for (int32_t other = 0; other < params.elsewhere.count; ++other)
        std::copy_n(bytes, row_bytes,
                    static_cast<int8_t*>(params.elsewhere.copies[other]) +
                        std::distance(static_cast<int8_t*>(params.target), bytes));
    }
}

void carry_scales(const CarryScalesParams& params) {
  uint32_t* const largest = largest_in(params.copy, params.rank);
  for (int32_t i = 0; i < params.rank; ++i) {
    params.carried->largest[i] = CarriedScales::kHeadroom * std::bit_cast<float>(largest[i]);
    largest[i] = 0;
  }
}

void share_largest(const ShareLargestParams& params) {
  const auto* const largest = reinterpret_cast<const uint32_t*>(
      static_cast<const char*>(params.copy) + ByteFactors{params.rank}.largest_at());
  for (int32_t device = 0; device < params.devices; ++device)
    std::copy_n(largest, params.rank, params.everywhere[device]->of[params.member]);
}

}  // namespace alsbench
