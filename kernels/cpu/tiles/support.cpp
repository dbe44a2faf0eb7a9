// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/cpu/tiles/tiles.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace alsbench {

#if defined(__x86_64__)
extern const TileKernels kAmxTiles[];
#endif

namespace {

#if defined(__x86_64__)
// Bits of cpuid's leaf 7: tiles and their products, and what body.h is compiled for besides.
TileAnswers ask_processor() {
  constexpr unsigned kTiles = 1u << 24, kByteProducts = 1u << 25, kBfloatProducts = 1u << 22;
  constexpr unsigned kBfloatVectors = 1u << 5;  // of its second part
  unsigned a = 0, b = 0, c = 0, d = 0, more = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return {};
  __builtin_cpu_init();
  if ((d & kTiles) == 0 || !__builtin_cpu_supports("x86-64-v4") ||
      !__builtin_cpu_supports("avx512vbmi"))
    return {};
  TileAnswers answers;
  answers.bytes = (d & kByteProducts) != 0;
  answers.bfloats = (d & kBfloatProducts) != 0 && a >= 1 &&
                    __get_cpuid_count(7, 1, &more, &b, &c, &d) != 0 && (more & kBfloatVectors) != 0;
  return answers;
}

// Whether the operating system saves tiles when it switches threads: XCR0's bits of their layout
// and their data.
bool system_keeps_tiles() {
  constexpr uint32_t kState = 3u << 17;
  uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & kState) == kState;
}

// Linux gives the state of tiles to a process that asks for it.
int ask_for_tiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0 ? 0 : errno;
}

TileAnswers ask() {
  TileAnswers answers = ask_processor();
  if (!answers.bytes && !answers.bfloats) return answers;
  answers.system = system_keeps_tiles();
  if (answers.system) answers.refusal = ask_for_tiles();
  return answers;
}
const TileKernels* own_tiles(TileElement element) { return &kAmxTiles[static_cast<int>(element)]; }
#else
TileAnswers ask() { return {}; }
const TileKernels* own_tiles(TileElement) { return nullptr; }
#endif

TileSupport find_support(TileElement element) {
  const char* const wanted = std::getenv("ALSBENCH_TILES");
  const std::string_view mode = wanted != nullptr ? wanted : "";
  if (mode == "off") return {nullptr, "ALSBENCH_TILES is off"};
  static const TileAnswers answers = ask();
  const std::string reason = why_no_tiles(element, answers);
  if (reason.empty()) return {own_tiles(element), ""};
  if (mode == "emulated") return {&emulated_tiles(element), ""};
  return {nullptr, reason};
}

}  // namespace

std::string why_no_tiles(TileElement element, const TileAnswers& answers) {
  if (!answers.bytes && !answers.bfloats) return "the processor has no AMX tiles";
  if (element == TileElement::int8 && !answers.bytes)
    return "the processor's AMX tiles do not multiply bytes";
  if (element == TileElement::bf16 && !answers.bfloats)
    return "the processor's AMX tiles do not multiply bf16";
  if (!answers.system)
    return "the operating system does not keep AMX tiles; it takes Linux 5.16 or later";
  if (answers.refusal != 0)
    return std::string("Linux refuses AMX tiles to this process (arch_prctl: ") +
           std::strerror(answers.refusal) + ")";
  return "";
}

const TileSupport& tile_support(TileElement element) {
  static const std::array support{find_support(TileElement::int8), find_support(TileElement::bf16)};
  return support.at(static_cast<size_t>(element));
}

}  // namespace alsbench
