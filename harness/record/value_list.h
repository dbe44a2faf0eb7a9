// SPDX-License-Identifier: Apache-2.0
// ValueList: the values of a parameter as T1 files have them: a list, a single value, or a text
// that holds a list, as kernel_tuner writes it: "[1, 2]" or "['a']".
#pragma once

#include <string>
#include <vector>

#include "harness/record/fields/types.h"

namespace alsbench {

struct ValueList {
  std::vector<std::string> values;
};

// Fails at the field's place where it is none of these.
ValueList value_list_from_json(const JsonField& json);
const Type& type_for(const ValueList*);

}  // namespace alsbench
