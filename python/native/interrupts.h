// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while the harness works: Python sees signals only when it is asked.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

#include "python/native/working.h"

namespace alsbench::python {

// Throws what a signal's handler raised, KeyboardInterrupt, or SystemExit where the interpreter
// ends. Called without the GIL.
inline void throw_interrupts() {
  const nanobind::gil_scoped_acquire acquired;
  if (is_ending()) {
    PyErr_SetString(PyExc_SystemExit, "the interpreter ends");
    throw nanobind::python_error();
  }
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// The same now and then, in step `number` of many short ones.
inline void throw_interrupts(size_t number) {
  if (number % 1024 == 0) throw_interrupts();
}

}  // namespace alsbench::python
