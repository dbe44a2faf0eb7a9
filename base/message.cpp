// SPDX-License-Identifier: Apache-2.0
#include "base/message.h"

namespace alsbench {

void write_message(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
  std::clearerr(stream);
}

}  // namespace alsbench
