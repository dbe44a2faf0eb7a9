// SPDX-License-Identifier: Apache-2.0
// Forms that people may write a value in: one or a list of several, a text or a number.
#pragma once

#include <string>
#include <vector>

#include "harness/record/fields/fields.h"
#include "harness/record/fields/types.h"

namespace alsbench {

// "x", or ["x", "theta"]: a value, or a list that is not empty.
template <class T>
struct OneOrMore {
  std::vector<T> values;
  bool empty() const { return values.empty(); }
};

// "fp16", 6 or 0.5, as the text that a parameter has.
struct TextOrNumber {
  std::string text;
  bool is_number = false;
};
const Type& type_for(const TextOrNumber*);

namespace types {

template <class T>
class OneOrMoreType : public Type {
 public:
  Json write(const void* value) const override {
    return type_of<std::vector<T>>().write(&static_cast<const OneOrMore<T>*>(value)->values);
  }
  void read(const JsonField& json, void* value) const override {
    std::vector<T>& values = static_cast<OneOrMore<T>*>(value)->values;
    if (!json.value().is_array()) {
      values = {read_as<T>(json)};
      return;
    }
    if (json.value().empty()) json.fail("must not be empty");
    type_of<std::vector<T>>().read(json, &values);
  }
  Json schema(Definitions& definitions) const override {
    Json list = type_of<std::vector<T>>().schema(definitions);
    list["minItems"] = 1;
    return {{"anyOf", Json::array({type_of<T>().schema(definitions), std::move(list)})}};
  }
};

template <class T>
struct Holder<OneOrMore<T>> {
  static constexpr bool known = true;
  using type = OneOrMoreType<T>;
};

}  // namespace types

struct ValueList {
  std::vector<std::string> values;
};

// Fails at the field's place where it is none of these.
ValueList value_list_from_json(const JsonField& json);
const Type& type_for(const ValueList*);

}  // namespace alsbench
