// SPDX-License-Identifier: Apache-2.0
// A random update problem on the host, and its reference.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/cpu/reference/reference.h"
#include "kernels/cuda/device/quantize.cuh"

namespace alsbench::emulated {

constexpr float kLambda = 0.05f;

inline float value_of_byte(Int8 byte) { return byte.bits; }
inline float value_of_byte(Fp8 byte) { return e4m3_to_float(byte.bits); }

struct Problem {
  int rank = 0, pitch = 0, rows = 0, cols = 0;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<float> values, factors, start, solution;  // factors: rows of `pitch`
  std::vector<char> stored_factors;                     // the same values; empty: as floats
  std::vector<char> rounded;                            // of the solution, in that type
  std::vector<double> scales;                           // of stored bytes
  double unit = 1;                                      // of their products
  float largest_rating = 4.5f;
  uint32_t overflows = 0;
  std::vector<int32_t> steps, status;
  std::vector<float4> workspace;

  Problem(int rank_, const std::vector<int>& lengths, int cols_)
      : rank(rank_),
        pitch((rank_ + 7) / 8 * 8),
        rows(static_cast<int>(lengths.size())),
        cols(cols_) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> uniform(0, 0.2f);
    factors.assign(static_cast<size_t>(cols) * pitch, 0.0f);
    start.assign(static_cast<size_t>(rows) * pitch, 0.0f);
    for (int row = 0; row < cols; ++row)
      for (int i = row * pitch; i < row * pitch + rank; ++i) factors[i] = uniform(generator);
    for (int row = 0; row < rows; ++row)
      for (int i = row * pitch; i < row * pitch + rank; ++i) start[i] = uniform(generator);
    for (const int length : lengths) {
      std::vector<int32_t> all(static_cast<size_t>(cols));
      std::iota(all.begin(), all.end(), 0);
      std::sample(all.begin(), all.end(), std::back_inserter(indices), length, generator);
      for (int i = 0; i < length; ++i)
        values.push_back(static_cast<float>(generator() % 9 + 1) * 0.5f);
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
    solution = start;
    steps.assign(lengths.size(), -1);
    status.assign(lengths.size(), -1);
  }

  // Makes the diagonals of A_u uneven, so a preconditioner shows.
  void spread_features() {
    for (int row = 0; row < cols; ++row)
      for (int i = 0; i < rank; ++i) factors[row * pitch + i] *= static_cast<float>(1 + i % 7) / 4;
  }

  // Makes the ratings halves up to 100, of either sign.
  void spread_ratings() {
    largest_rating = 100;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(static_cast<int>(i * 37 % 401) - 200) * 0.5f;
  }

  // Rounds the factors to elements of that type, and stores them so.
  template <typename Element>
  void store_factors_as() {
    stored_factors.resize(factors.size() * sizeof(Element));
    for (size_t i = 0; i < factors.size(); ++i) {
      const Element element = Element::of(factors[i]);
      std::memcpy(stored_factors.data() + i * sizeof(Element), &element, sizeof(Element));
      factors[i] = element.value();
    }
    rounded.assign(solution.size() * sizeof(Element), 0);
  }
  // The same with bytes, which the kernels of quantize.cuh make. With weights each row becomes one
  // for each of them.
  template <bool kWeighted = false, typename Byte = Int8>
  void store_factors_as_bytes(const Int8Weights& weights = {}) {
    const ByteFactors layout{rank};
    stored_factors.assign(static_cast<size_t>(layout.bytes(int64_t{cols} * weights.count)), 0);
    const QuantizeParams p{stored_factors.data(), factors_view(), 0, weights};
    constexpr int kThreads = 96;
    emulation::launch(2, kThreads, false, [&] { find_largest<kThreads>(p); });
    emulation::launch(3, kThreads, false, [&] { quantize_factors<kThreads, kWeighted, Byte>(p); });
    cols *= weights.count;
    factors.assign(static_cast<size_t>(cols) * pitch, 0.0f);
    const auto* kept = reinterpret_cast<const float*>(stored_factors.data());
    scales.assign(kept, kept + rank);
    unit = Byte::kUnit * Byte::kUnit;
    rounded.assign(static_cast<size_t>(layout.bytes(rows)), 0);
    for (int row = 0; row < cols; ++row) {
      const auto* bytes = reinterpret_cast<const Byte*>(stored_factors.data() + layout.rows_at() +
                                                        row * layout.row_bytes());
      for (int i = 0; i < rank; ++i)
        factors[row * pitch + i] = kept[i] * value_of_byte(bytes[layout.place(i)]);
    }
  }
  // The solution as an element of that type, and the copy of it that the update kept.
  template <typename Element>
  std::pair<float, float> rounded_pair(size_t i) const {
    Element element;
    std::memcpy(&element, rounded.data() + i * sizeof(Element), sizeof(Element));
    return {Element::of(solution[i]).value(), element.value()};
  }

  // The largest magnitude of a feature of the solution, and the one that the update kept.
  std::pair<float, float> largest_pair(int feature) const {
    float expected = 0, kept = 0;
    for (int row = 0; row < rows; ++row)
      expected = std::max(expected, std::abs(solution[row * pitch + feature]));
    std::memcpy(&kept, rounded.data() + ByteFactors{rank}.largest_at() + feature * sizeof(float),
                sizeof(kept));
    return {expected, kept};
  }

  int64_t length(int row) const { return offsets[row + 1] - offsets[row]; }
  // All rows as one batch, with `workspace_bytes` of which `cleared` are zero and the rest NaN.
  UpdateParams params(int64_t workspace_bytes, int64_t cleared) {
    const float nan = std::nanf("");
    workspace.assign(static_cast<size_t>(workspace_bytes / 16 + 1), {nan, nan, nan, nan});
    std::memset(workspace.data(), 0, static_cast<size_t>(cleared));
    UpdateParams p;
    p.ratings = {offsets.data(),
                 nullptr,
                 indices.data(),
                 values.data(),
                 rows,
                 cols,
                 offsets.back(),
                 std::bit_cast<float>(half_scale_bits(std::bit_cast<uint32_t>(largest_rating)))};
    p.factors = {factors.data(), cols, rank, pitch};
    if (!stored_factors.empty()) p.factors.data = stored_factors.data();
    p.solution = {solution.data(), rows, rank, pitch};
    p.lambda = kLambda;
    p.row_count = rows;
    p.steps = steps.data();
    p.status = status.data();
    p.workspace = workspace.data();
    p.rounded = rounded.empty() ? nullptr : rounded.data();
    p.overflows = &overflows;
    return p;
  }

  FactorsView factors_view() { return {factors.data(), cols, rank, pitch}; }
  reference::Vector matrix(const UpdateParams& p, int row) {
    return reference::normal_matrix(p.ratings, factors_view(), kLambda, row);
  }
  reference::Vector bias(const UpdateParams& p, int row) {
    return reference::right_hand_side(p.ratings, factors_view(), row);
  }
  // The largest element of a row of the solution that is off `expected`, relative to its norm.
  double solution_error(int row, const reference::Vector& expected) const {
    double worst = 0;
    for (int i = 0; i < rank; ++i)
      worst = std::max(worst, std::abs(solution[row * pitch + i] - expected[i]));
    for (int i = rank; i < pitch; ++i) worst = std::max<double>(worst, solution[row * pitch + i]);
    const double norm = reference::norm(expected);
    return norm > 0 ? worst / norm : worst;
  }
};

}  // namespace alsbench::emulated
