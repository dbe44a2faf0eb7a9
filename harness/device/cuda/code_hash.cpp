// SPDX-License-Identifier: Apache-2.0
#include "harness/device/cuda/code_hash.h"

#include <elf.h>

#include <cstring>

#include "base/error.h"
#include "harness/files/hash.h"

namespace alsbench {
namespace {

[[noreturn]] void refuse() { throw CompileError("the compiler's output is no 64-bit ELF file"); }

std::string_view piece(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) refuse();
  return file.substr(offset, size);
}

template <class T>
T read(std::string_view file, uint64_t offset) {
  T value;
  std::memcpy(&value, piece(file, offset, sizeof(T)).data(), sizeof(T));
  return value;
}

}  // namespace

std::string code_hash_of(std::string_view cubin) {
  const auto header = read<Elf64_Ehdr>(cubin, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    refuse();
  Fnv1a128 hash;
  for (int i = 0; i < header.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(cubin, header.e_shoff + uint64_t(i) * header.e_shentsize);
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) != 0)
      hash.add_field(piece(cubin, section.sh_offset, section.sh_size));
  }
  return hash.hex();
}

}  // namespace alsbench
