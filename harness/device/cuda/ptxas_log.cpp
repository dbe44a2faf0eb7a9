// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/ptxas_log.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace alsbench {
namespace {

// The number that stands before `unit` in `text` ("16 bytes smem"), or 0 where the unit is absent,
// which is how ptxas says none.
int64_t number_before(std::string_view text, std::string_view unit) {
  const size_t end = text.find(unit);
  if (end == std::string_view::npos) return 0;
  const size_t last = text.find_last_not_of(' ', end - 1);
  const size_t before = text.find_last_not_of("0123456789", last);
  const size_t begin = before == std::string_view::npos ? 0 : before + 1;
  int64_t number = 0;
  std::from_chars(text.data() + begin, text.data() + last + 1, number);
  return number;
}

}  // namespace

void read_ptxas_log(const std::string& log, CompiledKernel& kernel) {
  const std::string_view entry = "Compiling entry function '";
  const size_t begin = log.find(std::string(entry) + kernel.lowered_name + "'");
  if (begin == std::string::npos)
    throw CompileError("the compiler's log does not name " + kernel.lowered_name + ":\n" + log);
  const size_t end = log.find(entry, begin + entry.size());
  const std::string_view text = std::string_view(log).substr(begin, end - begin);
  kernel.registers = static_cast<int>(number_before(text, " registers"));
  kernel.static_shared_bytes = number_before(text, " bytes smem");
  kernel.spill_store_bytes = kernel.spill_load_bytes = kernel.stack_bytes = 0;
  const std::string_view properties = "Function properties for ";
  for (size_t at = text.find(properties); at != std::string_view::npos;) {
    const size_t next = text.find(properties, at + properties.size());
    const std::string_view function = text.substr(at, next - at);
    kernel.spill_store_bytes += number_before(function, " bytes spill stores");
    kernel.spill_load_bytes += number_before(function, " bytes spill loads");
    kernel.stack_bytes =
        std::max(kernel.stack_bytes, number_before(function, " bytes stack frame"));
    at = next;
  }
}

}  // namespace alsbench
