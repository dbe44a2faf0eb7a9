// SPDX-License-Identifier: Apache-2.0
// SearchSpace: the points a tuning may choose from. They are the valid configurations of one
// variant for a shape and a device, or of several variants of one stage. The variant is a dimension
// then. A space is built from the catalog or from a recording. Strategies see only coordinates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/fields/fields.h"
#include "harness/record/journal.h"
#include "harness/sweep/suite/axis.h"
#include "variants/core/expression.h"
#include "variants/core/variant.h"

namespace alsbench {

// The space to search, before shape and device are known.
struct SpaceRequest {
  std::vector<const Variant*> variants;  // of one stage and backend, in declared order
  std::vector<Axis> axes;                // restrict a parameter's values, or extend an open one's
  // Parameters that take their values together: the i-th of each with the i-th of the others.
  std::vector<std::vector<std::string>> tied;
  std::vector<Condition> conditions;  // each must hold where a variant has its parameters
};

// Throws UsageError that lists all axes, values, ties and conditions that fit no variant of the
// request. Also throws where the request has too many points.
void check_request(const SpaceRequest& request);

// Names in a tie or a condition that no variant of the list has, as text, or nothing. axis_problem
// says the same of an axis.
std::optional<std::string> tie_problem(const std::vector<const Variant*>& variants,
                                       const std::vector<std::string>& names);
std::optional<std::string> condition_problem(const std::vector<const Variant*>& variants,
                                             const Condition& condition);

// A dimension in which points differ; a parameter with one value is none.
struct Dimension {
  std::string name;  // a parameter, or "variant"
  std::vector<std::string> values;
  bool ordered = false;  // all values are numbers: neighbours are alike
};

// A point as documents have it.
struct PointRecord {
  std::string variant;  // empty: of a recording of another program
  Config config;
  std::string text() const;  // that of the point
};

struct SearchPoint {
  const Variant* variant = nullptr;  // null where a recording's variant is not in this build
  std::string variant_name;
  Config config;
  // A value's index in each dimension; -1 where the variant has no such parameter.
  std::vector<int32_t> coordinates;
  std::string text() const;  // "tiled:gather=strided,l1=on", the identity within a space
  PointRecord record() const { return {variant_name, config}; }
};

// Of a space, what documents hold: all but the points.
struct SpaceSummary {
  struct Values {
    std::string name;
    std::vector<std::string> values;
  };
  struct Pruned {
    std::string objection;
    int64_t points = 0;
  };
  std::vector<Values> dimensions;
  int64_t total = 0;  // as SearchSpace
  int64_t valid = 0;
  std::vector<Pruned> pruned;  // as SearchSpace
  PointRecord default_point;
};
void describe(Fields<PointRecord>& fields);
void describe(Fields<SpaceSummary::Values>& fields);
void describe(Fields<SpaceSummary::Pruned>& fields);
void describe(Fields<SpaceSummary>& fields);

class SearchSpace {
 public:
  SearchSpace() = default;
  // Throws as check_request does, and UsageError where no point is valid (with the commonest
  // objections).
  SearchSpace(const SpaceRequest& request, const Shape& shape, const DeviceTraits& traits);
  // Of known points, all valid, such as a recording's; `fallback` is the text of the default.
  SearchSpace(std::vector<SearchPoint> points, const std::string& fallback);

  const std::vector<SearchPoint>& points() const { return points_; }  // in declared order
  size_t size() const { return points_.size(); }
  const SearchPoint& operator[](size_t index) const { return points_[index]; }
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  // The default of the backend's default variant, or of the first variant. A parameter whose axis
  // leaves out its default has the first value allowed. Where that point objects, the first valid
  // one.
  size_t default_point() const { return default_point_; }
  // Prior estimate of a point: the logarithm of the bytes that the stage expects to move, weighed
  // by memory level. 0 where expect() was not called.
  double expected(size_t index) const { return expected_.empty() ? 0 : expected_[index]; }
  void expect(const Shape& shape);
  // The index of a point's text, or size().
  size_t find(const std::string& text) const;
  // The index of a point; throws UsageError where the space has it not.
  size_t index_of(const PointRecord& point) const;

  int64_t total() const { return total_; }  // points before objections
  // Objections with the number of points that each removed, the commonest first. Numbers in their
  // texts are written N, so objections which differ in numbers alone count as one.
  const std::vector<std::pair<std::string, int64_t>>& pruned() const { return pruned_; }

  SpaceSummary summary() const;

 private:
  void index_points(const std::string& fallback);

  std::vector<SearchPoint> points_;
  std::vector<Dimension> dimensions_;
  std::vector<double> expected_;  // of each point; or empty
  std::map<std::string, size_t> index_;
  size_t default_point_ = 0;
  int64_t total_ = 0;
  std::vector<std::pair<std::string, int64_t>> pruned_;
};

}  // namespace alsbench
