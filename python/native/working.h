// SPDX-License-Identifier: Apache-2.0
// Working: a call of Python that computes. It gives the GIL back while it lasts. A process that was
// forked after such a call has none of its threads, and would wait for them for ever; an
// interpreter that ends would end a call in the middle. Both are kept from it here.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

namespace alsbench::python {

class Working {
 public:
  // Throws UsageError in a forked process, and Python's SystemExit where the interpreter ends.
  Working();
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  std::optional<nanobind::gil_scoped_release> released_;
};

// Work of a thread that no call waits for: the interpreter's end does, while this is there.
class BackgroundWork {
 public:
  BackgroundWork();
  ~BackgroundWork();
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;
};

// Whether the interpreter waits for all work to end.
bool is_ending();
// From now on no work begins, and what is going on ends after its iteration. Returns once all of it
// is over. Called with the GIL, which it releases meanwhile.
void end_all_work();

void bind_working(nanobind::module_& module);

}  // namespace alsbench::python
