// SPDX-License-Identifier: Apache-2.0
// All of a file that is written piece by piece.
#pragma once

#include <string>

#include "harness/files/file_content.h"

namespace alsbench {

inline std::string whole_text(const FileContent& content) {
  std::string whole;
  content([&](std::string_view text) { whole += text; });
  return whole;
}

}  // namespace alsbench
