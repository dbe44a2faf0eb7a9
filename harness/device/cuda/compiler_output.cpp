// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/compiler_output.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "harness/files/hash.h"

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

[[noreturn]] void refuse_output() {
  throw CompileError("the compiler's output is no 64-bit ELF file");
}

std::string_view piece(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) refuse_output();
  return file.substr(offset, size);
}

template <class T>
T read(std::string_view file, uint64_t offset) {
  T value;
  std::memcpy(&value, piece(file, offset, sizeof(T)).data(), sizeof(T));
  return value;
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

std::string code_hash_of(std::string_view cubin) {
  const auto header = read<Elf64_Ehdr>(cubin, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    refuse_output();
  Fnv1a128 hash;
  for (int i = 0; i < header.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(cubin, header.e_shoff + uint64_t(i) * header.e_shentsize);
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0)
      hash.add_field(piece(cubin, section.sh_offset, section.sh_size));
  }
  return hash.hex();
}

}  // namespace alsbench
