// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/worker/cache_model.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace alsbench {
namespace {

constexpr int64_t kSector = 32, kLine = 128;

int64_t down_to(int64_t byte, int64_t unit) { return byte / unit * unit; }

// Lines that are read equally often.
struct Lines {
  double count = 0;
  double sector_bytes = 0;  // that their reads ask for in a pass
};

// By the number of reads of a line, which is that of all rows with a part in it.
std::unordered_map<int64_t, Lines> lines_by_reads(const GatheredTable& table) {
  const auto row_bytes = static_cast<int64_t>(table.row_bytes);
  std::unordered_map<int64_t, Lines> lines;
  int64_t line = 0, reads = 0, sector_bytes = 0;  // of the line that rows fill now
  const auto close = [&] {
    if (reads > 0) {
      Lines& alike = lines[reads];
      ++alike.count;
      alike.sector_bytes += static_cast<double>(sector_bytes);
    }
    line += kLine, reads = sector_bytes = 0;
  };
  for (size_t row = 0; row + 1 < table.offsets.size(); ++row) {
    const int64_t begin = static_cast<int64_t>(row) * row_bytes, end = begin + row_bytes;
    const int64_t row_reads = table.offsets[row + 1] - table.offsets[row];
    for (int64_t byte = begin; byte < end;) {
      while (line + kLine <= byte) close();
      const int64_t next = std::min(end, line + kLine);
      const int64_t sectors = down_to(next + kSector - 1, kSector) - down_to(byte, kSector);
      reads += row_reads;
      sector_bytes += row_reads * sectors;
      byte = next;
    }
  }
  close();
  return lines;
}

}  // namespace

double missed_bytes(const GatheredTable& table, double other_bytes, double cache_bytes) {
  const auto lines = lines_by_reads(table);
  // Time is counted in passes. A line stays for `stay` after a read, and is then still there at its
  // next read with probability 1 - exp(-reads stay); as many are there as fill the cache.
  const double other_of_pass = other_bytes / table.passes;
  const auto held_bytes = [&](double stay) {
    double bytes = other_of_pass * stay;
    for (const auto& [reads, alike] : lines)
      bytes -= kLine * alike.count * std::expm1(-static_cast<double>(reads) * stay);
    return bytes;
  };
  double shortest = 0, longest = table.passes;
  if (held_bytes(longest) > cache_bytes)
    for (int halving = 0; halving < 60; ++halving) {
      const double stay = (shortest + longest) / 2;
      (held_bytes(stay) > cache_bytes ? longest : shortest) = stay;
    }
  else
    longest = HUGE_VAL;  // whatever was read once stays
  double missed = 0;
  for (const auto& [reads, alike] : lines) {
    const double all = static_cast<double>(reads) * table.passes;
    const double again = std::exp(-static_cast<double>(reads) * longest);
    missed += alike.sector_bytes * table.passes * (1 + (all - 1) * again) / all;
  }
  return missed;
}

double shared_cache_bytes(const DeviceTraits& traits) {
  const bool two_halves = traits.architecture == 80 || traits.architecture >= 90;
  const bool halved = traits.backend == Backend::cuda && two_halves && traits.architecture < 120;
  return static_cast<double>(traits.l2_bytes) / (halved ? 2 : 1);
}

}  // namespace alsbench
