// SPDX-License-Identifier: Apache-2.0
// Specification of a synthetic data set (configs/datasets/*.json): its size, the distribution of
// ratings over users and items, and the values. `alsbench schema dataset` prints the schema.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

// Ratings of a user or an item as a function of its rank. Counts are of train and test together.
struct DegreeSpec {
  enum class Kind { lognormal, quantiles, uniform };
  Kind kind = Kind::uniform;
  double mu = 0;  // lognormal, of the natural logarithm
  double sigma = 1;
  double minimum = 1;
  double maximum = 0;  // 0: as many as there are of the other side
  // quantiles: (rank fraction from the most rated, count), log-linear between.
  std::vector<std::pair<double, double>> points;
};

struct ValueSpec {
  double minimum = 1;
  double maximum = 5;
  double step = 1;
  double mean = 3.5;
  double user_bias = 0;  // standard deviations
  double item_bias = 0;
  double planted = 0;  // of x . theta
  double noise = 0;
};

// Published figures of the real data set.
struct PublishedModel {
  std::string metric;
  double test_metric = 0;
  float lambda = 0.05f;
  int32_t rank = 0;
};

struct DatasetSpec {
  std::string name;
  std::string description;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t train_ratings = 0;
  int64_t test_ratings = 0;
  DegreeSpec user_degrees;
  DegreeSpec item_degrees;
  ValueSpec values;
  double empty_rows = 0;  // shares of users and items without any rating
  double empty_cols = 0;
  std::optional<PublishedModel> reference;
  std::string content_hash;  // of the JSON text
};

const Type& type_for(const DegreeSpec*);
void describe(Fields<ValueSpec>& fields);
void describe(Fields<PublishedModel>& fields);
void describe(Fields<DatasetSpec>& fields);

// A shipped specification by name, or any by the path of its JSON file. Throws UsageError.
DatasetSpec dataset_spec(const std::string& name_or_path);
// The file that dataset_spec reads; empty for a shipped specification.
std::filesystem::path spec_file(const std::string& name_or_path);
// Lambda to train with where none is given: the data set's, or 0.05.
float usual_lambda(const std::string& dataset);

// The same shape with `scale` times the ratings. Rows, cols and degrees shrink by the square root,
// which keeps the density and the form of both distributions.
DatasetSpec scaled(DatasetSpec spec, double scale);

// The expected ratings of each of `count` users or items, from the most rated to the least. They
// are real numbers that sum to `total`, none above `maximum`. Throws UsageError where no such
// numbers exist.
std::vector<double> expected_degrees(const DegreeSpec& spec, int64_t count, int64_t total,
                                     int64_t maximum);

}  // namespace alsbench
