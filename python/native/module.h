// SPDX-License-Identifier: Apache-2.0
// The module alsbench._native: what Python calls of the harness, in this process. A .cpp file a
// concern; alsbench/*.py makes classes and types of it. Functions release the GIL while they work.
#pragma once

#include <nanobind/nanobind.h>

namespace alsbench::python {

// Exceptions of base/error.h as Python's (alsbench/errors.py).
void bind_errors(nanobind::module_& module);
// Csr: matrices of ratings, made of arrays, files and generators.
void bind_ratings(nanobind::module_& module);
// Model: factors of users and items, and what is asked of them.
void bind_model(nanobind::module_& module);
// train(): harness/train on a matrix.
void bind_training(nanobind::module_& module);

}  // namespace alsbench::python
