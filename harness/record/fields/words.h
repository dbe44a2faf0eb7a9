// SPDX-License-Identifier: Apache-2.0
// The names of an enum's values in files and options, declared once beside the enum:
//
//   constexpr auto words_of(Role) {
//     return std::to_array<Word<Role>>({{Role::measured, "case"}, {Role::roof, "roof"}});
//   }
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace alsbench {

template <class E>
struct Word {
  E value;
  std::string_view name;
};

template <class E>
concept Worded = std::is_enum_v<E> && requires(E value) {
  words_of(value);
};

template <Worded E>
constexpr std::string_view name_of(E value) {
  for (const Word<E>& word : words_of(value))
    if (word.value == value) return word.name;
  return "";
}
template <Worded E>
constexpr std::optional<E> named(std::string_view name) {
  for (const Word<E>& word : words_of(E{}))
    if (word.name == name) return word.value;
  return std::nullopt;
}

}  // namespace alsbench
