// SPDX-License-Identifier: Apache-2.0
// The checks of `alsbench doctor`: what may keep this machine from running or measuring well, each
// with its remedy.
#pragma once

#include <string>
#include <vector>

namespace alsbench {

enum class Health { ok, warn, fail };

struct Finding {
  std::string name;
  Health health = Health::ok;
  std::string text;
  std::string remedy;  // empty when all is well
};

std::vector<Finding> examine_machine();

}  // namespace alsbench
