// SPDX-License-Identifier: Apache-2.0
// The checks of `alsbench doctor`: what may keep this machine from running or measuring well, each
// with its remedy.
#pragma once

#include <string>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

enum class Health { ok, warn, fail };

struct Finding {
  std::string name;
  Health health = Health::ok;
  std::string text;
  std::string remedy;  // empty when all is well
};

struct DoctorDocument {
  std::vector<Finding> findings;
};

void describe(Fields<Finding>& fields);
void describe(Fields<DoctorDocument>& fields);

std::vector<Finding> check_machine();

}  // namespace alsbench
