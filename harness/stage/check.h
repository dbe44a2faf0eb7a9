// SPDX-License-Identifier: Apache-2.0
// Shared by the stages' checks: the rows to check, host copies of inputs and outputs, and the tally
// of errors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/data/array_builder.h"
#include "harness/stage/stage_support.h"

namespace alsbench {

// An element of an output, for messages: A(3, 4), or x(7) where j is negative.
struct Place {
  const char* name;
  int64_t i = 0;
  int64_t j = -1;
};

// One checked row (or item). Each check says what `error` is relative to.
struct RowCheck {
  double error = 0;
  double tolerance = 0;
  bool is_nan = false;
  std::string detail;  // which element, with both values; completed by Tally
  double residual = 0;
  double cg_steps = 0;
  double storage_error = 0;  // as `error`, against the reference on factors that are not rounded

  bool wrong() const { return is_nan || !(error <= tolerance); }
  // Takes an element into account: its value, the reference, and what its error is relative to.
  void element(const Place& place, double value, double expected, double scale);
  void fail(std::string why);      // wrong beyond any tolerance
  Rule rule = Rule::wrong_result;  // that it breaks if it is wrong
};

class Tally {
 public:
  // `what` names the row in the detail of a wrong one, e.g. "row 17 (3 ratings)".
  void add(const std::string& what, const RowCheck& row);
  // The same of `count` rows, of which `check` looks at several at once.
  void add_all(size_t count, const std::function<std::string(size_t)>& what,
               const std::function<void(size_t, RowCheck&)>& check);
  Verification result() const;

 private:
  Verification verification_;
  double error_sum_ = 0, cg_steps_sum_ = 0, worst_share_ = -1;
  bool any_nan_ = false, any_wrong_ = false;
};

// Rows [0, rows) of `ratings` to check, ascending.
std::vector<int64_t> rows_to_check(const Csr& ratings, int64_t rows, int32_t rank,
                                   const ReferenceCache& references);

// Checks each of those rows of the fixture's side, which the messages call "row 17".
Verification check_rows(const CheckRequest& request,
                        const std::function<RowCheck(int64_t row)>& check);

// Host views of a side's ratings.
RatingsView host_view(const Csr& matrix);

// Downloads `count` elements of float or half from `source` on, as doubles.
std::vector<double> download_values(Device& device, const void* source, int64_t begin,
                                    int64_t count, Scalar scalar);

// An array on the device of rows of `width` elements each, which lie `pitch` elements apart.
struct DeviceRows {
  const void* data = nullptr;
  Scalar type = Scalar::fp32;
  int64_t pitch = 0, width = 0;
};
// Rows `items` (ascending) of it, in one transfer where that is faster than one for each.
std::vector<std::vector<double>> download_rows(Device& device, const DeviceRows& rows,
                                               const std::vector<int64_t>& items);
// Elements `items` (ascending); zeros where there is no such array.
std::vector<int32_t> download_integers(Device& device, const int32_t* source,
                                       const std::vector<int64_t>& items);

// Factors on the host, in float whatever the device holds: the rows that ratings name. Of factors
// as bytes, those, and the scales.
class FactorReader {
 public:
  FactorReader(Device& device, const FactorsView& factors, Scalar scalar);
  // Ratings of one row with the factor rows they name, as a problem of its own (row 0).
  struct Row {
    std::vector<int32_t> indices;  // 0, 1, ...
    std::vector<float> values, factors;
    int32_t rank = 0;
    int64_t count() const { return static_cast<int64_t>(values.size()); }
  };
  Row row(const Csr& ratings, int64_t row) const;
  // Of its ratings [begin, end).
  Row part_of_row(const Csr& ratings, int64_t row, int64_t begin, int64_t end) const;
  bool allows_threads() const { return copy_.size() > 0; }       // one alone asks a device
  const std::vector<double>& scales() const { return scales_; }  // empty where there are none

 private:
  void read(int64_t index, float* target) const;

  Device* device_;
  FactorsView factors_;
  Scalar scalar_;
  int64_t rows_at_ = 0, row_bytes_ = 0;
  std::vector<double> scales_;
  // Of all rows, where they are few enough; else rows are read one by one.
  ArrayBuilder<char> copy_{0};
};

}  // namespace alsbench
