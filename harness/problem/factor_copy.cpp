// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/factor_copy.h"

namespace alsbench {

FactorsView rows_of(const FactorsView& factors, RowRange rows) {
  FactorsView view = factors;
  view.data = static_cast<float*>(factors.data) + rows.first * factors.pitch;
  view.rows = rows.count;
  return view;
}

int64_t copy_row_bytes(Scalar type, const FactorsView& factors) {
  if (has_scales(type)) return ByteFactors{factors.rank}.row_bytes();
  return int64_t{factors.pitch} * size_of(type);
}

int64_t copy_rows_at(Scalar type, const FactorsView& factors) {
  return has_scales(type) ? ByteFactors{factors.rank}.rows_at() : 0;
}

int64_t factor_copy_bytes(Scalar type, const FactorsView& factors, const Int8Weights& weights) {
  const int64_t copies = has_scales(type) ? weights.count : 1;
  return copy_rows_at(type, factors) + factors.rows * copies * copy_row_bytes(type, factors);
}

void copy_factors(Device& device, FactorCopy copy, const FactorsView& source, uint32_t* overflows,
                  const Int8Weights& weights) {
  const RowRange all{0, source.rows};
  if (!has_scales(copy.type)) return round_rows(device, copy, source, all, overflows);
  clear_largest(device, copy.data, source.rank);
  find_largest(device, copy.data, source, all);
  device.quantize(copy.type, {copy.data, source, 0, weights});
}

void round_rows(Device& device, FactorCopy copy, const FactorsView& source, RowRange rows,
                uint32_t* overflows) {
  if (rows.count == 0) return;
  const FactorsView part = rows_of(source, rows);
  char* const place =
      static_cast<char*>(copy.data) + rows.first * copy_row_bytes(copy.type, source);
  device.convert(place, copy.type, part.data, part.rows * part.pitch, overflows);
}

void clear_largest(Device& device, void* copy, int32_t rank) {
  const ByteFactors layout{rank};
  device.fill(largest_of(copy, rank), 0, layout.rows_at() - layout.largest_at());
}

void find_largest(Device& device, void* copy, const FactorsView& source, RowRange rows) {
  device.find_largest(copy, rows_of(source, rows));
}

uint32_t* largest_of(void* copy, int32_t rank) {
  return reinterpret_cast<uint32_t*>(static_cast<char*>(copy) + ByteFactors{rank}.largest_at());
}

}  // namespace alsbench
