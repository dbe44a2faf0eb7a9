// SPDX-License-Identifier: Apache-2.0
#include "python/native/working.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/error.h"

namespace nb = nanobind;

namespace alsbench::python {
namespace {

std::atomic<int> calls{0};
std::atomic<bool> has_worked{false}, is_forked{false}, ends{false};

[[noreturn]] void throw_exit() {
  PyErr_SetString(PyExc_SystemExit, "the interpreter ends");
  throw nb::python_error();
}

}  // namespace

Working::Working() {
  if (is_forked)
    throw UsageError(
        "this process was forked from one that had used alsbench, whose threads a fork does not "
        "copy; start processes with multiprocessing.get_context('spawn')");
  if (ends) throw_exit();
  has_worked = true;
  ++calls;
  released_.emplace();
}

Working::~Working() {
  released_.reset();
  --calls;
}

BackgroundWork::BackgroundWork() { ++calls; }

BackgroundWork::~BackgroundWork() { --calls; }

bool is_ending() { return ends; }

void end_all_work() {
  ends = true;
  const nb::gil_scoped_release released;
  while (calls > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void bind_working(nb::module_& module) {
  pthread_atfork(nullptr, nullptr, [] {
    if (has_worked) is_forked = true;
    calls = 0;
  });
  module.def("end_all_work", end_all_work);
}

}  // namespace alsbench::python
