// SPDX-License-Identifier: Apache-2.0
// Exceptions of the whole program. One table maps them to exit codes: harness/process/exit_code.h.
#pragma once

#include <stdexcept>
#include <string>

namespace alsbench {

// The user's input (arguments, suite, data file) is wrong; the message names file, place, value and
// remedy.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The machine cannot do what was asked (no device, disk full, missing library); the message names
// the remedy.
class EnvironmentError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The baseline of a comparison is missing, damaged or of another environment; the message names the
// file and what differs.
class BaselineError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A configuration that cannot run on this shape and device; the message is the variant's objection.
class ObjectionError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The compiler refused a kernel; the message carries its log.
class CompileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Device or host memory ran out.
class OutOfMemoryError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A launch was refused (too many resources asked for); the context survives it.
class LaunchRefusedError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A computation left the finite numbers; the message names where it was first seen.
class NonFiniteError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace alsbench
