// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/csr_fault.h"
#include "harness/data/data_request.h"
#include "harness/data/data_warnings.h"
#include "harness/data/dataset.h"
#include "harness/data/duplicates.h"
#include "harness/data/rating_times.h"
#include "harness/data/split.h"
#include "python/native/arrays.h"
#include "python/native/module.h"
#include "python/native/working.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace alsbench::python {
namespace {

std::string text_of(const Csr& matrix, const CsrFault& fault) {
  const auto cell = [&] {
    return fmt::format("row {}, column {}", fault.row, matrix.indices[fault.entry]);
  };
  switch (fault.kind) {
    case CsrFaultKind::falling_offsets:
      return fmt::format("indptr falls from {} to {} at row {}; build the matrix again",
                         matrix.offsets[fault.row], matrix.offsets[fault.row + 1], fault.row);
    case CsrFaultKind::index_outside:
      return fmt::format("{} is outside its {} x {}; correct the indices or the shape", cell(),
                         matrix.rows, matrix.cols);
    case CsrFaultKind::unsorted:
      return fmt::format("{} stands after column {}; call sort_indices() first", cell(),
                         matrix.indices[fault.entry - 1]);
    case CsrFaultKind::twice:
      return fmt::format("{} is there twice; call sum_duplicates() first, or remove one", cell());
    case CsrFaultKind::not_finite:
      return fmt::format("{} has the value {}; remove it, or give it a finite one", cell(),
                         matrix.values[fault.entry]);
  }
  return "";
}

// function(value) of each.
template <class Function>
Array<float> mapped(const Array<float>& values, const Function& function) {
  ArrayBuilder<float> made(values.size());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < values.size(); ++i) made[i] = function(values[i]);
  return made.freeze();
}

// The arrays of scipy's CSR: checked, not copied. `name` is theirs in messages.
Csr csr_of(const std::string& name, std::pair<int64_t, int64_t> shape,
           const Vector<int64_t>& indptr, const Vector<int32_t>& indices,
           const Vector<float>& data) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("{}: {}", name, what));
  };
  Csr matrix{shape.first, shape.second, array_of(indptr), array_of(indices), array_of(data)};
  const Working working;
  if (matrix.rows < 1 || matrix.cols < 1)
    fail(fmt::format("a matrix of {} x {} has no cells; give one of at least 1 x 1", matrix.rows,
                     matrix.cols));
  if (matrix.offsets.size() != matrix.rows + 1 || matrix.offsets[0] != 0 ||
      matrix.offsets[matrix.rows] != matrix.indices.size() ||
      matrix.indices.size() != matrix.values.size())
    fail(fmt::format(
        "indptr, indices and data of {}, {} and {} elements are no matrix of {} rows; build it "
        "again",
        matrix.offsets.size(), matrix.indices.size(), matrix.values.size(), matrix.rows));
  if (const auto fault = find_fault(matrix)) fail(text_of(matrix, *fault));
  return matrix;
}

// The same cells with values that are multiplied by `factor`. `name` is the matrix's in messages.
Csr times(const Csr& matrix, const std::string& name, float factor) {
  const Working working;
  Csr product = matrix;
  product.values = mapped(matrix.values, [&](float v) { return v * factor; });
  if (const auto fault = find_fault(product))
    throw UsageError(fmt::format(
        "{}: row {}, column {}: {} times {} is beyond a float; give "
        "smaller ones",
        name, fault->row, matrix.indices[fault->entry], matrix.values[fault->entry], factor));
  return product;
}

// The same cells with values v - 1, or with `least` where that is more.
Csr less_one(const Csr& matrix, float least) {
  const Working working;
  Csr less = matrix;
  less.values = mapped(matrix.values, [&](float v) { return std::max(v - 1, least); });
  return less;
}

// The least value; infinity where there are no cells.
float least_value(const Csr& matrix) {
  const Working working;
  float least = std::numeric_limits<float>::infinity();
#pragma omp parallel for schedule(static) reduction(min : least)  // cannot throw
  for (int64_t i = 0; i < matrix.nnz(); ++i) least = std::min(least, matrix.values[i]);
  return least;
}

// The matrix of triples; users and items are rows and columns of `shape`.
Csr csr_of_cells(const Vector<int32_t>& users, const Vector<int32_t>& items,
                 const Vector<float>& values, std::pair<int64_t, int64_t> shape,
                 const std::string& duplicates) {
  const Working working;
  std::vector<Rating> ratings(values.size());
  for (size_t i = 0; i < ratings.size(); ++i)
    ratings[i] = {users.data()[i], items.data()[i], values.data()[i]};
  const auto describe = [](int64_t row, int32_t col) {
    return fmt::format("user {}, item {}: the cell has more than one rating", row, col);
  };
  return resolve_duplicates(build_csr(ratings, shape.first, shape.second),
                            duplicates_named(duplicates), describe);
}

// `times`: of each rating, or none.
std::pair<Csr, Csr> split(const Csr& matrix, const std::string& by, double share, uint64_t seed,
                          const Vector<int64_t>& times) {
  const Working working;
  std::vector<RatingTime> given(times.size());
  for (size_t i = 0; i < given.size(); ++i) given[i].seconds = times.data()[i];
  RatingSet set;
  set.by_user = matrix;
  split_set(set, {split_by_named(by), share, seed}, ages_of(given));
  return {set.by_user, set.test};
}

// Doubts about ratings whose ids are these texts, or none.
std::vector<std::string> warnings_of(const Csr& ratings, const std::vector<std::string>& users,
                                     const std::vector<std::string>& items) {
  RatingSet set;
  set.by_user = ratings;
  set.test = empty_csr(ratings.rows, ratings.cols);
  set.users = users;
  set.items = items;
  return value_warnings(set);
}

}  // namespace

void bind_ratings(nb::module_& module) {
  nb::class_<Csr>(module, "Csr")
      .def_static("of", csr_of, "name"_a, "shape"_a, "indptr"_a, "indices"_a, "data"_a)
      .def_static("of_cells", csr_of_cells, "users"_a, "items"_a, "values"_a, "shape"_a,
                  "duplicates"_a)
      .def("warnings", warnings_of, "users"_a, "items"_a, nb::call_guard<Working>())
      .def("times", times, "name"_a, "factor"_a)
      .def("less_one", less_one, "least"_a)
      .def_prop_ro("least_value", least_value)
      .def("split", split, "by"_a, "share"_a, "seed"_a, "times"_a)
      .def_prop_ro("shape", [](const Csr& matrix) { return std::pair(matrix.rows, matrix.cols); })
      .def_prop_ro("indptr", [](const Csr& matrix) { return numpy_of(matrix.offsets); })
      .def_prop_ro("indices", [](const Csr& matrix) { return numpy_of(matrix.indices); })
      .def_prop_ro("data", [](const Csr& matrix) { return numpy_of(matrix.values); });
  nb::class_<DataRequest>(module, "DataRequest")
      .def(nb::init<>())
      .def_rw("dataset", &DataRequest::dataset)
      .def_rw("scale", &DataRequest::scale)
      .def_rw("path", &DataRequest::path)
      .def_rw("format", &DataRequest::format)
      .def_rw("columns", &DataRequest::columns)
      .def_rw("values", &DataRequest::values)
      .def_rw("test_path", &DataRequest::test_path)
      .def_rw("test_fraction", &DataRequest::test_fraction)
      .def_rw("seed", &DataRequest::seed)
      .def_prop_rw(
          "split_by",
          [](const DataRequest& request) { return std::string(name_of(request.split_by)); },
          [](DataRequest& request, const std::string& name) {
            request.split_by = split_by_named(name);
          })
      .def_prop_rw(
          "duplicates",
          [](const DataRequest& request) { return std::string(name_of(request.duplicates)); },
          [](DataRequest& request, const std::string& name) {
            request.duplicates = duplicates_named(name);
          });
  nb::class_<RatingSet>(module, "RatingSet")
      .def_ro("id", &RatingSet::id)
      .def_ro("train", &RatingSet::by_user)
      .def_ro("test", &RatingSet::test)
      .def_ro("users", &RatingSet::users)
      .def_ro("items", &RatingSet::items)
      .def("warnings", data_warnings, "request"_a, nb::call_guard<Working>());
  module.def(
      "load_ratings", [](const DataRequest& request) { return cached_rating_set(request); },
      "request"_a, nb::call_guard<Working>());
}

}  // namespace alsbench::python
