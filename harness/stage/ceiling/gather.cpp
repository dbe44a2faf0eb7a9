// SPDX-License-Identifier: Apache-2.0
// gather_l1, gather_l2, gather_memory: a sample of the streams' sums, to the bit.
#include "kernels/cpu/ceiling/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "harness/stage/ceiling/ceiling.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

constexpr int64_t kRowBytes = 4 * kGatherWords;
constexpr int64_t kBlockWords = int64_t{1} << 18;  // after which the source repeats

enum class Level { l1, l2, memory };

struct GatherSize {
  int64_t source_bytes;
  int32_t rows;  // of a stream
};

// Sources fit the cache they are named after with room to spare, and memory's fits none.
GatherSize size_of(Level level, const DeviceTraits& traits) {
  const bool cuda = traits.backend == Backend::cuda;
  switch (level) {
    case Level::l1:
      return {cuda ? kSharedRows * kRowBytes : int64_t{16} << 10, cuda ? 2048 : 32768};
    case Level::l2:
      return {
          cuda ? std::clamp(traits.l2_bytes / 4, kMiB / 2, 16 * kMiB) : second_cache_bytes() / 2,
          cuda ? 256 : 32768};
    default:
      return {cuda ? 1024 * kMiB : std::clamp(4 * traits.l2_bytes, 64 * kMiB, 1024 * kMiB),
              cuda ? 256 : 8192};
  }
}

constexpr uint32_t kWordFactor = 2654435761u;

uint32_t number_of(int64_t index) { return static_cast<uint32_t>(index % kBlockWords) + 1; }

uint32_t word_at(int64_t index) { return number_of(index) * kWordFactor; }

// Of the words of a row, whose numbers follow each other: a block has whole rows.
uint32_t sum_of_row(int64_t row) {
  static_assert(kBlockWords % kGatherWords == 0);
  constexpr uint32_t kWords = kGatherWords;
  return (kWords * number_of(row * kGatherWords) + kWords * (kWords - 1) / 2) * kWordFactor;
}

void fill_source(Device& device, const Buffer& source) {
  const int64_t words = source.bytes() / 4, block = std::min(words, kBlockWords);
  std::vector<uint32_t> values(static_cast<size_t>(block));
  for (int64_t i = 0; i < block; ++i) values[i] = word_at(i);
  device.upload(source.data(), values.data(), block * 4);
  for (int64_t first = block; first < words; first += block)
    device.copy(source.as<uint32_t>() + first, source.data(), block * 4);
}

template <Level level>
class LevelFixture : public StageFixture {
 public:
  explicit LevelFixture(const FixtureRequest& request)
      : StageFixture(request),
        size_(size_of(level, device().traits())),
        row_bits_(std::bit_width(static_cast<uint64_t>(size_.source_bytes / kRowBytes)) - 1),
        source_(device().allocate((int64_t{1} << row_bits_) * kRowBytes)),
        target_(device().allocate(gather_streams(device().traits()) * 4)) {
    fill_source(device(), source_);
  }
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    return GatherParams{source_.as<uint32_t>(), target_.as<uint32_t>(), target_.bytes() / 4,
                        row_bits_, size_.rows};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("source", source_)}, {region_of("sums", target_)}, {}};
  }
  Work work(const WorkOptions&) const override {
    const double streams = static_cast<double>(target_.bytes()) / 4;
    return {.gathered_bytes = streams * size_.rows * static_cast<double>(kRowBytes)};
  }

 private:
  GatherSize size_;
  int32_t row_bits_;
  Buffer source_, target_;
};

uint32_t sum_of_stream(const GatherParams& params, int64_t stream) {
  uint32_t state = gather_start(static_cast<uint32_t>(stream)), sum = 0;
  for (int32_t i = 0; i < params.rows; ++i) {
    state = gather_next(state);
    sum += sum_of_row(gather_row(state, params.row_bits));
  }
  return sum;
}

Verification check_sums(const CheckRequest& request) {
  constexpr int64_t kSampledStreams = 16;
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<GatherParams>();
  fixture.poison();
  request.executable.launch(params);
  Tally tally;
  for (const int64_t stream :
       sampled_numbers(params.streams, kSampledStreams, request.references.draw())) {
    uint32_t sum = 0;
    request.device().download(&sum, params.target + stream, sizeof(sum));
    RowCheck row;
    if (const uint32_t expected = sum_of_stream(params, stream); sum != expected)
      row.fail(fmt::format("adds up to {} instead of {}", sum, expected));
    tally.add(fmt::format("stream {}", stream), row);
  }
  return tally.result();
}

}  // namespace

StageSupport gather_l1_support() {
  return {"gather_l1", make<LevelFixture<Level::l1>>, check_sums};
}
StageSupport gather_l2_support() {
  return {"gather_l2", make<LevelFixture<Level::l2>>, check_sums};
}
StageSupport gather_memory_support() {
  return {"gather_memory", make<LevelFixture<Level::memory>>, check_sums};
}

}  // namespace alsbench
