// SPDX-License-Identifier: Apache-2.0
// Arrays that the harness and numpy share: none of them is copied on its way.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench::python {

template <class T>
using Vector =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// The elements of numpy's array, which lives as long as what is returned.
template <class T>
Array<T> array_of(const Vector<T>& values) {
  auto owner = std::make_shared<const Vector<T>>(values);
  const std::span<const T> view(owner->data(), owner->size());
  return Array<T>(view, std::move(owner));
}

// numpy's view of an array, which lives as long as the view. Read-only.
template <class T>
nanobind::object numpy_of(const Array<T>& values, std::initializer_list<size_t> shape) {
  auto* const keeper = new Array<T>(values);
  nanobind::capsule owner(keeper,
                          [](void* array) noexcept { delete static_cast<Array<T>*>(array); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, const T>(values.data(), shape, owner));
}

template <class T>
nanobind::object numpy_of(const Array<T>& values) {
  return numpy_of(values, {static_cast<size_t>(values.size())});
}

template <class T>
nanobind::object numpy_of(std::vector<T> values) {
  return numpy_of(Array<T>(std::move(values)));
}

}  // namespace alsbench::python
