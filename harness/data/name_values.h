// SPDX-License-Identifier: Apache-2.0
// NameValues: what --values says, the rating that each name in the column of ratings stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alsbench {

class NameValues {
 public:
  // Nothing where lines with the name are left out.
  using Value = std::optional<float>;

  NameValues() = default;
  // Of a text such as "view=1,addtocart=5,search=none"; an empty one names nothing. Throws
  // UsageError.
  explicit NameValues(const std::string& text);

  bool empty() const { return values_.empty(); }
  // The value of a name; null where it is none of them.
  const Value* find(std::string_view name) const;
  std::vector<std::string> names() const;
  // Those that are left out.
  std::vector<std::string> left_out() const;

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

}  // namespace alsbench
