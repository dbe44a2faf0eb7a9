// SPDX-License-Identifier: Apache-2.0
// The names of an enum's values in files and options, declared once next to the enum:
//
//   constexpr auto enum_names(Role) {
//     return std::to_array<EnumName<Role>>({{Role::measured, "case"}, {Role::ceiling, "ceiling"}});
//   }
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace alsbench {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
  enum_names(value);
};

template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  for (const EnumName<E>& word : enum_names(value))
    if (word.value == value) return word.name;
  return "";
}
template <NamedEnum E>
constexpr std::optional<E> named(std::string_view name) {
  for (const EnumName<E>& word : enum_names(E{}))
    if (word.name == name) return word.value;
  return std::nullopt;
}

}  // namespace alsbench
