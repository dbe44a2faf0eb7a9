// SPDX-License-Identifier: Apache-2.0
// Interrupted: the user asked to stop.
#pragma once

#include <stdexcept>

namespace alsbench {

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace alsbench
