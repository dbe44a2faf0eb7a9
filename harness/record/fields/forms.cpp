// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

TextOrNumber text_or_number(const JsonField& json) {
  if (json.value().is_number()) return {json.value().dump(), true};
  if (json.value().is_boolean()) json.fail("is a boolean; write 1 for true and 0 for false");
  if (!json.value().is_string()) json.fail("is neither a text nor a number");
  return {json.text(), false};
}

}  // namespace

const Type& type_for(const TextOrNumber*) {
  static const types::FormedType<TextOrNumber> type(
      [](const TextOrNumber& value) { return Json(value.text); }, text_or_number,
      [](Definitions&) {
        return Json{{"type", {"string", "number"}}};
      });
  return type;
}

namespace {

Json list_in(const JsonField& json) {
  std::string text = json.text();
  std::replace(text.begin(), text.end(), '\'', '"');
  try {
    Json list = parse_json(text, "its text");
    if (list.is_array()) return list;
  } catch (const UsageError&) {  // is no list either
  }
  if (text.find("True") != std::string::npos || text.find("False") != std::string::npos)
    json.fail(fmt::format("'{}' has booleans; write 1 for True and 0 for False", text));
  json.fail(fmt::format("'{}' is no list; write [16, 32] or \"[16, 32]\"", text));
}

}  // namespace

ValueList value_list_from_json(const JsonField& json) {
  const Json list = json.value().is_string() ? list_in(json) : json.value();
  ValueList values;
  for (const TextOrNumber& value : read_as<OneOrMore<TextOrNumber>>(json.with(list)).values)
    values.values.push_back(value.text);
  return values;
}

const Type& type_for(const ValueList*) {
  static const types::FormedType<ValueList> type(
      [](const ValueList& values) { return Json(values.values); }, value_list_from_json);
  return type;
}

}  // namespace alsbench
