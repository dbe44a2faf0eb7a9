// SPDX-License-Identifier: Apache-2.0
#include "harness/record/device_name.h"

#include "harness/files/hash.h"

namespace alsbench {

std::string device_slug(std::string_view name) {
  constexpr size_t kLongest = 96;
  constexpr size_t kHashDigits = 8;
  std::string slug;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (upper || plain)
      slug += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  if (!slug.empty() && slug.size() <= kLongest) return slug;
  const std::string hash = Fnv1a128().add(name).hex().substr(0, kHashDigits);
  if (slug.empty()) return "device-" + hash;
  slug.resize(kLongest - kHashDigits - 1);
  while (slug.back() == '-') slug.pop_back();
  return slug + "-" + hash;
}

}  // namespace alsbench
