// SPDX-License-Identifier: Apache-2.0
#include "harness/record/fields/forms.h"

namespace alsbench {
namespace {

TextOrNumber text_or_number(const JsonField& json) {
  if (json.value().is_number()) return {json.value().dump(), true};
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

}  // namespace alsbench
