// SPDX-License-Identifier: Apache-2.0
// The names of an enum's values in files and options: those of its enumerators, which count from 0
// without gaps. Names that are no identifiers, or not the enumerator's, are declared next to it:
//
//   constexpr auto enum_names(Role) {
//     return std::to_array<EnumName<Role>>({{Role::measured, "case"}});
//   }
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace alsbench {

template <class E>
struct EnumName {
  E value;
  std::string_view name;
};

template <class E>
concept NamedEnum = std::is_enum_v<E> && !std::is_convertible_v<E, int>;

namespace enums {

// The enumerator of a value as the compiler spells it, or "" where there is none.
template <auto value>
constexpr std::string_view enumerator() {
  constexpr std::string_view kBefore = "value = ";
  std::string_view text = __PRETTY_FUNCTION__;  // "... [with auto value = a::Role::case; ...]"
  text.remove_prefix(text.rfind(kBefore) + kBefore.size());
  text = text.substr(0, text.find_first_of(";]"));
  const size_t cast = text.rfind(')');  // "(a::Role)7"
  if (cast != text.npos && text[cast + 1] != ':') return "";
  return text.substr(text.rfind(':') + 1);
}

template <NamedEnum E, size_t count = 0>
constexpr size_t size() {
  if constexpr (enumerator<static_cast<E>(count)>().empty())
    return count;
  else
    return size<E, count + 1>();
}

template <NamedEnum E, size_t... index>
constexpr auto names(std::index_sequence<index...>) {
  std::array<EnumName<E>, sizeof...(index)> all{
      {{static_cast<E>(index), enumerator<static_cast<E>(index)>()}...}};
  if constexpr (requires { enum_names(E{}); })
    for (const EnumName<E>& declared : enum_names(E{}))
      all[static_cast<size_t>(declared.value)] = declared;
  return all;
}

}  // namespace enums

// All values of an enum in their order, with their names.
template <NamedEnum E>
inline constexpr auto kNamesOf = enums::names<E>(std::make_index_sequence<enums::size<E>()>());

template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  for (const EnumName<E>& word : kNamesOf<E>)
    if (word.value == value) return word.name;
  return "";
}
template <NamedEnum E>
constexpr std::optional<E> named(std::string_view name) {
  for (const EnumName<E>& word : kNamesOf<E>)
    if (word.name == name) return word.value;
  return std::nullopt;
}

}  // namespace alsbench
