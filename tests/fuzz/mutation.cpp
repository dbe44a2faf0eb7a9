// SPDX-License-Identifier: Apache-2.0
#include "mutation.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace alsbench::fuzz {
namespace {

using Json = nlohmann::ordered_json;

std::string mutated_bytes(std::string text, const std::string& other, Dice& dice) {
  static const std::vector<std::string> kWords{"-1",
                                               "0",
                                               "1e999",
                                               "2147483648",
                                               "9223372036854775808",
                                               "nan",
                                               "null",
                                               "[]",
                                               "{}",
                                               "\"",
                                               "[[[[[[[[",
                                               ",",
                                               "\n",
                                               "\t",
                                               std::string(1, '\0'),
                                               "\xff",
                                               "\xef\xbb\xbf",
                                               "1e-320",
                                               "%"};
  for (size_t changes = 1 + dice.below(4); changes > 0; --changes) {
    const size_t at = dice.below(text.size() + 1), length = dice.below(16);
    switch (dice.below(7)) {
      case 0:
        if (!text.empty()) text = flipped(text, dice.below(8 * text.size()));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
        break;
      case 2:
        text.erase(std::min(at, text.size()), length);
        break;
      case 3:
        text.insert(at, kWords[dice.below(kWords.size())]);
        break;
      case 4:
        text.insert(at, other.substr(dice.below(other.size() + 1), 4 * length));
        break;
      case 5: {  // another number
        const size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const size_t end = text.find_first_not_of("0123456789.", digit);
        text.replace(digit, std::min(end, text.size()) - digit, kWords[dice.below(6)]);
        break;
      }
      default:
        if (dice.below(8) == 0) text.resize(at);
    }
  }
  return text;
}

std::vector<Json> awkward_values() {
  Json nested = 1;
  for (int level = 0; level < 70; ++level) nested = Json::array({nested});
  return {nullptr,
          true,
          0,
          -1,
          0.5,
          1e308,
          -1e-320,
          INT64_MAX,
          UINT64_MAX,
          "",
          "-1",
          "\x1b[31m\n../../x",
          Json::array(),
          Json::object(),
          Json::array({Json::object()}),
          nested};
}

// Every value of a document, itself first.
void collect(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  if (json.is_structured())
    for (Json& value : json) collect(value, values);
}

// Another value or type in one place: taken from a list or from elsewhere; gone; or there twice.
void change(Json& json, Dice& dice) {
  static const std::vector<Json> kAwkward = awkward_values();
  std::vector<Json*> values;
  collect(json, values);
  Json& value = *values[dice.below(values.size())];
  const Json elsewhere = *values[dice.below(values.size())];
  const size_t place = dice.below(value.size());
  switch (dice.below(4)) {
    case 0:
      value = kAwkward[dice.below(kAwkward.size())];
      break;
    case 1:
      value = elsewhere;
      break;
    case 2:
      if (value.is_structured() && !value.empty())
        value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(place)));
      break;
    default:
      if (value.is_array() && !value.empty()) {
        const Json copy = value[place];
        value.push_back(copy);
      } else if (value.is_object()) {
        value["more"] = elsewhere;
      }
  }
}

}  // namespace

std::string flipped(std::string text, size_t bit) {
  text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  return text;
}

std::string mutated(const std::string& text, const std::string& other, Dice& dice) {
  const bool may_be_json = text.starts_with('{') || text.starts_with('[');
  if (!may_be_json || dice.below(2) == 0) return mutated_bytes(text, other, dice);
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return mutated_bytes(text, other, dice);
  for (size_t changes = 1 + dice.below(4); changes > 0; --changes) change(json, dice);
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace alsbench::fuzz
